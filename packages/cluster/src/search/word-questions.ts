import { slotName } from '../opensearch/field-slots.ts'
import { wordTerm } from '../opensearch/product-terms.ts'
import type { Analyzer } from '@aisle/engine'
import { typedRanges, type FormLikeness, type WordRow } from '@aisle/engine/rescoring'
import { CountedWords } from './counted-words.ts'
import { TOTAL_KEY, type Question } from './question.ts'
import type { Aggregated, Bucket, Query, SearchAnswer } from './product-searches.ts'
import { begunPattern, literal, oneOf } from './lucene-pattern.ts'
import { rowQuery, searchedFields, withTerms, wordsLike } from './row-query.ts'
import type { SearchPlace } from './search-place.ts'

/** Facts that may be stale are requested again after this time. */
const KEPT_MS = 5_000
/** In smaller stores, counts and average lengths are cheap and change with each document. */
export const MANY_DOCUMENTS = 1_000
/** Maximum of forms per question: those with the most documents. */
const FORMS_MAX = 5_000
/** Maximum of spellings near a word that are checked. */
const NEAR_MAX = 1_000
/** Marks forms that were cut because of their length: they match, but are not listed. */
const CUT_MARK = '\uE001'

/** Asks how many documents match a query. */
function countQuestion(key: string, query: () => Query): Question<number> {
  return {
    key,
    cost: 0,
    none: 0,
    keptMs: (count) => (count > 0 ? KEPT_MS : 0),
    isKeptIfMany: true,
    body: () => ({ size: 0, track_total_hits: true, query: query() }),
    matching: query,
    read: ({ hits }) => hits.total?.value ?? 0,
  }
}

export function formCount({ scope }: SearchPlace, form: string): Question<number> {
  const [field, term] = ['words' as const, wordTerm(scope, form)]
  const question = countQuestion(`form ${form}`, () => withTerms(field, [term]))
  return { ...question, counted: { field, term } }
}

export function groupCount({ scope }: SearchPlace, stem: string): Question<number> {
  return countQuestion(`group ${stem}`, () => withTerms('groups', [wordTerm(scope, stem)]))
}

export function bothCount({ scope }: SearchPlace, stem: string, other: string): Question<number> {
  return countQuestion(`both ${stem} ${other}`, () => ({
    bool: {
      filter: [stem, other].map((one) => withTerms('groups', [wordTerm(scope, one)])),
    },
  }))
}

export function rowCount({ scope }: SearchPlace, row: WordRow): Question<number> {
  const { stems, fieldWeights, without } = row
  const fields = searchedFields(fieldWeights)
  const key = `row ${fields.join(',')} ${stems.join(' ')} - ${without ?? ''}`
  return countQuestion(key, () => rowQuery(scope, row))
}

/**
 * Lists the possible forms of any likeness but `near`, each with its number of documents among
 * those that match the question.
 */
export function formsQuestion(
  place: SearchPlace,
  likeness: Exclude<FormLikeness, { kind: 'near' }>,
  analyzer: Pick<Analyzer, 'firstLetters' | 'stem' | 'stemsBegin'>,
): Question<CountedWords> {
  switch (likeness.kind) {
    case 'beginning':
      return listedForms(place, `(${beginningPatterns(likeness.text, analyzer).join('|')})`, 1)
    case 'inside':
      return listedForms(place, `.*${oneOf(likeness.texts)}`, 1)
    // A stem is a prefix of its forms, except for its last letters.
    case 'compound':
      return listedForms(place, `.*${oneOf([commonBeginning(likeness)])}`, 1)
    case 'begun near':
      return listedForms(place, begunPattern(likeness.text, likeness.edits), 2)
  }
}

/**
 * Expressions for what a form may begin with if a word is still being typed (`typedLength` of the
 * engine). Of other spellings, only the first letter is compared.
 */
function beginningPatterns(
  text: string,
  analyzer: Pick<Analyzer, 'firstLetters' | 'stem' | 'stemsBegin'>,
): string[] {
  const patterns = typedRanges(text).map(({ first, last }) =>
    first === last
      ? literal(first)
      : `${literal(first.slice(0, -1))}[${first.at(-1)}-${last.at(-1)}]`,
  )
  if (analyzer.stemsBegin === true) {
    const stem = analyzer.stem(text)
    const letters = analyzer.firstLetters?.(stem) ?? [...stem][0]!
    patterns.push(oneOf([...letters]) + '.'.repeat([...stem].length - 1))
  }
  return patterns
}

function commonBeginning({ ending, stemEnding }: { ending: string; stemEnding: string }): string {
  const [form, stem] = [[...ending], [...stemEnding]]
  let length = 0
  while (length < stem.length && form[length] === stem[length]) length++
  return form.slice(0, length).join('')
}

/** Lists the forms of a stem group, from those of its documents that begin like it. */
export function groupForms(
  place: SearchPlace,
  stem: string,
  analyzer: Pick<Analyzer, 'firstLetters' | 'stem'>,
): Question<CountedWords> {
  const firstLetters =
    analyzer.firstLetters?.(stem) ?? String.fromCodePoint(stem.codePointAt(0) ?? 0)
  const first = oneOf([...firstLetters])
  const query = withTerms('groups', [wordTerm(place.scope, stem)])
  // An empty list does not mean that nothing matches: the group may have forms that are not listed.
  const { matching: _, ...question } = listedForms(place, first, 1, query, `of ${stem} `)
  return {
    ...question,
    // Most listed forms belong to other groups.
    read: (answer) =>
      new CountedWords(
        keysOf(answer, 'forms', place.scope).filter(([form]) => analyzer.stem(form) === stem),
      ),
  }
}

/** @param pattern regular expression for the beginning of forms, in Lucene's syntax */
function listedForms(
  { scope }: SearchPlace,
  pattern: string,
  cost: Question<unknown>['cost'],
  query?: Query,
  title = '',
): Question<CountedWords> {
  const words = { beginning: literal(wordTerm(scope, '')), rest: pattern }
  const matching = wordsLike(words.beginning, [pattern])
  const include = matching.regexp.words.value
  const terms = { field: 'words', include, size: FORMS_MAX }
  const having: Query = query === undefined ? matching : { bool: { filter: [query, matching] } }
  const listing = (how: object) => ({
    size: 0,
    query: having,
    aggs: { forms: { terms: { ...terms, ...how } } },
  })
  return {
    key: `forms ${title}${pattern}`,
    cost,
    none: new CountedWords(),
    keptMs: () => 0,
    body: () => listing({}),
    matching: () => having,
    ...(query === undefined && pattern.startsWith('.*') ? { pattern: words } : {}),
    // OpenSearch 2.19 fails (index out of bounds) when no term follows the forms in its dictionary.
    // This way is slower, but then there are few forms.
    otherBody: () => listing({ execution_hint: 'map' }),
    read: (answer) => new CountedWords(keysOf(answer, 'forms', scope)),
  }
}

/**
 * Terms of the dictionary within some edits, with their documents; both include deleted ones. The
 * text itself comes first, without a number.
 */
export function nearQuestion(
  { scope }: SearchPlace,
  { text, edits }: { readonly text: string; readonly edits: number },
): Question<CountedWords> {
  const beginning = wordTerm(scope, '')
  const suggest = {
    near: {
      text: `${beginning}${text}`,
      term: {
        field: 'words',
        analyzer: 'keyword',
        suggest_mode: 'always',
        max_edits: edits,
        prefix_length: [...beginning].length,
        min_word_length: 1,
        size: NEAR_MAX,
        shard_size: NEAR_MAX,
        max_inspections: 1,
        accuracy: 0,
        max_term_freq: 1_000_000_000,
        sort: 'frequency',
      },
    },
  }
  return {
    key: `near ${edits} ${text}`,
    cost: 1,
    none: new CountedWords(),
    keptMs: () => 0,
    // The cluster only caches searches with a query.
    body: () => ({ size: 0, track_total_hits: false, query: { term: { scope } }, suggest }),
    read: (answer) => {
      const options = (answer.suggest?.['near'] ?? []).flatMap((one) => one.options)
      const others = options.map((option): [string, number] => [
        option.text.slice(beginning.length),
        option.freq,
      ])
      return new CountedWords([[text, 0], ...others])
    },
  }
}

/** N, without a cache while each document makes a difference. */
export function totalCount({ scope }: SearchPlace): Question<number> {
  return {
    ...countQuestion(TOTAL_KEY, () => ({ term: { scope } })),
    keptMs: (count) => (count >= MANY_DOCUMENTS ? KEPT_MS : 0),
  }
}

/** How many documents have one of these ids. Queries are seldom ids. */
export function idCount({ scope }: SearchPlace, ids: readonly string[]): Question<number> {
  const query = { bool: { filter: [{ term: { scope } }, { terms: { id: ids } }] } }
  return {
    key: `ids ${JSON.stringify(ids)}`,
    cost: 0,
    none: 0,
    likely: 0,
    // A new document is found at once.
    keptMs: () => 0,
    body: () => ({ size: 0, track_total_hits: true, query }),
    matching: () => query,
    read: ({ hits }) => hits.total?.value ?? 0,
  }
}

/** Tokens of one field, and the number of documents that have any. */
export interface FieldTokens {
  readonly total: number
  readonly docCount: number
}

/** Lengths by field ordinal. */
export function lengthsQuestion({ scope, slots }: SearchPlace): Question<readonly FieldTokens[]> {
  const aggs = Object.fromEntries(
    slots.flatMap(({ length }, field) =>
      length === undefined
        ? []
        : [[String(field), { stats: { field: slotName('length', length) } }]],
    ),
  )
  const lengthsOf = (aggregated: (field: number) => Aggregated | undefined) =>
    slots.map((_, field) => {
      const { sum = 0, count = 0 } = aggregated(field) ?? {}
      return { total: sum, docCount: count }
    })
  return {
    key: `lengths ${slots.length}`,
    cost: 0,
    none: lengthsOf(() => undefined),
    keptMs: (lengths) => (lengths.some(({ docCount }) => docCount >= MANY_DOCUMENTS) ? KEPT_MS : 0),
    body: () => ({ size: 0, query: { term: { scope } }, aggs }),
    read: ({ aggregations }) => lengthsOf((field) => aggregations?.[String(field)]),
  }
}

/** The words of a terms aggregation, without their common prefix. */
function keysOf(answer: SearchAnswer, name: string, scope: string): [string, number][] {
  const beginning = wordTerm(scope, '')
  const buckets = (answer.aggregations?.[name]?.buckets ?? []) as readonly Bucket[]
  return buckets
    .map(({ key, doc_count }): [string, number] => [String(key).slice(beginning.length), doc_count])
    .filter(([word]) => !word.includes(CUT_MARK))
}
