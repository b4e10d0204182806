import { FORM_LENGTH_MAX } from '../analysis/token-writer.ts'
import { LETTER_MASK, mayGoOn, type MatchTable } from './match-words.ts'

/** Receives the stretches of a text, in order. Offsets are in bytes. */
export interface StretchSink {
  /** A stretch that is one word of ASCII letters and may match, without the text around it. */
  likelyWord(from: number, to: number): void
  /**
   * A stretch that the analyzer has to read.
   *
   * @param isPlain every byte is one character: no escapes, only ASCII
   */
  likelyStretch(from: number, to: number, isPlain: boolean): void
  /**
   * One or several connected words that match nothing. They count as one position, which keeps the
   * words before and after them apart.
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
/** Length of an escape in bytes: `\n`, `\u00e9`. */
const ESCAPE_BYTES = 2
const UNIT_ESCAPE_BYTES = 6

/** By byte. */
const KINDS = new Uint8Array(256).fill(FOREIGN, ASCII_END)
KINDS[BACKSLASH] = ESCAPE
for (let code = 0x30; code <= 0x39; code++) KINDS[code] = DIGIT
for (let code = 0x61; code <= 0x7a; code++) KINDS[code] = KINDS[code - 0x20] = LETTER

/** Longer words become several tokens, whose starts are unknown here. */
const STRETCH_LENGTH_MAX = FORM_LENGTH_MAX - 2

/**
 * Finds the stretches of a text that need to be read for marks. Nearly all words of a text begin
 * unlike any query term, and reading them as tokens took a third of presenting a page. Reads the
 * text as stored, so that most texts never become strings.
 *
 * A stretch ends before a space after a letter: nothing crosses it (no number waits for its unit,
 * no run of connected words continues), so the tokens of the stretches are those of the text. In a
 * stretch with a non-ASCII character, only the analyzer knows the words.
 *
 * @param json has the text between the quotes of a JSON string, from `start` to `end`
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
  /** In the current stretch: its first run of letters or digits, and the number of runs. */
  let wordFrom = 0
  let wordTo = 0
  let runs = 0
  let hasDigit = false
  let isForeign = false
  let hasEscape = false
  /** Whether one of the runs may match. */
  let isLikely = false
  /** The kind of its last letter or digit. */
  let last = OTHER
  // Inner loop. The quote after the text ends its last run.
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
      // Whether this beginning may match; does not see what a single letter or digit is joined
      // with.
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
    // A mark may belong to the preceding space.
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
