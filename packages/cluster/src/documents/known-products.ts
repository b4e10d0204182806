import type { StoredDocument } from '@aisle/server/ports'

/** Bytes of documents in the cache. */
const KEPT_BYTES_MAX = 32_000_000
/** Overhead of a document besides its bytes. */
const DOCUMENT_BYTES = 200

/**
 * The documents that this node has seen last. A search returns its hits with their documents, and
 * showing them fetches them from here, including those that another write has replaced since. The
 * cache is keyed by content, which two stores may exchange.
 */
export class KnownProducts {
  readonly #documents = new Map<string, StoredDocument>()
  #bytes = 0

  add(content: string, document: StoredDocument): void {
    const key = keyOf(content, document.docKey)
    this.#remove(key)
    this.#documents.set(key, document)
    this.#bytes += sizeOf(document)
    for (const oldest of this.#documents.keys()) {
      if (this.#bytes <= KEPT_BYTES_MAX) return
      this.#remove(oldest)
    }
  }

  get(content: string, docKey: number): StoredDocument | undefined {
    return this.#documents.get(keyOf(content, docKey))
  }

  /** Whether a document is cached; also marks it as used. */
  use(content: string, docKey: number): boolean {
    const document = this.get(content, docKey)
    if (document !== undefined) this.add(content, document)
    return document !== undefined
  }

  #remove(key: string): void {
    const document = this.#documents.get(key)
    if (document === undefined) return
    this.#documents.delete(key)
    this.#bytes -= sizeOf(document)
  }
}

function keyOf(content: string, docKey: number): string {
  return `${content}:${docKey}`
}

function sizeOf({ json, id }: StoredDocument): number {
  return DOCUMENT_BYTES + json.length + id.length
}
