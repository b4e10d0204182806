import type { DocumentScan, StoredDocument } from '../../ports/document-reader.ts'

/**
 * A walk through documents by a series of read transactions. While one is open, the disk cannot
 * reuse pages, so each has a time limit; the next one continues after the last docKey. A slow or
 * stalled reader holds none for longer.
 */
export class Moments {
  readonly docCount: number
  readonly #open: (after: number) => DocumentScan
  readonly #maxMs: number
  #scan: DocumentScan | undefined
  #timer: NodeJS.Timeout | undefined
  #after = -1

  /** @param open starts a walk after a docKey */
  constructor(maxMs: number, open: (after: number) => DocumentScan) {
    this.#open = open
    this.#maxMs = maxMs
    this.docCount = this.#begin().docCount
  }

  next(bytesMax: number): readonly StoredDocument[] {
    const page = (this.#scan ?? this.#begin()).next(bytesMax)
    this.#after = page.at(-1)?.docKey ?? this.#after
    return page
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#scan?.close()
    this.#scan = undefined
  }

  #begin(): DocumentScan {
    const scan = this.#open(this.#after)
    this.#scan = scan
    this.#timer = setTimeout(() => this.close(), this.#maxMs).unref()
    return scan
  }
}
