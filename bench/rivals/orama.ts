import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { editsOf } from './library.ts'
import type { Library, RivalDocument } from './library.ts'
import type { RivalSpec } from './rival.ts'

interface Orama {
  create(options: object): unknown
  insert(database: unknown, document: object): Promise<string> | string
  search(database: unknown, parameters: object): Promise<{ readonly count: number }>
}

/** Orama: it has filters, facets and sorting. Every word is a prefix unless `exact`. */
export async function orama(folder: string, { texts, facets }: RivalSpec): Promise<Library> {
  const resolve = createRequire(join(folder, 'package.json')).resolve
  const library = (await import(pathToFileURL(resolve('@orama/orama')).href)) as Orama
  const database = library.create({
    schema: {
      ...Object.fromEntries(texts.map((name) => [name, 'string'])),
      ...Object.fromEntries(facets.map((name) => [name, name === 'colors' ? 'enum[]' : 'enum'])),
      price: 'number',
    },
    components: { tokenizer: { stemming: true, language: 'english' } },
  })
  return {
    async add(document: RivalDocument): Promise<void> {
      const names = [...texts, ...facets, 'price']
      const entries = names.map((name) => [name, document[name]] as const)
      await library.insert(
        database,
        Object.fromEntries(entries.filter(([, value]) => value !== undefined)),
      )
    },
    async search(query): Promise<number> {
      const range = query.filters?.price
      const { count } = await library.search(database, {
        term: query.q === '*' ? '' : query.q,
        properties: texts,
        limit: 10,
        // 1: documents with any of the words, 0: those with all.
        threshold: query.require_all_terms === true ? 0 : 1,
        exact: query.prefix_mode === 'off' && (query.typo_max ?? 0) === 0,
        ...((query.typo_max ?? 0) > 0
          ? { tolerance: Math.max(...query.q.split(' ').map(editsOf)) }
          : {}),
        ...(range === undefined ? {} : { where: { price: { between: [range.gte, range.lte] } } }),
        ...(query.sort_by === undefined ? {} : { sortBy: { property: 'price', order: 'ASC' } }),
        ...(query.facet_by === undefined
          ? {}
          : { facets: Object.fromEntries(query.facet_by.map((name) => [name, { limit: 100 }])) }),
      })
      return count
    },
  }
}
