import {
  saturate,
  SATURATED_MAX,
  SHORT_PREFIX_EVIDENCE,
  slotPoints,
  TIER_STEP,
  WEIGHT_SPLIT,
} from '../../scoring/formula.ts'
import type { PhraseAlternative, ResolvedSlot } from '../words/resolved-slot.ts'
import type { WindowScratch } from './window-scratch.ts'
import type { WordSets } from './word-sets.ts'
import {
  wordSums,
  type HeldWord,
  type WordBound,
  type WordSum,
  type WordSums,
} from './word-sums.ts'

/** "Score" in docs/ranking.md: whether a document has every significant slot. */
export type Tier = 'upper' | 'lower'

/** A query term, for documents that lack another one. */
interface PartWord extends WordBound {
  readonly slot: ResolvedSlot
  /** The slot reduced to its main alternatives; undefined if all are. */
  readonly main: ResolvedSlot | undefined
}

/**
 * A part of the documents of a tier, by the maximum points of their words: those with the most come
 * first, and often none of the others can reach the page.
 */
export interface TierPart {
  readonly words: readonly PartWord[]
  /** Points of the tier, added to those of the words. */
  readonly tierPoints: number
  /** Leaves out documents whose words cannot earn this many points. */
  readonly sumMin: number
  /** Documents whose words may earn this many points have been ranked. */
  readonly rankedFrom: number
}

/** A part includes single words if they have this many times as many documents as the page. */
const SINGLE_WORDS_RATIO = 4

/** Minimum share of the best quality for the main alternatives. */
const MAIN_QUALITY_SHARE = 0.5

/**
 * A tier in parts: documents with two words or more, those with a heavy word, all.
 *
 * @param carriers the slots that make a match alone
 * @param pageEnd the rank after the page
 * @param tier the lower one, when documents with all words have been ranked; the upper one for a
 * query of stopwords, whose documents are all in it
 */
export function tierParts(
  known: readonly ResolvedSlot[],
  carriers: readonly ResolvedSlot[],
  pageEnd: number,
  tier: Tier,
): readonly TierPart[] {
  const words = known
    .map((slot) => ({ ...pointsOfWord(slot), carries: carriers.includes(slot) }))
    .sort((a, b) => Number(b.carries) - Number(a.carries) || b.most - a.most)
  const added = words.reduce((sum, { carries, most }) => sum + (carries ? 0 : most), 0)
  const sums: number[] = []
  const heaviest = words[0]!.most + added + 1
  if (carriers.length > 2 || tier === 'upper') sums.push(heaviest)
  let documents = 0
  for (const { carries, most, slot } of words) {
    const sumMin = most + added + 1
    if (!carries) break
    if (documents >= SINGLE_WORDS_RATIO * pageEnd && sumMin < heaviest) {
      sums.push(sumMin)
      break
    }
    documents += slot.docFreq
  }
  return [...sums, -Infinity].map((sumMin, i) => {
    const rankedFrom = sums[i - 1] ?? Infinity
    return { words, tierPoints: tier === 'upper' ? TIER_STEP : 0, sumMin, rankedFrom }
  })
}

type WordPoints = Omit<PartWord, 'carries'>

/**
 * Cached with the word, so that the lists of its best alternatives are also looked up only once.
 */
const pointsBySlot = new WeakMap<ResolvedSlot, WordPoints>()

function pointsOfWord(slot: ResolvedSlot): WordPoints {
  let points = pointsBySlot.get(slot)
  if (points === undefined) pointsBySlot.set(slot, (points = wordPoints(slot)))
  return points
}

function wordPoints(slot: ResolvedSlot): WordPoints {
  const { groups, phrases, shortPrefix, weight } = slot
  const qualities = [...groups.map(({ best }) => best), ...phrases.map(phraseQuality)]
  const best = Math.max(shortPrefix?.quality ?? 0, ...qualities)
  const isMain = (quality: number) => quality >= MAIN_QUALITY_SHARE * best
  const most = slotPoints(weight, best, SATURATED_MAX)
  const lesser = qualities.filter((quality) => !isMain(quality))
  const lesserPrefix =
    shortPrefix === undefined || isMain(shortPrefix.quality) ? undefined : shortPrefix
  if (lesser.length === 0 && lesserPrefix === undefined) {
    return { slot, main: undefined, most, lesserMost: most }
  }
  const main = {
    ...slot,
    groups: groups.filter((group) => isMain(group.best)),
    phrases: phrases.filter((phrase) => isMain(phraseQuality(phrase))),
    shortPrefix: lesserPrefix === undefined ? shortPrefix : undefined,
  }
  // The evidence of a short prefix is constant.
  const saturated = lesser.length === 0 ? saturate(SHORT_PREFIX_EVIDENCE) : SATURATED_MAX
  const lesserBest = Math.max(lesserPrefix?.quality ?? 0, ...lesser)
  return { slot, main, most, lesserMost: slotPoints(weight, lesserBest, saturated) }
}

function phraseQuality({ documents }: PhraseAlternative): number {
  return documents[0]?.quality ?? WEIGHT_SPLIT
}

/** Scratch sets of one window: the documents, those already ranked, and intermediate results. */
const OUT = 0
const RANKED = 1
const NESTED = 2

/**
 * Iterates over the documents of a part in one segment that may reach a score, window by window in
 * ascending order. Combines the sets of the words and scores only the result: a tenth of the
 * documents with the rarest word.
 */
export class TierPartIterator {
  readonly #sets: WordSets
  readonly #segmentIndex: number
  readonly #words: readonly PartWord[]
  readonly #tierPoints: number
  readonly #sumMin: number
  /**
   * In the upper tier, documents with all words are kept, because their value may equal the query.
   */
  readonly #sumMax: number
  readonly #ranked: WordSum
  #sums: WordSums = { documents: { kind: 'none' }, until: -Infinity }
  #scoreMin = Infinity

  constructor(
    sets: WordSets,
    segmentIndex: number,
    { words, tierPoints, sumMin, rankedFrom }: TierPart,
  ) {
    this.#sets = sets
    this.#segmentIndex = segmentIndex
    this.#words = words
    this.#tierPoints = tierPoints
    this.#sumMin = sumMin
    this.#sumMax = tierPoints === 0 ? Infinity : words.reduce((sum, { most }) => sum + most, 0)
    this.#ranked = wordSums(words, rankedFrom).documents
  }

  /**
   * Makes the documents of a window that may reach a score the set of the scratch memory.
   * @returns the length of `touched`
   */
  touch(window: number, scratch: WindowScratch, pageMin: number): number {
    const sumMin = Math.max(pageMin - this.#tierPoints, this.#sumMin)
    const scoreMin = Math.min(sumMin, this.#sumMax)
    if (scoreMin < this.#scoreMin || scoreMin > this.#sums.until) {
      this.#scoreMin = scoreMin
      this.#sums = wordSums(this.#words, scoreMin)
    }
    if (this.#sums.documents.kind === 'none') return 0
    const sets = this.#sets
    const bytes = sets.bytesOf(this.#segmentIndex, window)
    const out = this.#made(this.#sums.documents, window, OUT, bytes)
    if (this.#ranked.kind !== 'none') {
      const ranked = this.#made(this.#ranked, window, RANKED, bytes)
      sets.kernels.andNot(sets.scratch(OUT), out, ranked, bytes)
      return sets.touch(sets.scratch(OUT), bytes, scratch)
    }
    return sets.touch(out, bytes, scratch)
  }

  /**
   * The set of a formula, without a copy if it is a single word.
   * @param number scratch set for the result
   */
  #made(sum: WordSum, window: number, number: number, bytes: number): number {
    if (sum.kind === 'word') return this.#setOf(sum, window)
    const out = this.#sets.scratch(number)
    this.#sets.words(out, bytes).fill(0)
    this.#add(sum, window, out, NESTED, bytes)
    return out
  }

  #add(sum: WordSum, window: number, out: number, number: number, bytes: number): void {
    const { kernels } = this.#sets
    if (sum.kind === 'or') {
      for (const part of sum.parts) this.#add(part, window, out, number, bytes)
    } else if (sum.kind === 'word') {
      kernels.or(out, out, this.#setOf(sum, window), bytes)
    } else if (sum.kind === 'and') {
      const word = this.#setOf(sum.word, window)
      let rest: number
      if (sum.rest.kind === 'word') rest = this.#setOf(sum.rest, window)
      else {
        rest = this.#sets.scratch(number)
        this.#sets.words(rest, bytes).fill(0)
        this.#add(sum.rest, window, rest, number + 1, bytes)
      }
      kernels.orAnd(out, word, rest, bytes)
    }
  }

  #setOf({ word, main }: HeldWord, window: number): number {
    const { slot, main: reduced } = this.#words[word]!
    const set = this.#sets.of((main ? reduced : undefined) ?? slot, this.#segmentIndex)
    return this.#sets.inWindow(set, window)
  }
}
