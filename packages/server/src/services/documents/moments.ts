import type { Awaitable } from '../../ports/awaitable.ts'
import type { DocumentScan, StoredDocument } from '../../ports/catalog/document-reader.ts'
import { storeNotFound } from '../open-view.ts'

/**
 * Walks through documents in a series of read transactions. An open one prevents the disk from
 * reusing pages, so each has a time limit, even for a slow or stalled reader; the next one
 * continues after the last docKey.
 */
export class Moments {
  /** When the walk began. */
  docCount = 0
  readonly #open: (after: number) => Awaitable<DocumentScan>
  readonly #maxMs: number
  #scan: DocumentScan | undefined
  #timer: NodeJS.Timeout | undefined
  #after = -1
  #isReading = false
  #isOver = false

  private constructor(maxMs: number, open: (after: number) => Awaitable<DocumentScan>) {
    this.#open = open
    this.#maxMs = maxMs
  }

  /** @param open starts a walk after a docKey */
  static async begin(
    maxMs: number,
    open: (after: number) => Awaitable<DocumentScan>,
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
    this.#after = page.at(-1)?.docKey ?? this.#after
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
    this.#timer = setTimeout(() => {
      if (this.#isReading) this.#isOver = true
      else this.close()
    }, this.#maxMs).unref()
    return scan
  }
}

/** @throws ApiError store_not_found */
export function existingScan(scan: DocumentScan | undefined): DocumentScan {
  if (scan === undefined) throw storeNotFound()
  return scan
}
