import type { Token } from '../analysis/analyzer.ts'
import { isExtender } from '../analysis/char-class.ts'
import { fold } from '../analysis/fold.ts'

/**
 * Where the typed beginning of a word ends in the original text. Characters are folded one by one,
 * marks with their base, until they spell the prefix. When no border between characters does (a
 * prefix that ends within ß, or before a vowel sign) the whole word counts.
 *
 * @param prefix a folded prefix of `token.form`
 */
export function prefixEnd(text: string, token: Token, prefix: string): number {
  if (prefix.length === token.form.length) return token.end
  let spelled = ''
  let i = token.start
  while (i < token.end && spelled.length < prefix.length) {
    const from = i
    i = nextCharacter(text, i, token.end)
    spelled +=
      i - from === 1 && text.charCodeAt(from) < 0x80
        ? text[from]!.toLowerCase()
        : fold(text.slice(from, i))
  }
  return spelled === prefix ? i : token.end
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
