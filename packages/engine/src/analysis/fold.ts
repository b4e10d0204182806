import { charClass, EMOJI, isDropped, isExtender } from './char-class.ts'
import { emojiEnd, foldEmoji } from './emoji.ts'

/** Folded text and, where folding changed lengths, the mapping to the original. */
export interface FoldedText {
  readonly text: string
  /** Whether `text` is ASCII, so that every slice of it is folded too. */
  readonly ascii: boolean
  /**
   * Four numbers per piece whose length folding changed: folded start, folded end, original start,
   * original end. Ascending. Empty: offsets are equal.
   */
  readonly pieces: readonly number[]
}

/** More marks on one base than this are noise ("zalgo") and are dropped. */
const MARKS_PER_BASE_MAX = 16

const NO_PIECES: readonly number[] = []

/**
 * Folds case, diacritics, widths and typographic variants: NFKD, without the diacritics of
 * alphabets where they are variants of a letter (marks that carry meaning, such as Indic and Thai
 * vowels, stay), lower case, letters such as ß and ø in ASCII, decimal digits 0-9, straight quotes
 * and hyphens; the result is in NFC. Idempotent.
 */
export function fold(text: string): string {
  if (isAscii(text)) return text.toLowerCase()
  const folded = foldPieces(text, undefined)
  return isAscii(folded) ? folded : folded.normalize('NFC')
}

/** `fold` with a mapping to the original. Composes only within characters. */
export function foldWithOffsets(text: string): FoldedText {
  if (isAscii(text)) return { text: text.toLowerCase(), ascii: true, pieces: NO_PIECES }
  const pieces: number[] = []
  const folded = foldPieces(text, pieces)
  return { text: folded, ascii: isAscii(folded), pieces }
}

/** Original offset of the token that starts at `offset` of the folded text. */
export function originalStart(folded: FoldedText, offset: number): number {
  const { pieces } = folded
  if (pieces.length === 0) return offset
  const at = lastPieceStartingBelow(pieces, offset + 1)
  if (at < 0) return offset
  const foldedEnd = pieces[at + 1]!
  return offset < foldedEnd ? pieces[at + 2]! : pieces[at + 3]! + offset - foldedEnd
}

/** Original end offset of the token that ends at `offset` of the folded text. */
export function originalEnd(folded: FoldedText, offset: number): number {
  const { pieces } = folded
  if (pieces.length === 0) return offset
  const at = lastPieceStartingBelow(pieces, offset)
  if (at < 0) return offset
  const foldedEnd = pieces[at + 1]!
  return offset <= foldedEnd ? pieces[at + 3]! : pieces[at + 3]! + offset - foldedEnd
}

function lastPieceStartingBelow(pieces: readonly number[], offset: number): number {
  let low = 0
  let high = pieces.length >> 2
  while (low < high) {
    const middle = (low + high) >> 1
    if (pieces[middle << 2]! < offset) low = middle + 1
    else high = middle
  }
  return (low - 1) << 2
}

function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0x7f) return false
  return true
}

/** Copies runs of ASCII; handles all other characters one by one, with their marks. */
function foldPieces(text: string, pieces: number[] | undefined): string {
  let folded = ''
  let copiedTo = 0
  let i = 0
  while (i < text.length) {
    if (text.charCodeAt(i) < 0x80) {
      i++
      continue
    }
    let codePoint = text.codePointAt(i)!
    // A mark gets here only if the base before it is ASCII and not yet copied, or is missing.
    const start = i > copiedTo && isExtender(codePoint) ? i - 1 : i
    let end = i + (codePoint > 0xffff ? 2 : 1)
    const isEmoji = start === i && charClass(codePoint) === EMOJI
    if (isEmoji) end = emojiEnd(text, i)
    while (!isEmoji && end < text.length && text.charCodeAt(end) >= 0x80) {
      codePoint = text.codePointAt(end)!
      if (!isExtender(codePoint)) break
      end += codePoint > 0xffff ? 2 : 1
    }
    folded += text.slice(copiedTo, start)
    codePoint = text.codePointAt(start)!
    const alone = end - start === (codePoint > 0xffff ? 2 : 1)
    let piece = isEmoji
      ? foldEmoji(text.slice(start, end))
      : alone
        ? foldCodePoint(codePoint)
        : foldCharacter(text.slice(start, end))
    // 1½ is one and a half: separates a fraction from the digit before it.
    if (piece.length > 2 && start > 0 && endsInDigit(text, start) && isFraction(piece)) {
      piece = ` ${piece}`
    }
    if (pieces !== undefined && !(alone && piece.length === end - start)) {
      pieces.push(folded.length, folded.length + piece.length, start, end)
    }
    folded += piece
    copiedTo = end
    i = end
  }
  folded += text.slice(copiedTo)
  return folded.toLowerCase()
}

/** Whether the folded text before `end` ends in a digit. Skips invisible characters. */
function endsInDigit(text: string, end: number): boolean {
  let at = end
  for (let seen = 0; seen < MARKS_PER_BASE_MAX && at > 0; seen++) {
    at -= at > 1 && (text.charCodeAt(at - 1) & 0xfc00) === 0xdc00 ? 2 : 1
    const piece = foldCodePoint(text.codePointAt(at)!)
    if (piece !== '') return /[0-9]$/.test(piece)
  }
  return false
}

function isFraction(piece: string): boolean {
  return piece.includes('/')
}

/** Bounded by the number of code points; in practice a few hundred. */
const foldedCodePoints = new Map<number, string>()

function foldCodePoint(codePoint: number): string {
  let folded = foldedCodePoints.get(codePoint)
  if (folded === undefined) {
    folded = foldCharacter(String.fromCodePoint(codePoint))
    foldedCodePoints.set(codePoint, folded)
  }
  return folded
}

/** Folds a base with its marks. */
function foldCharacter(character: string): string {
  let decomposed = ''
  let read = 0
  for (const char of character) {
    // Canonical ordering of marks takes quadratic time in their number.
    if (read++ > 4 * MARKS_PER_BASE_MAX) break
    decomposed += SPECIAL.get(char) ?? decompose(char)
  }
  let folded = ''
  let marks = 0
  for (const char of decomposed.normalize('NFD').toLowerCase()) {
    if (isDropped(char)) {
      if (OWN_LETTERS.has(folded.slice(-1) + char)) folded += char
      continue
    }
    marks = /\p{M}/u.test(char) ? marks + 1 : 0
    if (marks <= MARKS_PER_BASE_MAX) folded += LETTERS.get(char) ?? SPECIAL.get(char) ?? char
  }
  return folded.normalize('NFC')
}

function decompose(char: string): string {
  if (KEPT.test(char)) return char
  if (/\p{Nd}/u.test(char)) return digitValue(char.codePointAt(0)!)
  return char.isWellFormed() ? char.normalize('NFKD') : '\ufffd'
}

/** Each script has its ten digits in one ascending block of Unicode. */
function digitValue(codePoint: number): string {
  let zero = codePoint
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--
  return String((codePoint - zero) % 10)
}

/** Kept: NFKD would attach ™ to the previous word, and decompose Thai and Lao am. */
const KEPT = /[\u2120\u2122\u0e33\u0eb3]/u

/** й, ў and ї: a letter and a mark in Unicode, but letters of their alphabets. */
const OWN_LETTERS = new Set(['и\u0306', 'у\u0306', 'і\u0308'])

/**
 * Replacements instead of NFKD, and of its results. Symbols for which keyboards have other
 * characters.
 */
const SPECIAL: ReadonlyMap<string, string> = new Map([
  ['\u200b', ' '], // zero width space: a place to break
  ['×', 'x'],
  ['“', '"'],
  ['”', '"'],
  ['„', '"'],
  ['‟', '"'],
  ['″', '"'],
  ['‘', "'"],
  ['’', "'"],
  ['‚', "'"],
  ['‛', "'"],
  ['′', "'"],
  ['´', "'"],
  ['ʹ', "'"],
  ['ʼ', "'"],
  ['׳', "'"],
  ['״', '"'],
  ['‐', '-'],
  ['‑', '-'],
  ['‒', '-'],
  ['–', '-'],
  ['−', '-'],
  ['Ŀ', 'l'],
  ['ŀ', 'l'],
])

/** Replacements after NFKD and lower case. */
const LETTERS: ReadonlyMap<string, string> = new Map([
  ['ß', 'ss'],
  ['æ', 'ae'],
  ['ø', 'o'],
  ['œ', 'oe'],
  ['ł', 'l'],
  ['đ', 'd'],
  ['ð', 'd'],
  ['þ', 'th'],
  ['ħ', 'h'],
  ['ŧ', 't'],
  ['ı', 'i'],
  ['ς', 'σ'],
  ['ٱ', 'ا'],
  ['ى', 'ي'],
  ['ی', 'ي'],
  ['ک', 'ك'],
  ['ة', 'ه'],
  ['\u2044', '/'],
  ['\u2215', '/'],
])
