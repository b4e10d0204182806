import { editDistance } from '@aisle/contract'
import type { ExplainedWord, QuerySlot } from '@aisle/engine'
import { bitCount, lettersOf } from '../words/letters.ts'
import { synonymsOfWord, type SetWord, type SynonymRules } from '../words/synonym-rules.ts'

/** Maximum number of words of synonym sets that a word of a query may begin or misspell. */
const EXPLAINED_MAX = 4
/** A shorter beginning is not weighed, and could mean anything. */
const BEGUN_LENGTH_MIN = 3

type Typed = Pick<QuerySlot, 'form' | 'stem' | 'edits' | 'prefix'>

interface Near {
  readonly word: SetWord
  readonly distance: 0 | 1 | 2
  /** Letters of the word that are yet to be typed. */
  readonly rest: number
}

/**
 * The words of synonym sets that a word may begin or misspell, with their synonyms: `sof` is going
 * to be `sofa`, and so couch; `patns` is `pants`, and so trousers. The nearest first, then the most
 * complete, then by code unit.
 *
 * @param slot with its allowed edits, and whether it may be unfinished
 */
export function explainedWords(slot: Typed, sets: readonly SynonymRules[]): ExplainedWord[] {
  const letters = lettersOf(slot.form)
  const near = new Map<string, Near>()
  for (const word of sets.flatMap((set) => set.words)) {
    const found = nearness(slot, letters, word)
    if (found !== undefined) near.set(word.form, { word, ...found })
  }
  return [...near.values()]
    .toSorted(
      (a, b) => a.distance - b.distance || a.rest - b.rest || (a.word.form < b.word.form ? -1 : 1),
    )
    .slice(0, EXPLAINED_MAX)
    .map(({ word: { form, stem }, distance }) => ({
      form,
      stem,
      distance,
      synonyms: synonymsOfWord(stem, sets),
    }))
}

/**
 * How near a word of a set is; undefined if it is another word. Cheap tests come first: sets have
 * thousands of words.
 */
function nearness(
  { form, stem, edits, prefix }: Typed,
  letters: number,
  word: SetWord,
): Pick<Near, 'distance' | 'rest'> | undefined {
  const rest = word.form.length - form.length
  const mayBegin =
    prefix !== 'off' && form.length >= BEGUN_LENGTH_MIN && rest > 0 && form[0] === word.form[0]
  // An edit changes the length by at most one, and a plural adds an s.
  const mayBeWhole = edits > 0 && Math.abs(rest) <= edits + 1
  if (!mayBegin && !mayBeWhole) return undefined
  // An edit adds at most one letter that the word lacks, and removes at most one.
  if (bitCount(letters & ~word.letters) > edits) return undefined
  if (mayBegin && word.form.startsWith(form)) {
    return stem === word.stem ? undefined : { distance: 0, rest }
  }
  const differing = mayBeWhole ? bitCount(letters ^ word.letters) : Infinity
  if (differing <= 2 * edits && Math.abs(rest) <= edits) {
    const distance = editDistance(form, word.form)
    if (distance === 0) return undefined
    if (distance <= edits) return { distance: distance as 1 | 2, rest: 0 }
  }
  const isInflected = form !== stem || word.form !== word.stem
  if (isInflected && differing <= 2 * edits + 1) {
    const distance = editDistance(stem, word.stem)
    if (distance === 0) return undefined
    if (distance <= edits) return { distance: distance as 1 | 2, rest: 0 }
  }
  if (!mayBegin || edits === 0) return undefined
  // A beginning with a mistake ("looksBegun" of the engine); corrections decide if it was meant.
  const distances = [0, 1, -1, 2, -2].slice(0, 1 + 2 * edits).map((by) => {
    const begun = word.form.slice(0, form.length + by)
    const isAlike = begun.at(-1) === form.at(-1) || lettersOf(begun) === letters
    return isAlike ? editDistance(form, begun) : Infinity
  })
  const distance = Math.min(...distances)
  return distance <= edits ? { distance: distance as 1 | 2, rest } : undefined
}
