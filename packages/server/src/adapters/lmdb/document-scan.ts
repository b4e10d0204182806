import type { Transaction } from 'lmdb'
import type { DocumentScan, StoredDocument } from '../../ports/catalog/document-reader.ts'
import type { CatalogCounters } from '../../ports/catalog/document-store.ts'
import type { Environment } from './environment.ts'
import { catalogRange, docKeyOf, documentKey, numberKey } from './keys.ts'
import { DamagedRowError, mixBytes, mixNumbers, readDocumentRow, readJsonRow } from './record.ts'
import type { OnDamage } from './record.ts'

/**
 * Scans the documents of a catalog inside one read transaction. LMDB keeps every page that the
 * transaction can see, so writers continue without affecting the scan. The price is disk space:
 * pages freed meanwhile are reused only after `close`.
 */
export class LmdbDocumentScan implements DocumentScan {
  readonly docCount: number
  readonly #environment: Environment
  readonly #catalog: number
  readonly #docKeys: Float64Array | undefined
  readonly #onDamage: OnDamage
  readonly #transaction: Transaction
  /** The next docKey, or with `#docKeys`, the next index in them. */
  #next = 0
  #ended = false
  #closed = false

  constructor(
    environment: Environment,
    catalog: number,
    docKeys: Float64Array | undefined,
    onDamage: OnDamage,
    after = -1,
    transaction = environment.root.useReadTransaction(),
  ) {
    this.#environment = environment
    this.#catalog = catalog
    this.#docKeys = docKeys?.filter((docKey) => docKey > after)
    if (docKeys === undefined) this.#next = after + 1
    this.#onDamage = onDamage
    this.#transaction = transaction
    this.docCount = docKeys?.length ?? this.#liveCount()
  }

  next(bytesMax: number): readonly StoredDocument[] {
    // A page may consist of dead or damaged rows only, so an empty page is not the end.
    while (!this.#ended) {
      const page = this.#docKeys === undefined ? this.#walk(bytesMax) : this.#fetch(bytesMax)
      if (page.length > 0) return page
    }
    return []
  }

  close(): void {
    if (this.#closed) return
    this.#closed = true
    this.#ended = true
    this.#transaction.done()
  }

  #liveCount(): number {
    const key = numberKey(this.#catalog)
    const row = this.#environment.counters.get(key, { transaction: this.#transaction })
    return row === undefined ? 0 : (readJsonRow(row, mixBytes(key)) as CatalogCounters).docCount
  }

  #walk(bytesMax: number): StoredDocument[] {
    const { documents, tombstones } = this.#environment
    const transaction = this.#transaction
    const page: StoredDocument[] = []
    const first = this.#next
    let bytes = 0
    let last = first - 1
    const { end } = catalogRange(this.#catalog)
    const range = { start: documentKey(this.#catalog, first), end, transaction }
    this.#ended = true
    for (const { key, value } of documents.getRange(range)) {
      if (bytes >= bytesMax) {
        this.#ended = false
        break
      }
      last = docKeyOf(key)
      bytes += value.length
      const document = this.#read(last, value)
      if (document !== undefined) page.push(document)
    }
    this.#next = last + 1
    if (last < first) return page
    const buried = {
      start: documentKey(this.#catalog, first),
      end: documentKey(this.#catalog, last + 1),
      transaction,
    }
    const dead = new Set([...tombstones.getKeys(buried)].map(docKeyOf))
    return dead.size === 0 ? page : page.filter(({ docKey }) => !dead.has(docKey))
  }

  #fetch(bytesMax: number): StoredDocument[] {
    const docKeys = this.#docKeys!
    const page: StoredDocument[] = []
    let bytes = 0
    while (this.#next < docKeys.length && bytes < bytesMax) {
      const docKey = docKeys[this.#next++]!
      const row = this.#environment.documents.get(documentKey(this.#catalog, docKey), {
        transaction: this.#transaction,
      })
      bytes += row?.length ?? 0
      const document = row === undefined ? undefined : this.#read(docKey, row)
      if (document !== undefined) page.push(document)
    }
    this.#ended = this.#next === docKeys.length
    return page
  }

  #read(docKey: number, row: Buffer): StoredDocument | undefined {
    try {
      return { docKey, ...readDocumentRow(row, mixNumbers(this.#catalog, docKey)) }
    } catch (error) {
      if (!(error instanceof DamagedRowError)) throw error
      this.#onDamage(this.#catalog, `Damaged row (document ${docKey}, skipped): ${error.message}`)
      return undefined
    }
  }
}
