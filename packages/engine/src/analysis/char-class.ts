/**
 * The properties of code points that the tokenizer needs, in one table. Classes apply to folded
 * text: case, width and diacritics are gone, every decimal digit is an ASCII one.
 */

/** Separates tokens. */
export const SEPARATOR = 1
/** Letters, marks, and numbers that are not decimal digits. */
export const LETTER = 2
/** 0 to 9. */
export const DIGIT = 3
/** Letters of scripts without spaces: a dictionary finds their words. */
export const UNSPACED = 4
/** Emoji (`emoji.ts`): each is one word. */
export const EMOJI = 5

/** Flag: belongs to the character before it (marks, invisible format characters). */
const EXTENDER = 0x10
const CLASS_MASK = 0x0f

const WORD_CHAR = /[\p{L}\p{N}\p{M}]/u
const UNSPACED_SCRIPT =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]/u

/** Code points, first and last. */
const DROPPED: readonly (readonly [first: number, last: number])[] = [
  // Latin, Greek, Cyrillic
  [0x300, 0x36f],
  [0x483, 0x489],
  // Hebrew points
  [0x591, 0x5bd],
  [0x5bf, 0x5bf],
  [0x5c1, 0x5c2],
  [0x5c4, 0x5c5],
  [0x5c7, 0x5c7],
  // Arabic vowels, hamza, tatweel
  [0x610, 0x61a],
  [0x640, 0x640],
  [0x64b, 0x65f],
  [0x670, 0x670],
  [0x6d6, 0x6dc],
  [0x6df, 0x6e4],
  [0x6e7, 0x6e8],
  [0x6ea, 0x6ed],
  [0x897, 0x89f],
  [0x8ca, 0x8ff],
  // more diacritics
  [0x1ab0, 0x1aff],
  [0x1dc0, 0x1dff],
  [0x20d0, 0x20ff],
  [0xfe20, 0xfe2f],
  // variation selectors
  [0xfe00, 0xfe0f],
  [0xe0100, 0xe01ef],
]
const FORMAT = /\p{Cf}/u

/** Marks that do not matter for searching, and invisible characters. */
export function isDropped(char: string): boolean {
  const codePoint = char.codePointAt(0)!
  return (
    DROPPED.some(([first, last]) => codePoint >= first && codePoint <= last) || FORMAT.test(char)
  )
}

const MARK = /\p{M}/u
const ZERO_WIDTH_SPACE = 0x200b

/** By code point; 0 = not computed yet. 1.1 MB of zero pages, few of which are ever touched. */
const table = new Uint8Array(0x110000)

/** One of the five classes. */
export function charClass(codePoint: number): number {
  return (table[codePoint] || classify(codePoint)) & CLASS_MASK
}

/** Whether folding must look at the code point together with the previous one. */
export function isExtender(codePoint: number): boolean {
  return ((table[codePoint] || classify(codePoint)) & EXTENDER) !== 0
}

function classify(codePoint: number): number {
  const char = String.fromCodePoint(codePoint)
  let value = SEPARATOR
  if (codePoint >= 0x30 && codePoint <= 0x39) value = DIGIT
  else if (WORD_CHAR.test(char)) value = UNSPACED_SCRIPT.test(char) ? UNSPACED : LETTER
  else if (isEmoji(codePoint)) value = EMOJI
  if (
    codePoint !== ZERO_WIDTH_SPACE &&
    (MARK.test(char) || isDropped(char) || composesBackwards(codePoint))
  ) {
    value |= EXTENDER
  }
  table[codePoint] = value
  return value
}

/** Half of a flag: two of them form one. */
export function isFlagLetter(codePoint: number): boolean {
  return codePoint >= 0x1f1e6 && codePoint <= 0x1f1ff
}

/**
 * Pictures. Excludes ©, ®, ™ and other signs of text, and arrows and geometric shapes, which serve
 * as bullets.
 */
function isEmoji(codePoint: number): boolean {
  if (isFlagLetter(codePoint)) return true
  if (codePoint < 0x2300 || NOT_EMOJI.some(([a, b]) => codePoint >= a && codePoint <= b)) {
    return false
  }
  const char = String.fromCodePoint(codePoint)
  // Some are framed letters, which folding replaces.
  return PICTURE.test(char) && char.normalize('NFKD') === char
}

const PICTURE = /(?=\p{Emoji})\p{Extended_Pictographic}/u

/** Geometric shapes, arrows and marks of Japanese text, as first and last code points. */
const NOT_EMOJI: readonly (readonly [first: number, last: number])[] = [
  [0x25a0, 0x25ff],
  [0x27a0, 0x27bf],
  [0x2900, 0x297f],
  [0x2b00, 0x2b1c],
  [0x3000, 0x303f],
]

/**
 * Letters that NFC may compose with the previous one: Hangul vowels and finals, Kirat Rai vowels.
 */
function composesBackwards(codePoint: number): boolean {
  return (
    (codePoint >= 0x1161 && codePoint <= 0x11ff) ||
    (codePoint >= 0xd7b0 && codePoint <= 0xd7ff) ||
    (codePoint >= 0x16d63 && codePoint <= 0x16d6a)
  )
}
