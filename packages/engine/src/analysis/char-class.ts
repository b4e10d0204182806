/**
 * What the tokenizer needs to know of a code point, looked up in one table. Classes are those of
 * folded text: case, width and diacritics are gone, every decimal digit is an ASCII one.
 */

/** Separates tokens. */
export const SEPARATOR = 1
/** Letters, marks, and numbers that are not decimal digits. */
export const LETTER = 2
/** 0 to 9. */
export const DIGIT = 3
/** Letters of scripts written without spaces: a dictionary finds their words. */
export const UNSPACED = 4

/** Flag: belongs to the character before it (marks, invisible format characters). */
const EXTENDER = 0x10
const CLASS_MASK = 0x0f

const WORD_CHAR = /[\p{L}\p{N}\p{M}]/u
const UNSPACED_SCRIPT =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]/u

/** Marks that distinguish no words for a searcher, and characters that nobody sees. */
export const DROPPED = new RegExp(
  '[' +
    '\\u0300-\\u036f\\u0483-\\u0489' + // Latin, Greek, Cyrillic
    '\\u0591-\\u05bd\\u05bf\\u05c1\\u05c2\\u05c4\\u05c5\\u05c7' + // Hebrew points
    '\\u0610-\\u061a\\u0640\\u064b-\\u065f\\u0670\\u06d6-\\u06dc\\u06df-\\u06e4\\u06e7\\u06e8' +
    '\\u06ea-\\u06ed\\u0897-\\u089f\\u08ca-\\u08ff' + // Arabic vowels, hamza, tatweel
    '\\u1ab0-\\u1aff\\u1dc0-\\u1dff\\u20d0-\\u20ff\\ufe20-\\ufe2f' + // more diacritics
    '\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}' + // variation selectors
    '\\p{Cf}' +
    ']',
  'u',
)
const MARK = /\p{M}/u
const ZERO_WIDTH_SPACE = 0x200b

/** By code point; 0 = not looked at yet. 1.1 MB of zero pages, of which a few are ever touched. */
const table = new Uint8Array(0x110000)

/** One of the four classes. */
export function charClass(codePoint: number): number {
  return (table[codePoint] || classify(codePoint)) & CLASS_MASK
}

/** True when folding must look at the code point together with the one before it. */
export function isExtender(codePoint: number): boolean {
  return ((table[codePoint] || classify(codePoint)) & EXTENDER) !== 0
}

function classify(codePoint: number): number {
  const char = String.fromCodePoint(codePoint)
  let value = SEPARATOR
  if (codePoint >= 0x30 && codePoint <= 0x39) value = DIGIT
  else if (WORD_CHAR.test(char)) value = UNSPACED_SCRIPT.test(char) ? UNSPACED : LETTER
  if (
    codePoint !== ZERO_WIDTH_SPACE &&
    (MARK.test(char) || DROPPED.test(char) || composesBackwards(codePoint))
  ) {
    value |= EXTENDER
  }
  table[codePoint] = value
  return value
}

/** Letters that NFC may fuse with the one before: Hangul vowels and finals, Kirat Rai vowels. */
function composesBackwards(codePoint: number): boolean {
  return (
    (codePoint >= 0x1161 && codePoint <= 0x11ff) ||
    (codePoint >= 0xd7b0 && codePoint <= 0xd7ff) ||
    (codePoint >= 0x16d63 && codePoint <= 0x16d6a)
  )
}
