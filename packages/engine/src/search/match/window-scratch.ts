import { WINDOW_SIZE } from '../../postings/postings-format.ts'

/**
 * Scratch memory for one window of 65,536 documents. All zero between windows, where a search may
 * wait, so one per thread is enough.
 */
class WindowScratch {
  /** The documents of the window to work on: one bit each, and a list without repetitions. */
  readonly seen = new Uint32Array(WINDOW_SIZE / 32)
  readonly touched = new Uint16Array(WINDOW_SIZE)
  /** By document: points and flags, see `score-kernels.ts`. */
  readonly scores = new Int32Array(WINDOW_SIZE)
  /** By document: the evidence of one slot, and the best quality. */
  readonly evidenceSums = new Float64Array(WINDOW_SIZE)
  readonly qualities = new Float64Array(WINDOW_SIZE)
  /** The documents with evidence. */
  readonly slotTouched = new Uint16Array(WINDOW_SIZE)
  /** Postings of one list whose documents are among those to work on. */
  readonly hits = new Uint32Array(WINDOW_SIZE)
  /** Their documents. */
  readonly hitIds = new Uint16Array(WINDOW_SIZE)
  /** Some of the documents, like `touched` and `seen`. */
  readonly rest = new Uint16Array(WINDOW_SIZE)
  readonly inRest = new Uint32Array(WINDOW_SIZE / 32)
  /** The result: docOrds of the segment, and their text match scores. */
  readonly docs = new Uint32Array(WINDOW_SIZE + LISTED_BEYOND)
  readonly points = new Float64Array(WINDOW_SIZE)

  /** Removes the first `count` documents. */
  forget(count: number): void {
    const { seen, touched } = this
    if (count > FORGOTTEN_ONE_BY_ONE) seen.fill(0)
    else for (let i = 0; i < count; i++) seen[touched[i]! >>> 5] = 0
  }

  /** Cleans up after a search that was interrupted inside a window. */
  clear(): void {
    this.scores.fill(0)
    this.evidenceSums.fill(0)
    this.qualities.fill(0)
    this.seen.fill(0)
    this.inRest.fill(0)
  }
}

/** Entries that `listBits` may write after the last. */
const LISTED_BEYOND = 3
/** With more documents, clearing all is faster than clearing theirs. */
const FORGOTTEN_ONE_BY_ONE = 64

export const scratch = new WindowScratch()
