/**
 * The locale is fixed, because settings of the machine must not change an answer. Created on first
 * use, to keep startup fast.
 */
let segmenter: Intl.Segmenter | undefined

/** Below U+0300 no character joins the previous one, except that CR LF is one. */
const JOINING_FROM = 0x300
const CARRIAGE_RETURN = 0x0d

/** Borders of the visible characters of a text (grapheme clusters, UAX 29). */
export class GraphemeBorders {
  readonly #text: string
  /** Created on the first query about anything but plain letters. */
  #segments: Intl.Segments | undefined

  constructor(text: string) {
    this.#text = text
  }

  /** The last border at or before an offset. */
  before(offset: number): number {
    return this.#isPlain(offset) ? offset : this.#around(offset).index
  }

  /** The first border at or after an offset. */
  behind(offset: number): number {
    if (this.#isPlain(offset)) return offset
    const { index, segment } = this.#around(offset)
    return index === offset ? offset : index + segment.length
  }

  #isPlain(offset: number): boolean {
    const text = this.#text
    if (offset <= 0 || offset >= text.length) return true
    return (
      text.charCodeAt(offset) < JOINING_FROM &&
      text.charCodeAt(offset - 1) < JOINING_FROM &&
      text.charCodeAt(offset - 1) !== CARRIAGE_RETURN
    )
  }

  #around(offset: number): Intl.SegmentData {
    segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
    this.#segments ??= segmenter.segment(this.#text)
    return this.#segments.containing(offset)!
  }
}
