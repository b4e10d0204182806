/**
 * Which words a document needs to reach a score. A document earns at most the sum of the maximum
 * points of its words, so the sufficient sets of words form a formula of ANDs and ORs over the
 * documents of the words, which bitsets evaluate for a whole window (`TierPart`).
 */

/** Maximum points of a query term for a document. */
export interface WordBound {
  /** Through any alternative. */
  readonly most: number
  /** Through the lesser alternatives only; equal to `most` without lesser ones. */
  readonly lesserMost: number
  /** Whether a document with only this word matches. */
  readonly carries: boolean
}

/**
 * A set of documents.
 *
 * - `word`: those that have a word; `main`: by one of its main alternatives
 * - `and`: those of `word` that are also in `rest`
 */
export type WordSum =
  | { readonly kind: 'all' }
  | { readonly kind: 'none' }
  | HeldWord
  | { readonly kind: 'and'; readonly word: HeldWord; readonly rest: WordSum }
  | { readonly kind: 'or'; readonly parts: readonly WordSum[] }

export interface HeldWord {
  readonly kind: 'word'
  /** Index of the word. */
  readonly word: number
  readonly main: boolean
}

/** A formula, and its range of validity. */
export interface WordSums {
  readonly documents: WordSum
  /** The formula is valid up to this score. */
  readonly until: number
}

/** With more words, the lightest count as present: each further one doubles the formula. */
const COMBINED_MAX = 5

const ALL: WordSum = { kind: 'all' }
const NONE: WordSum = { kind: 'none' }

/**
 * The documents that may reach a score, possibly with some that do not.
 * @param bounds words that make a match come first
 */
export function wordSums(bounds: readonly WordBound[], scoreMin: number): WordSums {
  const heaviest = [...bounds.keys()]
    .sort((a, b) => bounds[b]!.most - bounds[a]!.most)
    .slice(0, COMBINED_MAX)
  const isCombined = (word: number) => heaviest.includes(word)
  const given = bounds.reduce((sum, { most }, word) => sum + (isCombined(word) ? 0 : most), 0)
  /** Maximum points of the words from here on. */
  const mostFrom = bounds.map((_, from) =>
    bounds.reduce((sum, { most }, i) => sum + (i >= from && isCombined(i) ? most : 0), 0),
  )
  let until = Infinity

  const combine = (word: number, sum: number, carries: boolean): WordSum => {
    if (carries && sum >= scoreMin) {
      until = Math.min(until, sum)
      return ALL
    }
    if (word === bounds.length || sum + mostFrom[word]! < scoreMin) return NONE
    const { most, lesserMost, carries: itCarries } = bounds[word]!
    const without = combine(word + 1, sum, carries)
    const isGiven = !isCombined(word)
    if (without === ALL || (isGiven && carries)) return without
    const next = carries || itCarries
    const withMain = combine(word + 1, sum + (isGiven ? 0 : most), next)
    if (isSame(withMain, without)) return without
    if (isGiven || lesserMost === most) return or(without, and(word, false, withMain))
    const withLesser = combine(word + 1, sum + lesserMost, next)
    if (isSame(withLesser, withMain)) return or(without, and(word, false, withMain))
    const main = and(word, true, withMain)
    return isSame(withLesser, without)
      ? or(without, main)
      : or(or(without, and(word, false, withLesser)), main)
  }
  return { documents: combine(0, given, false), until }
}

/** The documents with all of these words; at least one. */
export function allOf(words: readonly number[]): WordSum {
  return words.reduceRight<WordSum>((rest, word) => and(word, false, rest), ALL)
}

function and(word: number, main: boolean, rest: WordSum): WordSum {
  if (rest.kind === 'none') return NONE
  const held: HeldWord = { kind: 'word', word, main }
  return rest.kind === 'all' ? held : { kind: 'and', word: held, rest }
}

function or(a: WordSum, b: WordSum): WordSum {
  if (a.kind === 'none') return b
  if (b.kind === 'none') return a
  return { kind: 'or', parts: [...partsOf(a), ...partsOf(b)] }
}

function partsOf(sum: WordSum): readonly WordSum[] {
  return sum.kind === 'or' ? sum.parts : [sum]
}

function isSame(a: WordSum, b: WordSum): boolean {
  if (a === b) return true
  if (a.kind === 'word') return b.kind === 'word' && a.word === b.word && a.main === b.main
  if (a.kind === 'and') return b.kind === 'and' && isSame(a.word, b.word) && isSame(a.rest, b.rest)
  if (a.kind !== 'or' || b.kind !== 'or' || a.parts.length !== b.parts.length) return false
  return a.parts.every((part, i) => isSame(part, b.parts[i]!))
}
