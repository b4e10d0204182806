/** UTF-16 code units after which to look for a place to cut. */
export const PART_LENGTH = 16_384

const SPACE = 0x20
const LINE_FEED = 0x0a

/**
 * The end of the next part of a long text, such that the tokens of the parts are those of the
 * whole. Long texts are read part by part, with a deadline check between two.
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

function isLetter(text: string, at: number): boolean {
  return isLetterCode(text.charCodeAt(at))
}

function isLetterCode(code: number): boolean {
  const lower = code | 0x20
  return lower >= 0x61 && lower <= 0x7a
}

const BACKSLASH = 0x5c
/** `\u00e9` */
const ESCAPE_LENGTH_MAX = 6

/**
 * The same for a stored text, in bytes of its JSON: only before a space between two ASCII letters
 * that are not part of an escape.
 *
 * @param end of the text
 */
export function partEndInJson(json: Uint8Array, from: number, end: number): number {
  for (let at = from + PART_LENGTH; at + 1 < end; at++) {
    if (json[at] !== SPACE || !isLetterCode(json[at - 1]!) || !isLetterCode(json[at + 1]!)) continue
    let escape = at - ESCAPE_LENGTH_MAX
    while (escape < at && json[escape] !== BACKSLASH) escape++
    if (escape === at) return at
  }
  return end
}
