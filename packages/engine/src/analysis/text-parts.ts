/** UTF-16 code units after which to look for a place to cut. */
export const PART_LENGTH = 16_384

const SPACE = 0x20
const LINE_FEED = 0x0a

/**
 * The end of the next part of a long text, such that the tokens of the parts are those of the
 * whole. Long texts are read part by part: between two, others have the thread, and the clock is
 * read.
 *
 * Cuts only where no token crosses: before a space between two ASCII letters (no number waits for
 * its unit, no run of connected words continues), before the end of a line, and before the full
 * stop or comma of Chinese and Japanese. A text without such a place is one part.
 */
export function partEnd(text: string, from: number): number {
  for (let at = from + PART_LENGTH; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === LINE_FEED || code === 0x3001 || code === 0x3002) return at
    if (code === SPACE && isLetter(text, at - 1) && isLetter(text, at + 1)) return at
  }
  return text.length
}

/** The parts of a text: one, unless it is long. */
export function* textParts(text: string): Generator<string, void> {
  for (let from = 0; from < text.length;) {
    const to = text.length - from <= PART_LENGTH ? text.length : partEnd(text, from)
    yield from === 0 && to === text.length ? text : text.slice(from, to)
    from = to
  }
}

function isLetter(text: string, at: number): boolean {
  return isLetterCode(text.charCodeAt(at))
}

/** Whether it is an ASCII letter. */
export function isLetterCode(code: number): boolean {
  const lower = code | 0x20
  return lower >= 0x61 && lower <= 0x7a
}
