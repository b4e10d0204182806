import { charClass, DIGIT, LETTER, SEPARATOR } from './char-class.ts'
import { isHangul } from './hangul.ts'
import { FORM_LENGTH_MAX, JOINED_PARTS_MAX } from './token-writer.ts'

/**
 * Lookahead of the tokenizer in folded text. Every function reads a bounded number of characters,
 * so that reading a text takes linear time.
 */

export const SPACE = 0x20
export const QUOTE = 0x22
const AMPERSAND = 0x26
export const APOSTROPHE = 0x27
const PLUS = 0x2b
export const COMMA = 0x2c
export const HYPHEN = 0x2d
export const POINT = 0x2e
export const SLASH = 0x2f
const ZERO = 0x30
const UNDERSCORE = 0x5f
export const LOWER_A = 0x61
export const LOWER_S = 0x73
export const LOWER_X = 0x78
export const LOWER_Z = 0x7a

/** Whether the code unit keeps a run together between two letters or digits: `'-/._&+`. */
export function isConnector(code: number): boolean {
  return (
    code === HYPHEN ||
    code === POINT ||
    code === SLASH ||
    code === APOSTROPHE ||
    code === AMPERSAND ||
    code === UNDERSCORE ||
    code === PLUS
  )
}

/** 1,000,000,000,000,000,000 is the longest number that loses its commas. */
const THOUSANDS_GROUPS_MAX = 6

/**
 * The end of a word that begins with a digit and alternates between digits and letters too often
 * for a measure (a hash, a long part number), at most `FORM_LENGTH_MAX` units on; 0 for other
 * words.
 */
export function endOfLongMixture(text: string, from: number): number {
  let parts = 0
  let last = SEPARATOR
  let i = from
  while (isWordAt(text, i)) {
    if (i - from >= FORM_LENGTH_MAX - 1) return parts > 1 ? i : 0
    const kind = classAt(text, i)
    if (kind !== last) parts++
    last = kind
    i += widthAt(text, i)
  }
  return parts > JOINED_PARTS_MAX ? i : 0
}

export function digitsEnd(text: string, from: number): number {
  let i = from
  while (i - from < FORM_LENGTH_MAX && isDigitAt(text, i)) i++
  return i
}

/**
 * The end of 1,000 or 1,000,000, given the end `to` of its first digits; `to` if there are no
 * groups.
 *
 * @param separator COMMA, or POINT where the comma is decimal
 */
export function thousandsEnd(text: string, from: number, to: number, separator = COMMA): number {
  if (to - from > 3 || (from > 0 && text.charCodeAt(from - 1) === separator)) return to
  // 0.125 is an eighth in any locale.
  if (separator === POINT && text.charCodeAt(from) === ZERO) return to
  let end = to
  for (let groups = 0; text.charCodeAt(end) === separator; groups++) {
    const group = end + 1
    if (digitsEnd(text, group) !== group + 3 || groups === THOUSANDS_GROUPS_MAX) return to
    end = group + 3
  }
  return end
}

/**
 * The end of the number with its decimals or its denominator; `whole` if it has none. A number that
 * continues has neither: 1.2.3, 1/2/3, 1/2.5; but 2.5/3.5 are two numbers with decimals.
 *
 * @param mayBeFraction whether a bar may belong to it
 */
export function fractionEnd(
  text: string,
  to: number,
  whole: number,
  mayBeFraction: boolean,
): number {
  const mark = text.charCodeAt(whole)
  const bar = mark === SLASH && whole === to && mayBeFraction
  if (!(bar || mark === POINT) || !isDigitAt(text, whole + 1)) return whole
  const end = digitsEnd(text, whole + 1)
  const next = text.charCodeAt(end)
  const more = (next === POINT || (next === SLASH && bar)) && isDigitAt(text, end + 1)
  return more || isDigitAt(text, end) ? whole : end
}

/** `m`, `st`, and the digits of a diameter. */
const THREAD_LETTERS_MAX = 2
const THREAD_DIGITS_MAX = 3

/**
 * The end of the `m8` of m8x40, m8x40mm or m10x1.5: letters and a diameter before the x of
 * dimensions; 0 for other words. Part numbers alternate further between letters and digits.
 *
 * @param firstDigit of the word `from` .. `to`
 */
export function endOfThread(text: string, from: number, firstDigit: number, to: number): number {
  const end = digitsEnd(text, firstDigit)
  if (firstDigit - from > THREAD_LETTERS_MAX || end - firstDigit > THREAD_DIGITS_MAX) return 0
  let i = end
  while (text.charCodeAt(i) === LOWER_X && isDigitAt(text, i + 1)) i = digitsEnd(text, i + 1)
  if (i === end) return 0
  while (i < to && !isDigitAt(text, i)) i++
  return i === to ? end : 0
}

/**
 * The end of 2,5 where the comma is decimal, given the end `whole` of the integer part; `whole` if
 * there are no decimals, or in a list (1,2,3).
 */
export function decimalCommaEnd(text: string, from: number, whole: number): number {
  if (text.charCodeAt(whole) !== COMMA || text.charCodeAt(from - 1) === COMMA) return whole
  const end = digitsEnd(text, whole + 1)
  if (end === whole + 1 || isDigitAt(text, end)) return whole
  const next = text.charCodeAt(end)
  return (next === COMMA || next === POINT) && isDigitAt(text, end + 1) ? whole : end
}

/**
 * Whether a Korean word begins or ends between two letters or digits: LG그램, S24케이스, 갤럭시S24. As
 * elsewhere, digits after letters belong to their word (아이폰15).
 */
export function isKoreanBorder(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  const before = text.charCodeAt(at - 1)
  if ((code < ASCII_END && before < ASCII_END) || isDigitAt(text, at)) return false
  return isHangul(code) !== isHangul(before)
}

const ASCII_END = 0x80

function isDigitAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code >= 0x30 && code <= 0x39
}

export function isWordAt(text: string, at: number): boolean {
  const kind = classAt(text, at)
  return kind === LETTER || kind === DIGIT
}

export function classAt(text: string, at: number): number {
  return at < text.length ? charClass(text.codePointAt(at)!) : SEPARATOR
}

export function widthAt(text: string, at: number): number {
  return text.codePointAt(at)! > 0xffff ? 2 : 1
}
