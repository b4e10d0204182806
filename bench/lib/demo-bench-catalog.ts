import { SeededRandom } from '@aisle/testing'
import { demoCatalog } from '../../packages/server/src/demo/demo-catalog.ts'
import { SCALE_FIELDS, type BenchCatalog } from './bench-catalog.ts'
import type { QueryLists } from './query-classes.ts'

/**
 * The demo shop in the form of the scaled catalogs, with queries from its own titles: for tests,
 * and for machines without data sets. Too small for meaningful figures.
 */
export function demoBenchCatalog(limit = Infinity): BenchCatalog {
  const lines = demoCatalog()
    .documents.slice(0, limit)
    .map(({ id, data }) =>
      JSON.stringify({
        id,
        name: data.title,
        description: data.description,
        brand: data.brand,
        category: data.categories.at(-1),
        department: data.categories[0],
        colors: [data.color],
        price: data.price,
        list_price: data.list_price,
        rating: data.rating,
        rating_count: data.rating_count,
        in_stock: data.in_stock,
        created_at: data.created_at,
      }),
    )
  return {
    name: 'demo shop',
    docCount: lines.length,
    fields: SCALE_FIELDS,
    async *lines() {
      yield* lines
    },
  }
}

/** @param count queries per list */
export function demoQueryLists(count = 50): QueryLists {
  const random = new SeededRandom(11)
  const { documents } = demoCatalog()
  const wordsOf = (): string[] =>
    random
      .pick(documents)
      .data.title.toLowerCase()
      .match(/[a-z]{4,}/g) ?? []
  const queries = (words: number): string[] => {
    const found = new Set<string>()
    while (found.size < count) {
      const picked = random.several(wordsOf(), words)
      if (picked.length === words) found.add(picked.join(' '))
    }
    return [...found]
  }
  const twoTerms = queries(2)
  return {
    rareTerms: queries(2),
    twoTerms,
    threeTerms: queries(3),
    termPrefix: twoTerms.map((q) => q.slice(0, q.indexOf(' ') + 5)),
    misspelt: queries(1).map((word) => word.slice(0, 2) + word.slice(3)),
    ranges: twoTerms.map((q) => {
      const gte = 10 + random.below(100)
      return { q, gte, lte: gte * 3 }
    }),
    mix: queries(2),
  }
}
