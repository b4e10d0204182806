import { ApiError } from '@aisle/contract'
import type { DocumentScan, StoredDocument } from '../../ports/catalog/document-reader.ts'
import { LmdbDocumentScan } from './document-scan.ts'
import type { Environment } from './environment.ts'
import { LmdbInsertionScan } from './insertion-scan.ts'
import { DOCUMENT_KEY_BYTES, documentKey, idKey, writeDocumentKey } from './keys.ts'
import { DamagedRowError, mixBytes, mixNumbers, readDocumentRow, readNumberRow } from './record.ts'
import type { OnDamage } from './record.ts'

/**
 * Point reads of documents, verified by checksum. Used by the writer and, read-only, by every
 * serving thread. Synchronous, because the file is mapped.
 */
export class DocumentRows {
  readonly #environment: Environment
  readonly #onDamage: OnDamage
  /** A buffer for reads that end before the next one begins. */
  readonly #key = Buffer.alloc(DOCUMENT_KEY_BYTES)

  constructor(environment: Environment, onDamage: OnDamage) {
    this.#environment = environment
    this.#onDamage = onDamage
  }

  /** docKey of the live version of an id. */
  findKey(catalog: number, id: string): number | undefined {
    const key = idKey(catalog, id)
    const row = this.#environment.ids.getBinary(key)
    if (row === undefined) return undefined
    return this.#checked(catalog, 'id', () => readNumberRow(row, mixBytes(key)))
  }

  /** A version, live or dead, until it is purged. The bytes are a copy. */
  read(catalog: number, docKey: number): StoredDocument | undefined {
    const row = this.#environment.documents.getBinary(documentKey(catalog, docKey))
    if (row === undefined) return undefined
    return this.#checked(catalog, `document ${docKey}`, () => ({
      docKey,
      ...readDocumentRow(row, mixNumbers(catalog, docKey)),
    }))
  }

  /**
   * Reads without a copy, because a search reads ten hits at once: the bytes are valid until the
   * next document row is read.
   */
  peek(catalog: number, docKey: number): StoredDocument | undefined {
    const { documents } = this.#environment
    const row = documents.getBinaryFast(writeDocumentKey(this.#key, catalog, docKey))
    if (row === undefined) return undefined
    // The buffer is longer than the row, so the length of the row is a separate property.
    const bytes = Buffer.from(row.buffer, row.byteOffset, row.length)
    try {
      const { id, json } = readDocumentRow(bytes, mixNumbers(catalog, docKey))
      return { docKey, id, json }
    } catch (error) {
      return this.#refuseDamaged(catalog, `document ${docKey}`, error)
    }
  }

  /** See ports/catalog/document-reader.ts. */
  scan(catalog: number, docKeys: Float64Array | undefined, after?: number): DocumentScan {
    return new LmdbDocumentScan(this.#environment, catalog, docKeys, this.#onDamage, after)
  }

  /** See ports/catalog/document-reader.ts. */
  scanInserted(catalog: number, after: number): DocumentScan {
    return new LmdbInsertionScan(this.#environment, catalog, this.#onDamage, after)
  }

  /** Turns damage into an honest error: the data exists, but cannot be trusted. */
  #checked<T>(catalog: number, what: string, read: () => T): T {
    try {
      return read()
    } catch (error) {
      return this.#refuseDamaged(catalog, what, error)
    }
  }

  #refuseDamaged(catalog: number, what: string, error: unknown): never {
    if (!(error instanceof DamagedRowError)) throw error
    this.#onDamage(catalog, `Damaged row (${what}, catalog ${catalog}): ${error.message}`)
    throw new ApiError('unavailable', 'Cannot read a document: it is damaged on disk', {
      cause: error,
      retryAfterSeconds: 60,
    })
  }
}
