import type { Analyzer, JoinedSpelling, QuerySlot, Token } from '@aisle/engine'
import { digitsOfPair } from '../words/letters-and-digits.ts'
import { addSpelling, isSpelling, joinedForm, joinedSpelling } from '../words/joined-spelling.ts'

/** Shorter texts are in half of all numbers. */
const PIECE_LENGTH_MIN = 3

interface Spelt {
  readonly joined: JoinedSpelling[]
  pieces?: QuerySlot['pieces']
}

/**
 * Joins two texts of a query with a space between them, as the analyzer reads them without it, if
 * one has digits (`SHE 2550/00`: she255000). Two words alone are joined elsewhere.
 */
export function addRuns(
  q: string,
  words: readonly Token[],
  slotOfWord: readonly Spelt[],
  analyzer: Analyzer,
): void {
  const starts = words.flatMap((word, i) =>
    i === 0 || /\s/.test(q.slice(words[i - 1]!.end, word.start)) ? [i] : [],
  )
  starts.forEach((middle, run) => {
    if (run === 0) return
    const both = words.slice(starts[run - 1], starts[run + 1])
    const isPlain = both.length === 2 && joinedForm(both[0]!, both[1]!) !== undefined
    if (isPlain || !both.some(({ form }) => /\d/.test(form))) return
    const [left, right] = [words[middle - 1]!, words[middle]!]
    const text = q.slice(both[0]!.start, left.end) + q.slice(right.start, both.at(-1)!.end)
    const whole = analyzer
      .analyze(text)
      .find(
        (token) =>
          token.start === 0 &&
          token.end === text.length &&
          (token.kind === 'word' || isSpelling(token)),
      )
    const spelling = whole && joinedSpelling(whole.form, both, analyzer)
    if (spelling === undefined) return
    for (const slot of slotOfWord.slice(starts[run - 1], starts[run + 1])) {
      addSpelling(slot, spelling)
    }
  })
}

/** The word and its joined spellings that may be pieces of longer numbers. */
export function addPieces(q: string, { form, measure, start, end }: Token, slot: Spelt): void {
  // 10 l is never a piece, 8705A may be.
  const isWhole = measure !== true || !/\s/.test(q.slice(start, end))
  const joined = slot.joined.filter(({ bare }) => bare !== true)
  const pair = digitsOfPair(form)
  const texts = [
    ...(isWhole ? [form] : []),
    ...joined.map((spelling) => spelling.form),
    ...(pair === undefined ? [] : [pair]),
  ]
  const pieces = texts.filter((text) => text.length >= PIECE_LENGTH_MIN && /\d/.test(text))
  if (pieces.length > 0) slot.pieces = [...new Set(pieces)]
}
