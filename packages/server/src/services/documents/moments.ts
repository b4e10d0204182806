import type { Awaitable } from '../../ports/awaitable.ts'
import type {
  DocumentScan,
  StoredDocument,
  WalkPlace,
} from '../../ports/catalog/document-reader.ts'
import { storeNotFound } from '../open-view.ts'

/**
 * Walks through documents in a series of read transactions. An open one prevents the disk from
 * reusing pages, so each has a time limit, even for a slow or stalled reader; the next one
 * continues after the last document.
 */
export class Moments {
  /** When the walk began. */
  docCount = 0
  readonly #open: (after: WalkPlace | undefined) => Awaitable<DocumentScan>
  readonly #maxMs: number
  #scan: DocumentScan | undefined
  #timer: NodeJS.Timeout | undefined
  #after: WalkPlace | undefined
  #isReading = false
  #isOver = false
  /** The next page is the first one of this moment. */
  #isFirst = true

  private constructor(
    maxMs: number,
    open: (after: WalkPlace | undefined) => Awaitable<DocumentScan>,
  ) {
    this.#open = open
    this.#maxMs = maxMs
  }

  /** @param open starts a walk after a document */
  static async begin(
    maxMs: number,
    open: (after: WalkPlace | undefined) => Awaitable<DocumentScan>,
  ): Promise<Moments> {
    const moments = new Moments(maxMs, open)
    moments.docCount = (await moments.#begin()).docCount
    return moments
  }

  async next(bytesMax: number): Promise<readonly StoredDocument[]> {
    const scan = this.#scan ?? (await this.#begin())
    this.#isReading = true
    const page = await scan.next(bytesMax)
    this.#isReading = false
    if (this.#isFirst) {
      // A walk may have prepared for long: a moment that is over by now would do so for every page.
      this.#isOver = false
      this.#timer?.refresh()
      this.#isFirst = false
    }
    this.#after = placeOf(page.at(-1)) ?? this.#after
    if (this.#isOver) this.close()
    return page
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#scan?.close()
    this.#scan = undefined
  }

  async #begin(): Promise<DocumentScan> {
    const scan = await this.#open(this.#after)
    this.#scan = scan
    this.#isOver = false
    this.#isFirst = true
    this.#timer = setTimeout(() => {
      if (this.#isReading) this.#isOver = true
      else this.close()
    }, this.#maxMs).unref()
    return scan
  }
}

/** Without the bytes of the document, which are valid for a while only. */
function placeOf(document: StoredDocument | undefined): WalkPlace | undefined {
  if (document === undefined) return undefined
  const { docKey, inserted } = document
  return inserted === undefined ? { docKey } : { docKey, inserted }
}

/** @throws ApiError store_not_found */
export function existingScan(scan: DocumentScan | undefined): DocumentScan {
  if (scan === undefined) throw storeNotFound()
  return scan
}
