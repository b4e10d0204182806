import { setImmediate as nextTurn } from 'node:timers/promises'
import { InsertionOrder } from '../../domain/documents/insertion-order.ts'
import type { DocumentScan, StoredDocument } from '../../ports/catalog/document-reader.ts'
import { LmdbDocumentScan } from './document-scan.ts'
import type { Environment } from './environment.ts'
import type { OnDamage } from './record.ts'

/** Bytes of rows that are read in one turn. */
const TURN_BYTES = 256 * 1024

/**
 * Scans the documents of a catalog in the order of their insertion. A document that was never
 * written again has its place in the file already; the others are found first, sorted, and put
 * between them.
 */
export class LmdbInsertionScan implements DocumentScan {
  readonly docCount: number
  readonly #open: (docKeys: Float64Array | undefined) => LmdbDocumentScan
  readonly #survey: LmdbDocumentScan
  readonly #walk: LmdbDocumentScan
  readonly #after: number
  /** Documents that were written again, by insertion; undefined until they are found. */
  #again: LmdbDocumentScan | undefined
  /** Documents that were never written again and are still to come. */
  #walkLeft = 0
  #fromWalk: StoredDocument[] = []
  #fromAgain: StoredDocument[] = []

  /** @param after only documents that were inserted later */
  constructor(environment: Environment, catalog: number, onDamage: OnDamage, after: number) {
    // One moment for all parts, whenever they are opened.
    const transaction = environment.root.useReadTransaction()
    this.#open = (docKeys) =>
      new LmdbDocumentScan(environment, catalog, docKeys, onDamage, -1, transaction)
    this.#survey = this.#open(undefined)
    this.#walk = this.#open(undefined)
    this.#after = after
    this.docCount = this.#survey.docCount
  }

  async next(bytesMax: number): Promise<readonly StoredDocument[]> {
    this.#again ??= await this.#findAgain()
    const page: StoredDocument[] = []
    for (let bytes = 0; bytes < bytesMax;) {
      const document = await this.#take()
      if (document === undefined) break
      bytes += document.json.length
      page.push(document)
    }
    return page
  }

  close(): void {
    this.#walk.close()
  }

  async #findAgain(): Promise<LmdbDocumentScan> {
    const order = new InsertionOrder()
    for (;;) {
      const page = this.#survey.next(TURN_BYTES)
      if (page.length === 0) break
      for (const { docKey, inserted } of page) {
        if ((inserted ?? docKey) <= this.#after) continue
        if (inserted === undefined) this.#walkLeft++
        else order.add(inserted, docKey)
      }
      await nextTurn()
    }
    return this.#open(await order.docKeys(nextTurn))
  }

  async #take(): Promise<StoredDocument | undefined> {
    while (this.#fromWalk.length === 0 && this.#walkLeft > 0) {
      const page = this.#walk.next(TURN_BYTES)
      this.#fromWalk = page
        .filter(({ inserted, docKey }) => inserted === undefined && docKey > this.#after)
        .toReversed()
      this.#walkLeft -= this.#fromWalk.length
      if (page.length === 0) this.#walkLeft = 0
      await nextTurn()
    }
    if (this.#fromAgain.length === 0) {
      this.#fromAgain = this.#again!.next(TURN_BYTES).toReversed()
    }
    const [first, later] = [this.#fromWalk.at(-1), this.#fromAgain.at(-1)]
    if (first === undefined) return this.#fromAgain.pop()
    if (later === undefined || first.docKey < later.inserted!) return this.#fromWalk.pop()
    return this.#fromAgain.pop()
  }
}
