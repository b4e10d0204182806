import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { demoCatalog } from '../../packages/server/src/demo/demo-catalog.ts'
import { findCatalog, unpackedFolder } from '../lib/data-folder.ts'
import type { CatalogTexts } from './catalog-with-typos.ts'

/**
 * A catalog by name, with misspellings that people make.
 *
 * @param data the folder of data sets; the demo shop needs none
 */
export function readTexts(name: string, data: string | undefined): CatalogTexts {
  if (name === 'demo') {
    const { schema, documents } = demoCatalog()
    return { schema, lines: documents.map(({ id, data }) => JSON.stringify({ id, ...data })) }
  }
  const folder = unpackedFolder(data)
  const { schemaFile, productsFile } = findCatalog(folder, name)
  const misspellings = join(folder, 'misspellings/homedepot_words.dev.tsv')
  return {
    schema: JSON.parse(readFileSync(schemaFile, 'utf8')),
    lines: readFileSync(productsFile, 'utf8').trim().split('\n'),
    misspellings: existsSync(misspellings) ? readFileSync(misspellings, 'utf8') : '',
  }
}
