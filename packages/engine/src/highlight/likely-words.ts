import { FORM_LENGTH_MAX } from '../analysis/token-writer.ts'
import { LETTER_MASK } from './match-words.ts'
import type { MatchTable } from './match-words.ts'
import { PART_LENGTH } from './text-parts.ts'

/** Is told of the stretches of a text, in order. Offsets are those of the text. */
export interface StretchSink {
  /** A stretch that is one word of ASCII letters and may match, without what stands around it. */
  likelyWord(from: number, to: number): void
  /** A stretch that has to be read by the analyzer. */
  likelyStretch(from: number, to: number): void
  /**
   * A word or several connected ones that match nothing. One position is enough for them: what
   * stands before and behind is not side by side.
   */
  otherWord(): void
}

const OTHER = 0
const LETTER = 1
const DIGIT = 2
const FOREIGN = 3

const SPACE = 0x20
const ASCII_END = 0x80

/** By UTF-16 code unit. */
const KINDS = new Uint8Array(0x10000).fill(FOREIGN, ASCII_END)
for (let code = 0x30; code <= 0x39; code++) KINDS[code] = DIGIT
for (let code = 0x61; code <= 0x7a; code++) KINDS[code] = KINDS[code - 0x20] = LETTER

/**
 * The text that is being read, a space behind it, as an array: a string that is a part of another
 * one takes four times as long, unit by unit.
 */
const units = new Uint16Array(PART_LENGTH + 1)
const unitBytes = Buffer.from(units.buffer)

/** Longer words become several tokens, which begin anywhere. */
const STRETCH_LENGTH_MAX = FORM_LENGTH_MAX - 2

/**
 * Finds the stretches of a text that have to be looked at for marks: nearly all words of a text
 * begin unlike every word of the query, and reading them as tokens took a third of presenting a
 * page.
 *
 * A stretch ends before a space behind a letter: nothing reaches across (no number waits for its
 * unit, no run of connected words goes on), so that the tokens of the stretches are those of the
 * text. Of a stretch with a character outside of ASCII only the analyzer knows the words.
 *
 * @param text as it is written
 */
export function findLikelyWords(
  text: string,
  { beginnings, mayBeUnit }: Pick<MatchTable, 'beginnings' | 'mayBeUnit'>,
  sink: StretchSink,
): void {
  const { length } = text
  // A text without a place to cut.
  if (length > PART_LENGTH) return sink.likelyStretch(0, length)
  unitBytes.write(text, 0, 'utf16le')
  units[length] = SPACE
  let from = 0
  /** Of the stretch: its first run of letters or digits, and how many there are. */
  let wordFrom = 0
  let wordTo = 0
  let runs = 0
  let hasDigit = false
  let isForeign = false
  /** Whether one of the runs may match. */
  let isLikely = false
  /** What the last letter or digit of it is. */
  let last = OTHER
  // Inner loop.
  for (let i = 0; i <= length;) {
    const code = units[i]!
    const kind = KINDS[code]
    if (kind === LETTER || kind === DIGIT) {
      const start = i
      do i++
      while (KINDS[units[i]!] === kind)
      if (runs++ === 0) {
        wordFrom = start
        wordTo = i
      }
      last = kind
      if (kind === DIGIT) {
        hasDigit = true
        if (mayBeUnit) isLikely = true
      }
      if (isLikely) continue
      // Whether what begins so may match; what a single letter or digit is joined with is not seen.
      const row = beginnings[code & LETTER_MASK]!
      const isOpen = i - start === 1 && (kind === DIGIT || units[i] !== SPACE)
      const second = i - start === 1 ? 0 : units[start + 1]! & LETTER_MASK
      isLikely = isOpen ? row !== 0 : ((row >>> second) & 1) !== 0
      // 12inx6in: the x is a word.
      if (kind === LETTER && KINDS[units[i]!] === DIGIT) {
        isLikely ||= beginnings[units[i - 1]! & LETTER_MASK] !== 0
      }
      continue
    }
    i++
    if (kind === FOREIGN) {
      isForeign = true
      last = FOREIGN
      continue
    }
    if (code !== SPACE) continue
    // A mark may belong to the space before it.
    if (i < length && units[i]! >= ASCII_END) continue
    if ((hasDigit || isForeign) && last !== LETTER && i <= length) continue
    const to = i - 1
    if (isForeign || to - from > STRETCH_LENGTH_MAX) sink.likelyStretch(from, to)
    else if (runs === 1 && !hasDigit) {
      if (isLikely) sink.likelyWord(wordFrom, wordTo)
      else sink.otherWord()
    } else if (isLikely) sink.likelyStretch(from, to)
    else if (runs > 0) sink.otherWord()
    from = i
    runs = 0
    hasDigit = false
    isForeign = false
    isLikely = false
    last = OTHER
  }
}
