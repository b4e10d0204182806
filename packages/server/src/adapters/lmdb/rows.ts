import { ApiError } from '@aisle/contract'
import type { DocumentScan, StoredDocument } from '../../ports/document-reader.ts'
import { LmdbDocumentScan } from './document-scan.ts'
import type { Environment } from './environment.ts'
import { documentKey, idKey } from './keys.ts'
import { DamagedRowError, mixBytes, mixNumbers, readDocumentRow, readNumberRow } from './record.ts'
import type { OnDamage } from './record.ts'

/**
 * Point reads of documents, verified by checksum. Used by the writer and, read-only, by every
 * serving thread. Synchronous, because the file is mapped.
 */
export class DocumentRows {
  readonly #environment: Environment
  readonly #onDamage: OnDamage

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
    return this.#checked(catalog, `document ${docKey}`, () => {
      const { id, json } = readDocumentRow(row, mixNumbers(catalog, docKey))
      return { docKey, id, json }
    })
  }

  /** See ports/document-reader.ts. */
  scan(catalog: number, docKeys: Float64Array | undefined, after?: number): DocumentScan {
    return new LmdbDocumentScan(this.#environment, catalog, docKeys, this.#onDamage, after)
  }

  /** Turns damage into an honest error: the data exists, but cannot be trusted. */
  #checked<T>(catalog: number, what: string, read: () => T): T {
    try {
      return read()
    } catch (error) {
      if (!(error instanceof DamagedRowError)) throw error
      this.#onDamage(catalog, `Damaged row (${what}, catalog ${catalog}): ${error.message}`)
      throw new ApiError('unavailable', 'Cannot read a document: its bytes on disk are damaged', {
        cause: error,
        retryAfterSeconds: 60,
      })
    }
  }
}
