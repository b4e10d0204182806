import fc from 'fast-check'
import type { Analyzer } from '../analysis/analyzer.ts'
import { queryAnalyzer } from '../analysis/field-analyzer.ts'
import type {
  FacetIntervals,
  FacetRequest,
  Phrase,
  PlannedBoost,
  PlannedMeaning,
  PlannedPin,
  QuerySlot,
  SearchPlan,
  SortKey,
} from '../query/plan.ts'
import type { PlannedNumeric } from '../scoring/numeric-signal.ts'
import { isByScore } from '../query/sort-order.ts'
import type { PlannedLearning } from '../query/learning.ts'
import type { PlannedPersonal } from '../query/personal.ts'
import type { PlannedPopularity } from '../query/popularity.ts'
import type { Field, Schema } from '../schema/schema.ts'
import { elementType, hasColumn, isArrayType, isNumeric, isPlace } from '../schema/schema.ts'
import { arbitraryText, arbitraryWord, FACET_VALUES, UNKNOWN_WORDS } from './generate.ts'
import { arbitraryBounds, arbitraryFilter, formsOf, withoutUndefined } from './generate-filter.ts'
import { arbitraryDistance } from './generate-places.ts'
import { arbitraryMeaning, arbitrarySimilarity } from './generate-vectors.ts'
import { planSlotsForTest } from './plan-for-test.ts'

/** The default order of searches. */
const USUAL_SORT: SortKey[] = [
  { kind: 'textMatch', descending: true },
  { kind: 'popularity', descending: true },
]

/** Any plan that the plan stage could make for a schema. */
export function arbitraryPlan(schema: Schema, ofStore: Analyzer): fc.Arbitrary<SearchPlan> {
  const analyzer = queryAnalyzer(ofStore, schema)
  return fc
    .record({
      slots: arbitrarySlots(analyzer),
      fieldWeights: fc.tuple(
        ...schema.fields.map((field) =>
          field.searchable ? fc.constantFrom(1, 5, 2, 0.5, 3.7, 1, 2, 0) : fc.constant(0),
        ),
      ),
      lengthNorms: fc.tuple(
        ...schema.fields.map((_, i) => fc.constantFrom(i === 0 ? 0.5 : 0.75, 0, 1)),
      ),
      titleField: fc.constantFrom(0, 0, 0, 1, -1),
      accessoryMarks: fc.constantFrom(undefined, ['with', 'for', 'none'], ['run']),
      accessoriesDown: fc.boolean(),
      requireAllTerms: fc.constantFrom<SearchPlan['requireAllTerms']>(
        false,
        false,
        'auto',
        'auto',
        true,
      ),
      scope: fc.option(arbitraryFilter(schema, analyzer), { nil: undefined, freq: 1 }),
      minRelevance: fc.constantFrom(undefined, undefined, undefined, undefined, 0.4, 0.7, 0.95, 1),
      phrases: seldom(fc.array(arbitraryPhrase(analyzer), { minLength: 1, maxLength: 2 })),
      exclusions: seldom(fc.array(arbitraryPhrase(analyzer), { minLength: 1, maxLength: 2 })),
      exactValue: arbitraryExactValue(analyzer),
      exactValueFields: fc.tuple(...schema.fields.map(() => fc.boolean())),
      pins: seldom(arbitraryPins()),
      boosts: seldom(fc.array(arbitraryBoost(schema, analyzer), { minLength: 1, maxLength: 3 })),
      personal: fc.option(arbitraryPersonal(schema, analyzer), { nil: undefined, freq: 1 }),
      popularity: fc.option(arbitraryPopularity(), { nil: undefined, freq: 1 }),
      numeric: arbitraryNumeric(schema),
      learning: fc.option(arbitraryLearning(), { nil: undefined, freq: 1 }),
      filter: fc.option(arbitraryFilter(schema, analyzer), { nil: undefined, freq: 1 }),
      sort: fc.oneof(
        { arbitrary: fc.array(arbitrarySortKey(schema, analyzer), { maxLength: 3 }), weight: 3 },
        { arbitrary: fc.constant(USUAL_SORT), weight: 1 },
      ),
      facets: arbitraryFacets(schema, analyzer),
      disjunctiveFacets: fc.boolean(),
      from: fc.constantFrom(0, 0, 0, 1, 3, 20, 1000),
      size: fc.constantFrom(10, 1000, 1, 0, 250),
      explain: fc.boolean(),
      meaning: arbitraryMeaning(schema),
    })
    .map(({ meaning, ...plan }) => withMeaning(plan, meaning))
    .map(({ learning, ...plan }) => (learning === undefined ? plan : { ...plan, learning }))
    .map(({ personal, ...plan }) => (personal === undefined ? plan : { ...plan, personal }))
    .map(({ filter, scope, popularity, numeric, minRelevance, accessoryMarks, ...plan }) => ({
      ...plan,
      ...(scope === undefined ? {} : { scope }),
      ...(accessoryMarks === undefined ? {} : { accessoryMarks }),
      ...(minRelevance === undefined ? {} : { minRelevance }),
      ...(filter === undefined ? {} : { filter }),
      ...(popularity === undefined ? {} : { popularity }),
      ...(numeric === undefined ? {} : { numeric }),
    }))
}

/** Only an order that begins with the score knows what a query with words means. */
function withMeaning<
  T extends Pick<SearchPlan, 'slots' | 'sort'> & { readonly minRelevance: number | undefined },
>(plan: T, meaning: PlannedMeaning | undefined): T & { readonly meaning?: PlannedMeaning } {
  if (meaning === undefined || !isByScore(plan.sort[0]) || plan.slots.length === 0) return plan
  if (plan.minRelevance === undefined) return { ...plan, meaning }
  // A minimum relevance adds nothing that no word finds.
  const { least: _, ...order } = meaning
  return { ...plan, meaning: order }
}

/** The same, with groups if the schema has a field to group by. */
export function arbitraryGroupedPlan(schema: Schema, analyzer: Analyzer): fc.Arbitrary<SearchPlan> {
  const plan = arbitraryPlan(schema, analyzer)
  const fields = [...schema.fields.keys()].filter((ordinal) => isGroupable(schema.fields[ordinal]!))
  if (fields.length === 0) return plan
  const groups = fc.record({
    fields: fc.uniqueArray(fc.constantFrom(...fields), { minLength: 1, maxLength: 3 }),
    limit: fc.constantFrom(1, 2, 3, 99),
    missing: fc.constantFrom('together', 'apart'),
    facetCount: fc.constantFrom('documents', 'groups'),
  })
  return fc.record({ plan, groups }).map(({ plan: made, groups: asked }) => ({
    ...made,
    groups: asked,
  }))
}

function isGroupable(field: Field): boolean {
  const { type } = field
  return hasColumn(field) && !isArrayType(type) && type !== 'date' && !isPlace(field)
}

function seldom<T>(list: fc.Arbitrary<T[]>): fc.Arbitrary<T[]> {
  return fc.oneof({ arbitrary: fc.constant<T[]>([]), weight: 3 }, { arbitrary: list, weight: 2 })
}

/** Ids that may exist, at positions near the start or far past the end. */
function arbitraryPins(): fc.Arbitrary<PlannedPin[]> {
  const id = fc.nat(62).map((n) => `id-${n}`)
  const position = fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 70 }))
  const distinct = (length: number) => ({ minLength: length, maxLength: length })
  return fc.integer({ min: 1, max: 6 }).chain((length) =>
    fc
      .tuple(fc.uniqueArray(id, distinct(length)), fc.uniqueArray(position, distinct(length)))
      .map(([ids, positions]) => {
        const inOrder = positions.toSorted((a, b) => a - b)
        return ids.map((id, i) => ({ id, position: inOrder[i]! }))
      }),
  )
}

function arbitraryBoost(schema: Schema, analyzer: Analyzer): fc.Arbitrary<PlannedBoost> {
  return fc.record({
    filter: arbitraryFilter(schema, analyzer, 1),
    factor: fc.constantFrom(2, 0.5, 1, 10, 1_000, 0.001, 1.37),
  })
}

/** Some lifts exceed the limit, alone or together. */
function arbitraryPersonal(schema: Schema, analyzer: Analyzer): fc.Arbitrary<PlannedPersonal> {
  const lift = fc.record({
    filter: arbitraryFilter(schema, analyzer, 1),
    share: fc.constantFrom(0.05, 0.137, 0.3),
  })
  return fc.record({
    lifts: fc.array(lift, { minLength: 1, maxLength: 4 }),
    limit: fc.constantFrom(0.2, 0.5),
  })
}

/** Popularity of documents that may exist, and of some deleted ones. */
function arbitraryPopularity(): fc.Arbitrary<PlannedPopularity> {
  const docKey = fc.integer({ min: 1, max: 70 })
  const level = fc.integer({ min: 1, max: 60 })
  return fc
    .record({
      levels: fc.uniqueArray(fc.tuple(docKey, level), { selector: ([key]) => key, maxLength: 70 }),
      appeal: fc.array(fc.tuple(docKey, fc.constantFrom(1, 0.5, 0.013, 0)), { maxLength: 8 }),
      weight: fc.constantFrom(1, 0.3, 0),
    })
    .map(({ levels, appeal, weight }) => {
      const inOrder = levels.toSorted(([a], [b]) => a - b)
      const docKeys = Float64Array.from(inOrder, ([key]) => key)
      const documents = {
        docKeys,
        levels: Uint16Array.from(inOrder, ([, one]) => one),
        levelMax: 60,
      }
      return { documents, appeal: new Map(appeal), weight }
    })
}

/** What was learned about documents that may exist, and about some deleted ones. */
function arbitraryLearning(): fc.Arbitrary<PlannedLearning> {
  const docKey = fc.integer({ min: 1, max: 70 })
  const learned = fc.record({
    lift: fc.constantFrom(1, 0.5, 0.013, 0),
    clicks: fc.integer({ min: 1, max: 40 }),
    expected: fc.constantFrom(0.7, 12),
  })
  return fc.record({
    documents: fc.array(fc.tuple(docKey, learned), { maxLength: 8 }).map((all) => new Map(all)),
    limit: fc.constantFrom(1, 0.2),
  })
}

/** A number of some documents, if the schema has a field for it. */
function arbitraryNumeric(schema: Schema): fc.Arbitrary<PlannedNumeric | undefined> {
  const fields = [...schema.fields.keys()].filter((ordinal) => {
    const field = schema.fields[ordinal]!
    return hasColumn(field) && isNumeric(field) && !isArrayType(field.type)
  })
  if (fields.length === 0) return fc.constant(undefined)
  const numeric = fc.record({
    field: fc.constantFrom(...fields),
    weight: fc.constantFrom(1, 0.3, 0.05),
    shape: fc.constantFrom('linear' as const, 'log', 'decay'),
    scale: fc.constantFrom(10, 1, 0.5, 1e9),
    origin: fc.constantFrom(0, 3, -1e6),
  })
  return fc.option(numeric, { nil: undefined, freq: 2 })
}

/** One to three words, in one or two spellings. */
function arbitraryPhrase(analyzer: Analyzer): fc.Arbitrary<Phrase> {
  const spelling = fc
    .array(fc.oneof(arbitraryWord(), arbitraryWord(), fc.constantFrom(...UNKNOWN_WORDS)), {
      minLength: 1,
      maxLength: 3,
    })
    .map((words) => formsOf(words.join(' '), analyzer))
    .filter((forms) => forms.length > 0)
    .map((forms) => forms.map((form) => ({ form, stem: analyzer.stem(form) })))
  return fc.record({
    spellings: fc.array(spelling, { minLength: 1, maxLength: 2 }),
    inflected: fc.boolean(),
  })
}

/** Forms of a text that may be a value of some document. */
function arbitraryExactValue(analyzer: Analyzer): fc.Arbitrary<string[]> {
  return fc
    .oneof(
      fc.constant(''),
      arbitraryWord(),
      fc.constantFrom(...FACET_VALUES),
      fc.tuple(arbitraryWord(), arbitraryWord()).map((words) => words.join(' ')),
      arbitraryText(),
    )
    .map((text) =>
      analyzer
        .analyze(text)
        .filter((token) => token.kind !== 'joined')
        .map((token) => token.form),
    )
}

/** Slots of a generated query text, rarely none (`*`). */
export function arbitrarySlots(analyzer: Analyzer): fc.Arbitrary<QuerySlot[]> {
  const word = fc.oneof(
    { arbitrary: arbitraryWord(), weight: 3 },
    { arbitrary: fc.constantFrom(...UNKNOWN_WORDS), weight: 2 },
  )
  // Prefixes of words of every length.
  const begun = fc
    .tuple(word, fc.integer({ min: 1, max: 5 }))
    .map(([whole, length]) => [...whole].slice(0, length).join(''))
  // ... and parts from inside words.
  const inner = fc
    .tuple(word, fc.constantFrom(1, 2), fc.constantFrom(3, 4))
    .map(([whole, from, length]) => [...whole].slice(from, from + length).join(''))
  const anyWord = fc.oneof({ arbitrary: word, weight: 5 }, { arbitrary: inner, weight: 1 })
  const synonym = fc.record({
    text: fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(' ')),
    at: fc.nat({ max: 3 }),
    span: fc.constantFrom(1, 1, 2),
  })
  return fc
    .record({
      words: fc.array(anyWord, { maxLength: 4 }),
      last: fc.oneof(word, begun, inner, fc.constant('')),
      prefix: fc.constantFrom('always' as const, 'fallback', 'off'),
      typoMax: fc.constantFrom(2 as const, 1, 0),
      typoMinLengths: fc.constantFrom([4, 7] as const, [3, 5] as const, [1, 3] as const),
      typoNumbers: fc.boolean(),
      pieces: fc.boolean(),
      infix: fc.constantFrom('off' as const, 'off', 'always', 'fallback'),
      synonyms: fc.oneof(fc.constant([]), fc.array(synonym, { maxLength: 3 })),
      explained: fc.oneof(
        fc.constant([]),
        fc.array(
          fc.tuple(
            word,
            synonym.map(({ text }) => text),
          ),
          { maxLength: 6 },
        ),
      ),
    })
    .map(({ words, last, ...options }) =>
      planSlotsForTest([...words, last].join(' '), analyzer, options),
    )
}

function arbitrarySortKey(schema: Schema, analyzer: Analyzer): fc.Arbitrary<SortKey> {
  const descending = fc.boolean()
  const isSortable = (field: Field) => field.sort && !isPlace(field)
  const sortable = schema.fields.flatMap((field, ordinal) => (isSortable(field) ? [ordinal] : []))
  const places = schema.fields.flatMap((field, ordinal) => (isPlace(field) ? [ordinal] : []))
  const distance = arbitraryDistance(places.length === 0 ? [0] : places)
  const field = fc.record({
    kind: fc.constant('field' as const),
    field: fc.constantFrom(...sortable),
    descending,
    missing: fc.constantFrom('last' as const, 'first'),
  })
  const textMatch = fc
    .record({
      kind: fc.constant('textMatch' as const),
      descending: fc.constantFrom(true, true, false),
      buckets: fc.constantFrom(undefined, undefined, 1, 3, 10),
    })
    .map(({ buckets, ...key }) => (buckets === undefined ? key : { ...key, buckets }))
  return fc.oneof(
    { arbitrary: field, weight: 5 },
    ...(places.length === 0 ? [] : [{ arbitrary: distance, weight: 2 }]),
    ...schema.fields.flatMap(({ vector }, ordinal) =>
      vector === undefined ? [] : [{ arbitrary: arbitrarySimilarity(ordinal, vector), weight: 4 }],
    ),
    { arbitrary: textMatch, weight: 2 },
    { arbitrary: fc.record({ kind: fc.constant('popularity' as const), descending }), weight: 1 },
    {
      arbitrary: fc.record({
        kind: fc.constant('filter' as const),
        filter: arbitraryFilter(schema, analyzer, 1),
        descending,
      }),
      weight: 1,
    },
    {
      arbitrary: fc.record({
        kind: fc.constant('random' as const),
        seed: fc.integer(),
        descending,
      }),
      weight: 1,
    },
  )
}

function arbitraryFacets(schema: Schema, analyzer: Analyzer): fc.Arbitrary<FacetRequest[]> {
  const requests = schema.fields.flatMap((field, ordinal) =>
    field.facet ? [arbitraryFacet(field, ordinal, analyzer)] : [],
  )
  return fc.array(fc.oneof(...requests), { maxLength: 4 })
}

/**
 * Intervals of a second, a quarter of a year and 20,000 years; the first two have a small maximum
 * span.
 */
const INTERVALS: readonly FacetIntervals[] = [
  [1, 60],
  [7_776_000, 7.776e10],
  [630_720_000_000, Infinity],
].map(([length, spanMax]) => ({
  spanMax: spanMax!,
  intervalOf(value) {
    const number = Math.floor(value / length!)
    return { low: number * length!, high: (number + 1) * length! }
  },
}))

function arbitraryFacet(
  field: Field,
  ordinal: number,
  analyzer: Analyzer,
): fc.Arbitrary<FacetRequest> {
  const range = fc.record(arbitraryBounds(field)).map(withoutUndefined)
  const ranges = fc
    .array(range, { minLength: 1, maxLength: 4 })
    .map((ranges) => ranges.map((bounds, i) => ({ name: `range ${i}`, ...bounds })))
  const query = fc
    .oneof(
      arbitraryText(),
      fc.constantFrom('n', 'red s', 't', '1', 'tr', 'nkie', 'pmua', 'hsoe', 'rde sh', 'shrit'),
    )
    .map((text) => formsOf(text, analyzer).slice(0, 3))
    .filter((forms) => forms.length > 0)
    .chain((forms) =>
      fc.tuple(
        ...forms.map((form) =>
          fc.record({ form: fc.constant(form), edits: fc.constantFrom(0 as const, 1, 2) }),
        ),
      ),
    )
  return fc
    .record({
      field: fc.constant(ordinal),
      limit: fc.constantFrom(100, 3, 1, 0),
      order: fc.constantFrom('count' as const, 'value'),
      ranges: isNumeric(field)
        ? fc.option(ranges, { nil: undefined, freq: 2 })
        : fc.constant(undefined),
      query: fc.oneof(
        { arbitrary: fc.constant(undefined), weight: 3 },
        { arbitrary: query, weight: 1 },
      ),
      stats: fc.boolean(),
      intervals:
        elementType(field.type) === 'date'
          ? fc.option(fc.constantFrom(...INTERVALS), { nil: undefined, freq: 2 })
          : fc.constant(undefined),
    })
    .map(({ intervals, ranges, query, ...request }) => ({
      ...request,
      ...(intervals === undefined ? {} : { intervals }),
      ...(ranges === undefined ? {} : { ranges }),
      ...(query === undefined ? {} : { query }),
    }))
}
