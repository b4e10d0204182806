import type { DocumentReader } from '../catalog/document-reader.ts'
import type { PageFiles } from '../host/page-files.ts'
import type { SearchBackend } from './search-backend.ts'

/** The site of docs/, as it was built. */
export interface Documentation {
  readonly pages: PageFiles
  /** Its sections as a store that no key opens. The first call indexes them. */
  catalog(): Promise<DocumentationCatalog>
}

/** What a search of the sections needs; ids and keys of stores mean nothing to it. */
export interface DocumentationCatalog {
  readonly backend: Pick<SearchBackend, 'view'>
  readonly reader: Pick<DocumentReader, 'fetch'>
}
