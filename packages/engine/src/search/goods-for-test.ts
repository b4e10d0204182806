import type { IndexDocument } from '../schema/document.ts'
import type { Schema } from '../schema/schema.ts'
import { createAnalyzer } from '../analysis/create-analyzer.ts'
import type { SearchOutcome, SearchPlan } from '../query/plan.ts'
import type { IndexSnapshot } from '../segment/snapshot.ts'
import { Searcher } from './searcher.ts'
import { planForTest } from '../naive/plan-for-test.ts'

/** A small schema with every kind of section: text, columns of strings and numbers, presence. */
export const GOODS: Schema = {
  fields: [
    { name: 'title', type: 'string', searchable: true, facet: false, sort: false },
    { name: 'brand', type: 'string', searchable: true, facet: true, sort: true },
    { name: 'tags', type: 'string[]', searchable: true, facet: true, sort: false },
    { name: 'price', type: 'float', searchable: false, facet: true, sort: true },
    { name: 'stock', type: 'int64', searchable: false, facet: true, sort: true },
  ],
}

const NOUNS = 'shoe shoes lamp lamps tent tents table tables jacket kettle bottle rope'.split(' ')
const ADJECTIVES = 'red blue running light heavy small smaller warm green wooden'.split(' ')
const BRANDS = ['Nordfell', 'nordfell', 'Ofen & Co', 'Käsehaus', 'T-Rex']

/** The document with a number: always the same, and similar to others in most of its words. */
export function goodsDocument(docKey: number, schema: Schema = GOODS): IndexDocument {
  const pick = <T>(values: readonly T[], salt: number): T =>
    values[((Math.imul(docKey * 8 + salt, 2_654_435_761) >>> 0) >>> 8) % values.length]!
  const values = [
    `${pick(ADJECTIVES, 1)} ${pick(NOUNS, 2)} ${pick(ADJECTIVES, 3)} w${docKey % 97}`,
    docKey % 11 === 0 ? undefined : pick(BRANDS, 4),
    [pick(NOUNS, 5), pick(ADJECTIVES, 6)].slice(docKey % 3),
    docKey % 7 === 0 ? undefined : (docKey % 50) / 4,
    BigInt(docKey % 13) - 5n,
  ]
  return { docKey, id: `g${docKey}`, values: values.slice(0, schema.fields.length) }
}

const analyzer = createAnalyzer('en')

/**
 * Plans that exercise every part of an index of `GOODS`: words, typos, prefixes, filters, facets,
 * sorts.
 */
export function goodsPlans(): SearchPlan[] {
  const facets = [1, 2, 3, 4].map((field) => ({
    field,
    limit: 100,
    order: 'count' as const,
    stats: field >= 3,
  }))
  const texts = [
    '',
    'red shoe',
    'runing shoes',
    'heavy tab',
    'blue lamp w3',
    'nordfel',
    'tent rope',
  ]
  const plans = texts.map((text) =>
    planForTest(text, GOODS, analyzer, { typoMax: 2, prefix: 'always', size: 1_000, facets }),
  )
  const filter = {
    kind: 'range',
    field: 3,
    low: 2,
    highInclusive: false,
    lowInclusive: true,
  } as const
  return [
    ...plans,
    { ...plans[1]!, filter, disjunctiveFacets: true },
    { ...plans[0]!, filter: { kind: 'equals', field: 1, value: 'nordfell' } },
    { ...plans[2]!, filter: { kind: 'words', field: 2, forms: ['shoe'] } },
    { ...plans[0]!, filter: { kind: 'not', node: { kind: 'exists', field: 1 } } },
    { ...plans[1]!, sort: [{ kind: 'field', field: 4, descending: true, missing: 'last' }] },
    { ...plans[0]!, sort: [{ kind: 'field', field: 1, descending: false, missing: 'first' }] },
  ]
}

/** The outcomes of all `goodsPlans` on an index. */
export function goodsAnswers(snapshot: IndexSnapshot): SearchOutcome[] {
  const searcher = new Searcher(undefined, 0)
  searcher.update(structuredClone(snapshot))
  return goodsPlans().map((plan) => searcher.search(plan, () => undefined))
}
