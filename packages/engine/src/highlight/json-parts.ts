import { isLetterCode, PART_LENGTH } from '../analysis/text-parts.ts'

const SPACE = 0x20
const BACKSLASH = 0x5c
/** `\u00e9` */
const ESCAPE_LENGTH_MAX = 6

/**
 * `partEnd` for a stored text, in bytes of its JSON: only before a space between two ASCII letters
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
