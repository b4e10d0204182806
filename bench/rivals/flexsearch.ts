import { createRequire } from 'node:module'
import { join } from 'node:path'
import { textOf } from './library.ts'
import type { Library } from './library.ts'
import type { RivalSpec } from './rival.ts'

interface Index {
  add(id: number, text: string): void
  search(query: string, options: object): number[]
}

/** FlexSearch: one text per document, no BM25, no filters; counting requires all results. */
export function flexsearch(folder: string, { texts }: RivalSpec): Promise<Library> {
  const load = createRequire(join(folder, 'package.json'))
  const library = load('flexsearch') as { readonly Index: new (options: object) => Index }
  const index = new library.Index({ tokenize: 'strict' })
  return Promise.resolve({
    add: (document) => index.add(document.key, textOf(document, texts)),
    search: (query) =>
      index.search(query.q, { limit: 1e7, suggest: query.require_all_terms !== true }).length,
  })
}
