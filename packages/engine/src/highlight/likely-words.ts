import { FORM_LENGTH_MAX } from '../analysis/token-writer.ts'
import { LETTER_MASK, mayGoOn } from './match-words.ts'
import type { MatchTable } from './match-words.ts'

/** Is told of the stretches of a text, in order. Offsets are those of the bytes. */
export interface StretchSink {
  /** A stretch that is one word of ASCII letters and may match, without what stands around it. */
  likelyWord(from: number, to: number): void
  /**
   * A stretch that has to be read by the analyzer.
   *
   * @param isPlain every byte is one character: it has no escape, and nothing outside of ASCII
   */
  likelyStretch(from: number, to: number, isPlain: boolean): void
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
const ESCAPE = 4

const SPACE = 0x20
const BACKSLASH = 0x5c
const LOWER_U = 0x75
const ASCII_END = 0x80
/** Bytes of an escape: `\n`, `\u00e9`. */
const ESCAPE_BYTES = 2
const UNIT_ESCAPE_BYTES = 6

/** By byte. */
const KINDS = new Uint8Array(256).fill(FOREIGN, ASCII_END)
KINDS[BACKSLASH] = ESCAPE
for (let code = 0x30; code <= 0x39; code++) KINDS[code] = DIGIT
for (let code = 0x61; code <= 0x7a; code++) KINDS[code] = KINDS[code - 0x20] = LETTER

/** Longer words become several tokens, which begin anywhere. */
const STRETCH_LENGTH_MAX = FORM_LENGTH_MAX - 2

/**
 * Finds the stretches of a text that have to be looked at for marks: nearly all words of a text
 * begin unlike every word of the query, and reading them as tokens took a third of presenting a
 * page. The text is read as it is stored, so that of most texts no string is made.
 *
 * A stretch ends before a space behind a letter: nothing reaches across (no number waits for its
 * unit, no run of connected words goes on), so that the tokens of the stretches are those of the
 * text. Of a stretch with a character outside of ASCII only the analyzer knows the words.
 *
 * @param json the text is what stands between the quotes of a JSON string, from `start` to `end`
 */
export function findLikelyWords(
  json: Uint8Array,
  start: number,
  end: number,
  table: Pick<MatchTable, 'beginnings' | 'thirds' | 'mayBeUnit'>,
  sink: StretchSink,
): void {
  const { beginnings, mayBeUnit } = table
  let from = start
  /** Of the stretch: its first run of letters or digits, and how many there are. */
  let wordFrom = 0
  let wordTo = 0
  let runs = 0
  let hasDigit = false
  let isForeign = false
  let hasEscape = false
  /** Whether one of the runs may match. */
  let isLikely = false
  /** What the last letter or digit of it is. */
  let last = OTHER
  // Inner loop. Behind the text stands its quote, which ends a run.
  for (let i = start; i <= end;) {
    const code = i === end ? SPACE : json[i]!
    const kind = KINDS[code]!
    if (kind === LETTER || kind === DIGIT) {
      const runStart = i
      do i++
      while (KINDS[json[i]!] === kind)
      if (runs++ === 0) {
        wordFrom = runStart
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
      const isOpen = i - runStart === 1 && (kind === DIGIT || (i < end && json[i] !== SPACE))
      const second = i - runStart === 1 ? 0 : json[runStart + 1]! & LETTER_MASK
      isLikely = isOpen ? row !== 0 : ((row >>> second) & 1) !== 0
      if (isLikely && i - runStart > 2) {
        const third = json[runStart + 2]! & LETTER_MASK
        isLikely = mayGoOn(table, code & LETTER_MASK, second, third)
      }
      // 12inx6in: the x is a word.
      if (kind === LETTER && KINDS[json[i]!] === DIGIT) {
        isLikely ||= beginnings[json[i - 1]! & LETTER_MASK] !== 0
      }
      continue
    }
    i++
    if (kind === FOREIGN) {
      isForeign = true
      last = FOREIGN
      continue
    }
    if (kind === ESCAPE) {
      hasEscape = true
      if (json[i] === LOWER_U) {
        isForeign = true
        last = FOREIGN
        i += UNIT_ESCAPE_BYTES - 1
      } else i += ESCAPE_BYTES - 1
      continue
    }
    if (code !== SPACE) continue
    // A mark may belong to the space before it.
    if (i < end && (json[i]! >= ASCII_END || json[i] === BACKSLASH)) continue
    if ((hasDigit || isForeign) && last !== LETTER && i <= end) continue
    const to = i - 1
    if (isForeign || to - from > STRETCH_LENGTH_MAX) {
      sink.likelyStretch(from, to, !isForeign && !hasEscape)
    } else if (runs === 1 && !hasDigit) {
      if (isLikely) sink.likelyWord(wordFrom, wordTo)
      else sink.otherWord()
    } else if (isLikely) sink.likelyStretch(from, to, !hasEscape)
    else if (runs > 0) sink.otherWord()
    from = i
    runs = 0
    hasDigit = false
    isForeign = false
    hasEscape = false
    isLikely = false
    last = OTHER
  }
}
