import type {
  DocumentReader,
  DocumentScan,
  FetchedDocuments,
  StoredDocument,
  WalkPlace,
} from '../../ports/catalog/document-reader.ts'
import type { DocumentRows } from './rows.ts'

/** The part of a thread's copy of the registry that the reader needs. */
export interface CatalogLookup {
  /** Applies everything acknowledged so far, then returns the catalog of a store. */
  catalogOf(storeId: string): number | undefined
  /** The same without applying anything, as the current search sees it. */
  knownCatalogOf(storeId: string, content?: string): number | undefined
}

/** Documents for a serving thread, from its own read-only view of the file. */
export class LmdbDocumentReader implements DocumentReader {
  readonly #rows: DocumentRows
  readonly #lookup: CatalogLookup

  constructor(rows: DocumentRows, lookup: CatalogLookup) {
    this.#rows = rows
    this.#lookup = lookup
  }

  get(storeId: string, id: string): StoredDocument | undefined {
    const catalog = this.#lookup.catalogOf(storeId)
    if (catalog === undefined) return undefined
    const docKey = this.#rows.findKey(catalog, id)
    return docKey === undefined ? undefined : this.#rows.read(catalog, docKey)
  }

  fetch(storeId: string, _docKeys: readonly number[], content?: string): FetchedDocuments {
    const catalog = this.#lookup.knownCatalogOf(storeId, content)
    // The file is mapped, so a document is only read when it is shown.
    return (docKey) => (catalog === undefined ? undefined : this.#rows.peek(catalog, docKey))
  }

  scan(storeId: string, docKeys?: Float64Array, after?: number): DocumentScan | undefined {
    // The keys come from the known state; applying more could switch the catalog under them.
    const catalog =
      docKeys === undefined ? this.#lookup.catalogOf(storeId) : this.#lookup.knownCatalogOf(storeId)
    return catalog === undefined ? undefined : this.#rows.scan(catalog, docKeys, after)
  }

  scanInserted(storeId: string, after?: WalkPlace): DocumentScan | undefined {
    const catalog = this.#lookup.catalogOf(storeId)
    const inserted = after === undefined ? -1 : (after.inserted ?? after.docKey)
    return catalog === undefined ? undefined : this.#rows.scanInserted(catalog, inserted)
  }
}
