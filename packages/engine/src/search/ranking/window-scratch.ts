import { WINDOW_SIZE } from '../../postings/postings-format.ts'

/** Scratch memory of one thread for one window; all zero between uses. */
export class WindowScratch {
  readonly scores = new Int32Array(WINDOW_SIZE)
  readonly evidenceSums = new Float64Array(WINDOW_SIZE)
  readonly qualities = new Float64Array(WINDOW_SIZE)
  readonly slotTouched = new Uint16Array(WINDOW_SIZE)
  /** Postings of one list whose documents are in the set. */
  readonly hits = new Uint32Array(WINDOW_SIZE)
  /** Their documents. */
  readonly hitIds = new Uint16Array(WINDOW_SIZE)
  /** Documents with a score; if slots follow, the distinct documents of the set. */
  readonly touched = new Uint16Array(WINDOW_SIZE)
  /** The set: one bit per ranked document. */
  readonly seen = new Uint32Array(WINDOW_SIZE / 32)
  /** A part of the set, and its documents. */
  readonly rest = new Uint16Array(WINDOW_SIZE)
  readonly inRest = new Uint32Array(WINDOW_SIZE / 32)

  /** Cleans up after a search that was interrupted inside a window. */
  clear(): void {
    this.scores.fill(0)
    this.evidenceSums.fill(0)
    this.qualities.fill(0)
    this.seen.fill(0)
    this.inRest.fill(0)
  }
}
