import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { BenchQuery } from '../lib/query-classes.ts'
import { countValues, editsOf } from './library.ts'
import type { Library, RivalDocument } from './library.ts'
import type { RivalSpec } from './rival.ts'

interface Results extends Array<{ readonly id: number }> {}
interface Index {
  add(document: RivalDocument): void
  search(query: unknown, options: object): Results
}
type Constructor = (new (options: object) => Index) & { readonly wildcard: unknown }

/** MiniSearch: it returns all results; filter, facets and order are loops over them. */
export function minisearch(folder: string, { texts }: RivalSpec): Promise<Library> {
  const load = createRequire(join(folder, 'package.json'))
  const MiniSearch = load('minisearch') as Constructor
  const index = new MiniSearch({ fields: texts, idField: 'key' })
  const documents = new Map<number, RivalDocument>()

  return Promise.resolve({
    add(document): void {
      index.add(document)
      documents.set(document.key, document)
    },
    search(query): number {
      const range = query.filters?.price
      const price = (key: number): number => documents.get(key)?.price ?? 0
      const options = {
        ...optionsOf(query),
        ...(range === undefined
          ? {}
          : {
              filter: ({ id }: { id: number }) => price(id) >= range.gte && price(id) <= range.lte,
            }),
      }
      const results = index.search(query.q === '*' ? MiniSearch.wildcard : query.q, options)
      if (query.sort_by !== undefined) results.sort((a, b) => price(a.id) - price(b.id))
      if (query.facet_by !== undefined) {
        countValues(
          results.map(({ id }) => documents.get(id)!),
          query.facet_by,
        )
      }
      return results.length
    },
  })
}

function optionsOf(query: BenchQuery): object {
  return {
    combineWith: query.require_all_terms === true ? 'AND' : 'OR',
    prefix:
      query.prefix_mode === 'always' &&
      ((_: string, at: number, terms: readonly string[]) => at === terms.length - 1),
    fuzzy: (query.typo_max ?? 0) > 0 && ((term: string) => editsOf(term)),
  }
}
