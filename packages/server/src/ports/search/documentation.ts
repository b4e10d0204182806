import type { DocumentReader } from '../catalog/document-reader.ts'
import type { PageFiles } from '../host/page-files.ts'
import type { SearchBackend } from './search-backend.ts'

/** The built site of docs/. */
export interface Documentation {
  readonly pages: PageFiles
  /** Returns its sections as a store that no key opens. The first call indexes them. */
  catalog(): Promise<DocumentationCatalog>
}

/** The ports that a search of the sections needs; ids and keys of stores do not matter. */
export interface DocumentationCatalog {
  readonly backend: Pick<SearchBackend, 'view'>
  readonly reader: Pick<DocumentReader, 'fetch'>
}
