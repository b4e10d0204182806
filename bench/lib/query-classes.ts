import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { rareQueries } from './rare-words.ts'

/** A search as a client sends it: the parameters of `POST /v1/search`. */
export interface BenchQuery {
  readonly q: string
  readonly prefix_mode?: 'off' | 'always'
  readonly infix_mode?: 'always'
  readonly typo_max?: number
  readonly require_all_terms?: boolean
  readonly filters?: { readonly price: { readonly gte: number; readonly lte: number } }
  readonly facet_by?: readonly string[]
  readonly sort_by?: string
}

export interface QueryClass {
  readonly name: QueryClassName
  readonly title: string
  readonly queries: readonly BenchQuery[]
}

/** A query class, and its goals on 1M documents, p50 (and p99) in milliseconds, one core. */
export interface ClassGoal {
  readonly title: string
  readonly must?: readonly [p50: number, p99?: number]
}

export const QUERY_CLASSES = {
  two_terms: {
    title: '2 terms, OR',
    must: [0.2, 3],
  },
  three_terms: { title: '3 terms, OR', must: [0.5, 6] },
  two_terms_and: { title: '2 terms, AND', must: [0.1, 2] },
  two_terms_filter_facets: {
    title: '2 terms, OR, price range, 3 facets',
    must: [0.5, 8],
  },
  two_terms_by_price: { title: '2 terms, OR, sorted by price', must: [0.25, 4] },
  term_prefix: {
    title: 'term and 4-letter prefix',
    must: [0.6, 5],
  },
  letters: { title: '1 to 3 letters, as typed' },
  misspelt: {
    title: 'one misspelt word',
    must: [1.5, 6],
  },
  infix: { title: '4 letters inside of a word', must: [5, 5] },
  rare_terms: { title: '2 terms that few documents have, OR', must: [0.03] },
  browse: { title: '*, 3 facets', must: [3] },
  browse_range: { title: '*, price range, 3 facets', must: [4] },
  two_terms_default: { title: '2 terms, every default of the service' },
  mix: { title: 'real queries of 2 to 4 words, every default' },
} as const satisfies Record<string, ClassGoal>

export type QueryClassName = keyof typeof QUERY_CLASSES
export const QUERY_CLASS_NAMES = Object.keys(QUERY_CLASSES) as QueryClassName[]

/** Texts of the query lists. */
export interface QueryLists {
  readonly rareTerms: readonly string[]
  readonly twoTerms: readonly string[]
  readonly threeTerms: readonly string[]
  readonly termPrefix: readonly string[]
  readonly misspelt: readonly string[]
  readonly ranges: readonly { readonly q: string; readonly gte: number; readonly lte: number }[]
  /** Distinct real queries of 2-4 words. */
  readonly mix: readonly string[]
}

/**
 * Reads the query lists that the rivals were measured with.
 * @param folder `bench-queries` of the data sets
 */
export function readQueryLists(folder: string): QueryLists {
  const read = <Item>(name: string): Item[] =>
    JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as Item[]
  const texts = (name: string): string[] => read<{ q: string }>(name).map(({ q }) => q)
  return {
    rareTerms: rareQueries(),
    twoTerms: texts('two_terms'),
    threeTerms: texts('three_terms'),
    termPrefix: texts('term_prefix'),
    misspelt: texts('misspelt'),
    ranges: read<{ q: string; price_gte: number; price_lte: number }>(
      'two_terms_filter_facets',
    ).map(({ q, price_gte: gte, price_lte: lte }) => ({ q, gte, lte })),
    mix: read<string>('mix'),
  }
}

/** @param only names of the classes to run; empty: all */
export function queryClasses(lists: QueryLists, only: readonly string[] = []): QueryClass[] {
  for (const name of only) {
    if (!Object.hasOwn(QUERY_CLASSES, name)) {
      throw new Error(`Unknown class "${name}": expected ${QUERY_CLASS_NAMES.join(', ')}`)
    }
  }
  return QUERY_CLASS_NAMES.filter((name) => only.length === 0 || only.includes(name)).map(
    (name) => ({
      name,
      title: QUERY_CLASSES[name].title,
      queries: queriesOf(name, lists),
    }),
  )
}

export const BENCH_FACETS = ['brand', 'category', 'colors']
/** From thousands of queries, as many as the other classes have. */
const MIX_STEP = 10
const PLAIN = { prefix_mode: 'off', typo_max: 0 } as const

function queriesOf(name: QueryClassName, lists: QueryLists): BenchQuery[] {
  const range = ({ gte, lte }: { gte: number; lte: number }): BenchQuery['filters'] & object => ({
    price: { gte, lte },
  })
  switch (name) {
    case 'rare_terms':
      return lists.rareTerms.map((q) => ({ q, ...PLAIN }))
    case 'two_terms':
      return lists.twoTerms.map((q) => ({ q, ...PLAIN }))
    case 'three_terms':
      return lists.threeTerms.map((q) => ({ q, ...PLAIN }))
    case 'two_terms_and':
      return lists.twoTerms.map((q) => ({ q, ...PLAIN, require_all_terms: true }))
    case 'two_terms_filter_facets':
      return lists.ranges.map((item) => ({
        q: item.q,
        ...PLAIN,
        filters: range(item),
        facet_by: BENCH_FACETS,
      }))
    case 'two_terms_by_price':
      return lists.twoTerms.map((q) => ({ q, ...PLAIN, sort_by: 'price:asc' }))
    case 'term_prefix':
      return lists.termPrefix.map((q) => ({ q, prefix_mode: 'always', typo_max: 0 }))
    case 'letters':
      return lists.twoTerms
        .slice(0, 100)
        .flatMap((q) => [1, 2, 3].map((length) => ({ q: q.slice(0, length).trim() })))
    case 'misspelt':
      return lists.misspelt.map((q) => ({ q, prefix_mode: 'off', typo_max: 2 }))
    case 'infix':
      return lists.twoTerms.map((q) => ({ q: insideOf(q), ...PLAIN, infix_mode: 'always' }))
    case 'browse':
      return [{ q: '*', facet_by: BENCH_FACETS }]
    case 'browse_range':
      return lists.ranges.map((item) => ({
        q: '*',
        filters: range(item),
        facet_by: BENCH_FACETS,
      }))
    case 'two_terms_default':
      return lists.twoTerms.map((q) => ({ q }))
    case 'mix':
      return lists.mix.filter((_, at) => at % MIX_STEP === 0).map((q) => ({ q }))
  }
}

/** Four letters of the longest word, without its first. */
function insideOf(q: string): string {
  const [longest] = q.split(' ').toSorted((a, b) => b.length - a.length)
  return longest!.slice(1, 5)
}
