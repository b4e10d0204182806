import type { Token } from '../analysis/analyzer.ts'
import { isExtender } from '../analysis/char-class.ts'
import { fold } from '../analysis/fold.ts'

/** A part of a text, in UTF-16 offsets. */
export interface Range {
  readonly start: number
  readonly end: number
}

/**
 * The range in the original text of a part of a token's form. Folds the text character by
 * character, marks with their base, and aligns it with the form; skips what the form omits (the
 * hyphen in T-shirt, the comma in 1,000). Includes a character completely if the part begins or
 * ends within it (ß is "ss"). If form and text cannot be aligned (a unit in its canonical
 * spelling), returns the whole token.
 *
 * @param from offsets into `token.form`, from < to
 */
export function originalRange(
  text: string,
  token: Pick<Token, 'form' | 'start' | 'end'>,
  from: number,
  to: number,
): Range {
  const { form } = token
  if (from === 0 && to === form.length) return token
  let start = -1
  let spelled = 0
  let i = token.start
  while (i < token.end) {
    const characterStart = i
    i = nextCharacter(text, i, token.end)
    let piece = foldedCharacter(text, characterStart, i)
    if (!form.startsWith(piece, spelled)) {
      piece = piece.replaceAll(CONNECTORS, '')
      if (!form.startsWith(piece, spelled)) return token
    }
    spelled += piece.length
    if (start < 0 && spelled > from) start = characterStart
    if (spelled >= to) return { start, end: i }
  }
  return token
}

/** Characters that a joined spelling omits. */
const CONNECTORS = /[^\p{L}\p{N}\p{M}]/gu

function foldedCharacter(text: string, from: number, to: number): string {
  const code = text.charCodeAt(from)
  if (to - from > 1 || code >= 0x80) return fold(text.slice(from, to))
  return code >= 0x41 && code <= 0x5a ? String.fromCharCode(code + 32) : text[from]!
}

function nextCharacter(text: string, from: number, end: number): number {
  let i = from + width(text, from)
  while (i < end && text.charCodeAt(i) >= 0x80 && isExtender(text.codePointAt(i)!)) {
    i += width(text, i)
  }
  return i
}

function width(text: string, at: number): number {
  return text.codePointAt(at)! > 0xffff ? 2 : 1
}
