import { isWithin } from '../index/string-list.ts'
import type { SuggestionIndex } from '../index/suggestion-index.ts'
import { findNearWords } from './near-words.ts'
import type { TypedText } from './typed-text.ts'
import { editsOf } from './word-edits.ts'

/** Shorter parts occur in too many words. */
export const INFIX_MIN_CHARS = 3

/** The words of an index that match a typed one. */
export interface WordChoice {
  /** Edits between the typed word and this one; undefined: too many. */
  mistakesOf(word: number): number | undefined
  forEachWord(visit: (word: number) => void): void
  /** Entries of all these words, counted once per word. */
  readonly postingCount: number
}

/** Inflections of the typed words; for the last one, words with that prefix too. */
export function exactWords(index: SuggestionIndex, typed: TypedText): WordChoice[] {
  return typed.words.map((form, i) => {
    const { postings, stemWords, wordStem, words } = index
    const isOpen = typed.isOpen && i === typed.words.length - 1
    const stem = index.stems.find(typed.stems[i]!)
    const inflections = stem < 0 ? NO_WORDS : stemWords.of(stem)
    const begun = isOpen ? words.begunRanges(form) : []
    const others = inflections.filter((word) => !isWithin(begun, word))
    let postingCount = 0
    for (const { low, high } of begun)
      postingCount += postings.offsets[high]! - postings.offsets[low]!
    for (const word of others) postingCount += postings.of(word).length
    return {
      mistakesOf: (word) =>
        isWithin(begun, word) || (stem >= 0 && wordStem[word] === stem) ? 0 : undefined,
      forEachWord: (visit) => {
        for (const { low, high } of begun) for (let word = low; word < high; word++) visit(word)
        for (const word of others) visit(word)
      },
      postingCount,
    }
  })
}

const NO_WORDS = new Uint32Array()

/** The same, and words within the edit distance. @returns undefined if there are none */
export function nearWords(
  index: SuggestionIndex,
  typed: TypedText,
  exact: readonly WordChoice[],
): WordChoice[] | undefined {
  return withMore(index, exact, (i, add) => {
    const form = typed.words[i]!
    const isOpen = typed.isOpen && i === typed.words.length - 1
    const edits = editsOf(form)
    if (edits > 0) findNearWords(index.words, form, edits, isOpen, add)
  })
}

/** The same, and words that contain a typed one. @returns undefined if there are none */
export function infixWords(
  index: SuggestionIndex,
  typed: TypedText,
  exact: readonly WordChoice[],
): WordChoice[] | undefined {
  return withMore(index, exact, (i, add) => {
    const form = typed.words[i]!
    if (form.length >= INFIX_MIN_CHARS) index.words.forEachWith(form, (word) => add(word, 0))
  })
}

/**
 * The choices with further words each, or undefined if none has any.
 *
 * @param find calls `add` for further words of the typed word `i`; words chosen already do not
 * count
 */
function withMore(
  index: SuggestionIndex,
  exact: readonly WordChoice[],
  find: (i: number, add: (word: number, mistakes: number) => void) => void,
): WordChoice[] | undefined {
  let any = false
  const choices = exact.map((choice, i) => {
    const more = new Map<number, number>()
    find(i, (word, mistakes) => {
      if (choice.mistakesOf(word) === undefined) more.set(word, mistakes)
    })
    any ||= more.size > 0
    return extended(index, choice, more)
  })
  return any ? choices : undefined
}

function extended(
  { postings }: SuggestionIndex,
  choice: WordChoice,
  more: ReadonlyMap<number, number>,
): WordChoice {
  let { postingCount } = choice
  for (const word of more.keys()) postingCount += postings.of(word).length
  return {
    mistakesOf: (word) => choice.mistakesOf(word) ?? more.get(word),
    forEachWord: (visit) => {
      choice.forEachWord(visit)
      for (const word of more.keys()) visit(word)
    },
    postingCount,
  }
}

/** @returns edits over all typed words; -1 if one of them has no word in the entry */
export function hasEvery(
  { entryWords, entryJoined }: SuggestionIndex,
  entry: number,
  choices: readonly WordChoice[],
): number {
  const words = entryWords.of(entry)
  const joined = entryJoined.of(entry)
  let total = 0
  for (const { mistakesOf } of choices) {
    let fewest = Infinity
    for (const word of words) fewest = Math.min(fewest, mistakesOf(word) ?? Infinity)
    for (const word of joined) fewest = Math.min(fewest, mistakesOf(word) ?? Infinity)
    if (fewest === Infinity) return -1
    total += fewest
  }
  return total
}
