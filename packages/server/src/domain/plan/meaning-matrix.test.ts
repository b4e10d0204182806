import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import {
  createAnalyzer,
  IndexWriter,
  Searcher,
  type IndexDocument,
  type SearchOutcome,
  type SearchPlan,
  type Schema,
} from '@aisle/engine'
import { NaiveIndex } from '@aisle/engine/naive'
import { assertSameOutcome } from '@aisle/engine/naive/agreement'
import fc from 'fast-check'
import type { RuleEffects } from '../rules/rule-effects.ts'
import { planRules } from './plan-rules.ts'
import { planSearch, type PlanContext, type PlanRequest } from './plan-search.ts'

const analyzer = createAnalyzer()
const roles = { searchable: false, facet: false, sort: false }
const schema: Schema = {
  fields: [
    { ...roles, name: 'title', type: 'string', searchable: true },
    { ...roles, name: 'brand', type: 'string', facet: true, sort: true },
    { ...roles, name: 'price', type: 'float', facet: true, sort: true },
    { ...roles, name: 'tags', type: 'string[]', facet: true },
    {
      ...roles,
      name: 'meaning',
      type: 'vector',
      vector: { dimensions: 8, metric: 'cosine' },
    },
  ],
}
const WORDS = ['gas', 'stove', 'lamp', 'tent', 'mountain', 'shoe', 'for', 'hiker']

/** A small catalog of titles that share words; some documents lack a field. */
function documentOf(docKey: number): IndexDocument {
  const word = (salt: number): string => WORDS[(docKey * salt + salt) % WORDS.length]!
  const values = [
    `${word(3)} ${word(5)}${docKey % 3 === 0 ? ` ${word(7)}` : ''}`,
    docKey % 5 === 0 ? undefined : `brand ${docKey % 7}`,
    docKey % 11 === 0 ? undefined : (docKey * 37) % 90,
    docKey % 4 === 0 ? undefined : [`tag ${docKey % 3}`, `tag ${docKey % 2}`],
    docKey % 6 === 0
      ? undefined
      : [0, 1, 2, 3, 4, 5, 6, 7].map((i) => ((docKey * (i + 3)) % 9) - 4),
  ]
  return { docKey, id: `doc-${docKey}`, values }
}

/** In every other request, one of some values; seldom, in every sixth. */
const some = <T>(...values: readonly T[]) =>
  fc.option(fc.constantFrom(...values), { nil: undefined, freq: 2 })
const seldom = <T>(...values: readonly T[]) =>
  fc
    .tuple(fc.integer({ min: 0, max: 5 }), fc.constantFrom(...values))
    .map(([dice, value]) => (dice === 0 ? value : undefined))

/** Every parameter that decides which documents are found, in which order and with which counts. */
const arbitraryRequest = fc.record({
  q: fc.oneof(
    fc
      .uniqueArray(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 5 })
      .map((words) => words.join(' ')),
    fc.constantFrom('"gas stove"', 'gas -lamp', 'lantern', 'doc-7', 'stov', 'gasstove', '*'),
  ),
  vector: fc.record({
    field: fc.constant('meaning'),
    values: fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 8, maxLength: 8 }),
    weight: some(0, 0.3, 1),
    min_similarity: some(-1, 0, 0.4, 0.8),
  }),
  sort_by: seldom(
    '_text_match',
    '_text_match:desc,price:asc',
    '_text_match:asc',
    '_text_match(buckets: 3),price:desc',
    'price:asc',
    '_eval(price:>50):desc,_text_match',
    '_similarity',
    '_rand(7)',
    '_popularity,_text_match',
  ),
  page: seldom(2, 3, 12),
  per_page: seldom(0, 1, 7, 250),
  filter_by: seldom('price:<50', 'brand:=[brand 1, brand 2]', 'tags:=tag 1', 'price:>1000'),
  facet_by: some('brand,tags', 'brand,price'),
  facet_mode: some<'disjunctive'>('disjunctive'),
  group_by: seldom('brand', 'brand,price', ''),
  group_limit: some(1, 2),
  group_missing: some<'apart'>('apart'),
  facet_count: some<'groups'>('groups'),
  require_all_terms: seldom<boolean | 'auto'>(true, false, 'auto'),
  min_relevance: seldom(0.5),
  exact_match_boost: seldom(false),
  prefix_mode: some<'off'>('off'),
  typo_max: some(0),
  infix_mode: some<'always'>('always'),
  explain: some(true),
})
const arbitraryRules = fc.record({
  pins: fc.constantFrom([], [pin('doc-3', 1)], [pin('doc-5', 2), pin('doc-90', 60)]),
  hidden: fc.constantFrom([], ['doc-1', 'doc-2', 'doc-14']),
  boosted: fc.boolean(),
  sort: fc.constantFrom(undefined, undefined, [
    { kind: 'field', field: 2, descending: false, missing: 'last' } as const,
  ]),
})
const arbitraryDistinct = seldom({ field: 'brand' }, { field: 'brand', limit: 3 })
const arbitraryScope = seldom('price:<70')

function pin(id: string, position: number): RuleEffects['pins'][number] {
  return { id, position, rule: 'r' }
}

function planOf(
  request: object,
  distinct: PlanContext['distinct'],
  scope: string | undefined,
  rules: (typeof arbitraryRules extends fc.Arbitrary<infer T> ? T : never) | undefined,
): SearchPlan {
  const given = Object.fromEntries(
    Object.entries(request).filter(([, value]) => value !== undefined),
  )
  const context: PlanContext = { schema, analyzer, nowMs: 0, distinct }
  const { deadlineMs: _, ...own } = planSearch(given as unknown as PlanRequest, context).plan
  const seen = scope && planSearch({ q: '*', filter_by: scope }, context).plan.filter
  const nodes = [own.filter, seen].filter((node) => node !== undefined && node !== '')
  const plan: SearchPlan = {
    ...own,
    ...(seen ? { scope: seen } : {}),
    ...(nodes.length === 0 ? {} : { filter: { kind: 'and', nodes } as SearchPlan['filter'] & {} }),
  }
  if (rules === undefined) return plan
  const { boosted, ...effects } = rules
  const boost = { filter: { kind: 'ids', ids: ['doc-8', 'doc-9'] }, factor: 3 } as const
  const all: RuleEffects = {
    applied: ['r'],
    q: '',
    boosts: boosted ? [{ ...boost, source: { rule: 'r', filterBy: '' } }] : [],
    filters: [],
    semantic: undefined,
    semanticWeight: undefined,
    exactMatchBoost: undefined,
    facetDisplays: [],
    metadata: undefined,
    warnings: [],
    movingDates: [],
    ...effects,
  }
  const keepsOrder = given['sort_by'] !== undefined
  return planRules({ plan, warnings: [] } as never, all, keepsOrder).plan
}

const keysOf = ({ hits }: SearchOutcome): string => hits.map(({ docKey }) => docKey).join()

suite('meaning beside every other parameter', () => {
  // Goal: no parameter loses, doubles or miscounts a document because the query has a meaning.
  // Method: generated requests, planned and executed by both engines; a part of them on many
  // documents, so that ranks are beyond the candidates that compete.
  for (const [documents, share] of [
    [80, 1],
    [700, 0.3],
  ] as const) {
    test(`${documents} documents: the embedded engine and the naive twin agree`, () => {
      const naive = new NaiveIndex(schema, analyzer)
      const writer = new IndexWriter(schema, 'en')
      const keys = new Map<string, number>()
      for (let docKey = 1; docKey <= documents; docKey++) {
        const document = documentOf(docKey)
        naive.add(document)
        keys.set(document.id, docKey)
        if (docKey % 50 === 0 || docKey === documents) {
          const from = docKey - ((docKey - 1) % 50)
          const added = Array.from({ length: docKey - from + 1 }, (_, i) => documentOf(from + i))
          writer.apply({ added, removed: [] })
        }
      }
      const searcher = new Searcher()
      searcher.update(writer.snapshot())
      const seen = { meant: 0, grouped: 0, added: 0, reordered: 0 }
      const parts = fc.record({
        request: arbitraryRequest,
        distinct: arbitraryDistinct,
        scope: arbitraryScope,
        rules: fc.option(arbitraryRules, { nil: undefined }),
      })
      const numRuns = Math.ceil(share * Number(process.env['FUZZ_RUNS'] ?? 250))
      fc.assert(
        fc.property(parts, ({ request, distinct, scope, rules }) => {
          const plan = planOf(request, distinct, scope, rules)
          const found = searcher.search(plan, (id) => keys.get(id))
          assertSameOutcome(naive.search(plan), found, plan)
          const { meaning, ...byWords } = plan
          if (meaning === undefined) return
          seen.meant++
          if (plan.groups !== undefined) seen.grouped++
          if (found.foundByMeaning !== undefined) seen.added++
          const plain = searcher.search(byWords, (id) => keys.get(id))
          if (keysOf(plain) !== keysOf(found)) seen.reordered++
          assert.equal(found.found, plain.found + (found.foundByMeaning ?? 0))
        }),
        { numRuns },
      )
      const counts = JSON.stringify(seen)
      for (const count of Object.values(seen)) assert.ok(count > numRuns / 50, counts)
    })
  }
})
