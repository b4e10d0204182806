import { WINDOW_SIZE } from '../postings/postings-format.ts'

/** Scratch space of one thread for one window; all zero between uses. */
export class WindowScratch {
  readonly scores = new Int32Array(WINDOW_SIZE)
  readonly touched = new Uint16Array(WINDOW_SIZE)
  readonly evidenceSums = new Float64Array(WINDOW_SIZE)
  readonly qualities = new Float64Array(WINDOW_SIZE)
  readonly slotTouched = new Uint16Array(WINDOW_SIZE)

  /** After a search that was broken off inside a window. */
  clear(): void {
    this.scores.fill(0)
    this.evidenceSums.fill(0)
    this.qualities.fill(0)
  }
}
