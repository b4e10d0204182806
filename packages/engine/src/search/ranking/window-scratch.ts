import { WINDOW_SIZE } from '../../postings/postings-format.ts'

/** Scratch space of one thread for one window; all zero between uses. */
export class WindowScratch {
  readonly scores = new Int32Array(WINDOW_SIZE)
  readonly evidenceSums = new Float64Array(WINDOW_SIZE)
  readonly qualities = new Float64Array(WINDOW_SIZE)
  readonly slotTouched = new Uint16Array(WINDOW_SIZE)
  /** Postings of one list whose documents are in the set. */
  readonly hits = new Uint32Array(WINDOW_SIZE)
  /** Documents with a score; if slots follow, the documents of the set, each once. */
  touched = new Uint16Array(WINDOW_SIZE)
  /** The set: a bit per ranked document, later also per counted document. */
  seen = new Uint32Array(WINDOW_SIZE / 32)
  /** The documents that remain while the set is reduced. */
  keptTouched = new Uint16Array(WINDOW_SIZE)
  kept = new Uint32Array(WINDOW_SIZE / 32)

  /** Replaces the set by the kept documents. */
  takeKept(): void {
    const { seen, touched } = this
    this.seen = this.kept
    this.touched = this.keptTouched
    this.kept = seen.fill(0)
    this.keptTouched = touched
  }

  /** For a search that was interrupted inside a window. */
  clear(): void {
    this.scores.fill(0)
    this.evidenceSums.fill(0)
    this.qualities.fill(0)
    this.seen.fill(0)
    this.kept.fill(0)
  }
}
