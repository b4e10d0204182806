import { TIER_STEP } from '../../scoring/formula.ts'
import { BitDocuments } from '../match/document-set.ts'
import { wordBounds, type WordBounds } from '../model/word-bounds.ts'
import type { ResolvedSlot } from '../words/resolved-slot.ts'
import type { Choice, Strategy } from './strategy.ts'
import {
  allOf,
  wordSums,
  type HeldWord,
  type WordBound,
  type WordSum,
  type WordSums,
} from './word-sums.ts'

/** A query term, for documents that lack another one. */
type TierWord = WordBounds & WordBound

/** A part includes single words if they have this many times as many documents as the page. */
const SINGLE_WORDS_RATIO = 4

/**
 * For queries of several words: first the documents with every significant word, which are the only
 * ones in the upper tier; then the others by the maximum points of their words, those with two
 * words or more, those with a heavy word, all.
 */
export function tiers(choice: Choice): Strategy[] {
  const words = tierWords(choice)
  const isSignificant = ({ slot }: TierWord) => !slot.slot.stopword
  const significant = words.flatMap((word, i) => (isSignificant(word) ? [i] : []))
  // A query of stop words has no significant word that a document could lack: one tier.
  const tierPoints = significant.length === 0 ? TIER_STEP : 0
  const upper = significant.length === 0 ? NO_DOCUMENTS : allOf(significant)
  const sums = [...partsOf(words, choice.page.end, tierPoints > 0), -Infinity]
  const lower = sums.map((sumMin, i) => {
    const before = i === 0 ? NO_DOCUMENTS : wordSums(words, sums[i - 1]!).documents
    return new TierPart(choice, words, { tierPoints, sumMin, before: [upper, before] })
  })
  if (significant.length === 0) return lower
  return [new UpperTier(choice, words, upper), ...lower]
}

const NO_DOCUMENTS: WordSum = { kind: 'none' }

/** The words, those that make a match alone first, then by weight. */
function tierWords({ demand: { known, demanded } }: Choice): TierWord[] {
  return known
    .map((slot) => ({ ...wordBounds(slot), carries: demanded.includes(slot) }))
    .sort((a, b) => Number(b.carries) - Number(a.carries) || b.most - a.most)
}

/** The minimum points of each part but the last. */
function partsOf(words: readonly TierWord[], pageEnd: number, isOnlyTier: boolean): number[] {
  const carriers = words.filter(({ carries }) => carries)
  const added = words.reduce((sum, { carries, most }) => sum + (carries ? 0 : most), 0)
  const heaviest = words[0]!.most + added + 1
  const sums = carriers.length > 2 || isOnlyTier ? [heaviest] : []
  let documents = 0
  for (const { most, slot } of carriers) {
    const sumMin = most + added + 1
    if (documents >= SINGLE_WORDS_RATIO * pageEnd && sumMin < heaviest) return [...sums, sumMin]
    documents += slot.docFreq
  }
  return sums
}

/** Scratch sets of one window: the result, and intermediate ones. */
const OUT = 0
const NESTED = 1

/** Evaluates formulas over the documents found in a window. */
class FormulaSets {
  readonly #choice: Choice
  readonly #words: readonly TierWord[]

  constructor(choice: Choice, words: readonly TierWord[]) {
    this.#choice = choice
    this.#words = words
  }

  /** Fills the scratch memory with the documents of a formula that are not in earlier ones. */
  touch(sum: WordSum, before: readonly WordSum[], segmentIndex: number, window: number): number {
    const { sets, matches } = this.#choice
    const { found } = matches.in(segmentIndex)
    if (sum.kind === 'none' || !(found instanceof BitDocuments)) return 0
    const bytes = sets.bytesOf(segmentIndex, window)
    const out = sets.scratch(OUT)
    const made = this.#made(sum, segmentIndex, window, NESTED, bytes)
    sets.kernels.and(out, made, sets.inWindow(found.set, window), bytes)
    for (const one of before) {
      if (one.kind === 'none') continue
      const ranked = this.#made(one, segmentIndex, window, NESTED, bytes)
      sets.kernels.andNot(out, out, ranked, bytes)
    }
    return sets.touch(out, bytes)
  }

  /**
   * The set of a formula in a window, without a copy if it is a single word.
   * @param number scratch set for the result; the following ones are for parts
   */
  #made(sum: WordSum, segmentIndex: number, window: number, number: number, bytes: number): number {
    if (sum.kind === 'word') return this.#setOf(sum, segmentIndex, window)
    const { sets } = this.#choice
    const out = sets.scratch(number)
    sets.words(out, bytes).fill(sum.kind === 'all' ? -1 : 0)
    for (const part of sum.kind === 'or' ? sum.parts : [sum]) {
      if (part.kind === 'word') {
        sets.kernels.or(out, out, this.#setOf(part, segmentIndex, window), bytes)
      } else if (part.kind === 'and') {
        const rest = this.#made(part.rest, segmentIndex, window, number + 1, bytes)
        sets.kernels.orAnd(out, this.#setOf(part.word, segmentIndex, window), rest, bytes)
      }
    }
    return out
  }

  #setOf({ word, main }: HeldWord, segmentIndex: number, window: number): number {
    const { sets } = this.#choice
    const bounds = this.#words[word]!
    const slot: ResolvedSlot = (main ? bounds.main : undefined) ?? bounds.slot
    return sets.inWindow(sets.of(slot, segmentIndex), window)
  }
}

/** The documents with every significant word. */
class UpperTier implements Strategy {
  readonly missedMax = TIER_STEP - 1
  readonly narrows = false
  readonly #sets: FormulaSets
  readonly #documents: WordSum

  constructor(choice: Choice, words: readonly TierWord[], documents: WordSum) {
    this.#sets = new FormulaSets(choice, words)
    this.#documents = documents
  }

  candidates(segmentIndex: number, window: number): number {
    return this.#sets.touch(this.#documents, [], segmentIndex, window)
  }
}

interface PartBounds {
  /** Points of the tier, added to those of the words. */
  readonly tierPoints: number
  /** Leaves out documents whose words cannot earn this many points. */
  readonly sumMin: number
  /** The documents of earlier parts. */
  readonly before: readonly WordSum[]
}

/** The documents of a tier that may reach a score: often a tenth of those with the rarest word. */
class TierPart implements Strategy {
  readonly missedMax: number
  readonly narrows = true
  readonly #sets: FormulaSets
  readonly #words: readonly TierWord[]
  readonly #bounds: PartBounds
  /**
   * In the upper tier, documents with all words are kept, because their value may equal the query.
   */
  readonly #sumMax: number
  #sums: WordSums = { documents: NO_DOCUMENTS, until: -Infinity }
  /** The formula is valid from this sum on. */
  #from = Infinity

  constructor(choice: Choice, words: readonly TierWord[], bounds: PartBounds) {
    const { tierPoints, sumMin } = bounds
    this.#sets = new FormulaSets(choice, words)
    this.#words = words
    this.#bounds = bounds
    this.#sumMax = tierPoints === 0 ? Infinity : words.reduce((sum, { most }) => sum + most, 0)
    this.missedMax = tierPoints + sumMin - 1
  }

  candidates(segmentIndex: number, window: number, scoreMin: number): number {
    const { tierPoints, sumMin, before } = this.#bounds
    const least = Math.min(Math.max(scoreMin - tierPoints, sumMin), this.#sumMax)
    if (least < this.#from || least > this.#sums.until) {
      this.#from = least
      this.#sums = wordSums(this.#words, least)
    }
    return this.#sets.touch(this.#sums.documents, before, segmentIndex, window)
  }
}
