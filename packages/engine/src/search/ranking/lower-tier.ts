import { WINDOW_SIZE } from '../../postings/postings-format.ts'
import {
  saturate,
  SATURATED_MAX,
  SHORT_PREFIX_EVIDENCE,
  slotPoints,
  WEIGHT_SPLIT,
} from '../../scoring/formula.ts'
import type { SegmentView } from '../view/index-view.ts'
import type { SearchRun } from '../view/search-run.ts'
import type { GroupAlternative, PhraseAlternative, ResolvedSlot } from '../words/resolved-slot.ts'
import { touchMembers } from './member-kernels.ts'
import { SlotUnion } from './slot-union.ts'
import type { WindowScratch } from './window-scratch.ts'
import { wordSums, type WordBound, type WordSum, type WordSums } from './word-sums.ts'

/** A word of the query, for documents that lack another one. */
interface LowerWord extends WordBound {
  readonly slot: ResolvedSlot
  /** Reduced to its main alternatives; undefined when all are. */
  readonly main: ResolvedSlot | undefined
}

/**
 * A part of the documents of the lower tier, by what their words can earn together: those with the
 * most come first, and often none of the others can reach the page.
 */
export interface LowerPart {
  readonly words: readonly LowerWord[]
  /** Documents whose words earn fewer points at most are left out. */
  readonly sumMin: number
  /** Documents whose words may earn so many points have been ranked. */
  readonly rankedFrom: number
}

/** A part has single words with this many times as many documents as the page. */
const SINGLE_WORDS_RATIO = 4

/** Alternatives with at least this share of the best quality are the main ones. */
const MAIN_QUALITY_SHARE = 0.5

/**
 * The lower tier in parts: documents with two words or more, those with a heavy word, all.
 *
 * @param carriers the slots that make a document match by themselves
 * @param pageEnd the rank behind the page
 */
export function lowerParts(
  known: readonly ResolvedSlot[],
  carriers: readonly ResolvedSlot[],
  pageEnd: number,
): readonly LowerPart[] {
  const words = known
    .map((slot) => lowerWord(slot, carriers.includes(slot)))
    .sort((a, b) => Number(b.carries) - Number(a.carries) || b.most - a.most)
  const added = words.reduce((sum, { carries, most }) => sum + (carries ? 0 : most), 0)
  const sums: number[] = []
  const heaviest = words[0]!.most + added + 1
  if (carriers.length > 2) sums.push(heaviest)
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
    return { words, sumMin, rankedFrom: sums[i - 1] ?? Infinity }
  })
}

function lowerWord(slot: ResolvedSlot, carries: boolean): LowerWord {
  const { groups, phrases, shortPrefix, weight } = slot
  const qualities = [...groups.map(groupQuality), ...phrases.map(phraseQuality)]
  const best = Math.max(shortPrefix?.quality ?? 0, ...qualities)
  const isMain = (quality: number) => quality >= MAIN_QUALITY_SHARE * best
  const most = slotPoints(weight, best, SATURATED_MAX)
  const lesser = qualities.filter((quality) => !isMain(quality))
  const lesserPrefix =
    shortPrefix === undefined || isMain(shortPrefix.quality) ? undefined : shortPrefix
  if (lesser.length === 0 && lesserPrefix === undefined) {
    return { slot, main: undefined, most, lesserMost: most, carries }
  }
  const main = {
    ...slot,
    groups: groups.filter((group) => isMain(groupQuality(group))),
    phrases: phrases.filter((phrase) => isMain(phraseQuality(phrase))),
    shortPrefix: lesserPrefix === undefined ? shortPrefix : undefined,
  }
  // The evidence of a short beginning is a constant.
  const saturated = lesser.length === 0 ? saturate(SHORT_PREFIX_EVIDENCE) : SATURATED_MAX
  const lesserBest = Math.max(lesserPrefix?.quality ?? 0, ...lesser)
  return { slot, main, most, lesserMost: slotPoints(weight, lesserBest, saturated), carries }
}

function groupQuality({ quality }: GroupAlternative): number {
  return typeof quality === 'number' ? quality : Math.max(...quality)
}

function phraseQuality({ documents }: PhraseAlternative): number {
  return documents[0]?.quality ?? WEIGHT_SPLIT
}

const WINDOW_WORDS = WINDOW_SIZE / 32
/** Sets of one window, lent to one search after the other. */
const lent: Uint32Array[] = []

function lend(number: number): Uint32Array {
  return (lent[number] ??= new Uint32Array(WINDOW_WORDS))
}

/**
 * The documents of one segment that may reach a score without having all words, window by window in
 * ascending order. Their sets are combined 32 documents at a time, and only what is left is scored:
 * a tenth of the documents that have the rarest word.
 */
export class LowerTier {
  readonly #run: SearchRun
  readonly #segment: SegmentView
  readonly #segmentIndex: number
  readonly #words: readonly LowerWord[]
  readonly #sumMin: number
  readonly #ranked: WordSum
  #sums: WordSums = { documents: { kind: 'none' }, until: -Infinity }
  #scoreMin = Infinity
  /** By set: 2 * word, + 1 for the main alternatives. */
  readonly #unions: (SlotUnion | undefined)[] = []
  /** By set: the window whose documents it holds. */
  readonly #windows: number[]

  constructor(
    run: SearchRun,
    segment: SegmentView,
    segmentIndex: number,
    { words, sumMin, rankedFrom }: LowerPart,
  ) {
    this.#run = run
    this.#segment = segment
    this.#segmentIndex = segmentIndex
    this.#words = words
    this.#sumMin = sumMin
    this.#ranked = wordSums(words, rankedFrom).documents
    this.#windows = words.flatMap(() => [-1, -1])
  }

  /**
   * Adds the documents of a window that may have a score to the set.
   * @returns the new length of `touched`
   */
  touch(
    window: number,
    { seen, touched }: WindowScratch,
    touchedCount: number,
    pageMin: number,
  ): number {
    const scoreMin = Math.max(pageMin, this.#sumMin)
    if (scoreMin < this.#scoreMin || scoreMin > this.#sums.until) {
      this.#scoreMin = scoreMin
      this.#sums = wordSums(this.#words, scoreMin)
    }
    if (this.#sums.documents.kind === 'none') return touchedCount
    const out = this.#cleared(2 * this.#words.length)
    this.#add(this.#sums.documents, window, out, 0)
    if (this.#ranked.kind !== 'none') {
      const ranked = this.#cleared(2 * this.#words.length + 1)
      this.#add(this.#ranked, window, ranked, 1)
      dropWords(out, ranked)
    }
    return touchMembers(out, seen, touched, touchedCount)
  }

  #cleared(number: number): Uint32Array {
    return lend(number).fill(0)
  }

  #add(sum: WordSum, window: number, out: Uint32Array, depth: number): void {
    if (sum.kind === 'or') {
      for (const part of sum.parts) this.#add(part, window, out, depth)
    } else if (sum.kind === 'word') {
      orWords(out, this.#setOf(sum.word, sum.main, window))
    } else if (sum.kind === 'and') {
      const { word, rest } = sum
      const set = this.#setOf(word.word, word.main, window)
      if (rest.kind === 'word') {
        orBoth(out, set, this.#setOf(rest.word, rest.main, window))
        return
      }
      const others = this.#cleared(2 * this.#words.length + 1 + depth)
      this.#add(rest, window, others, depth + 1)
      orBoth(out, set, others)
    }
  }

  #setOf(word: number, isMain: boolean, window: number): Uint32Array {
    const { slot, main } = this.#words[word]!
    const number = 2 * word + (isMain && main !== undefined ? 1 : 0)
    const set = lend(number)
    if (this.#windows[number] === window) return set
    this.#windows[number] = window
    const union = (this.#unions[number] ??= new SlotUnion(
      this.#run,
      this.#segment,
      this.#segmentIndex,
      [number % 2 === 1 ? main! : slot],
    ))
    union.fill(window, undefined, set)
    return set
  }
}

function orWords(out: Uint32Array, set: Uint32Array): void {
  for (let i = 0; i < WINDOW_WORDS; i++) out[i]! |= set[i]!
}

function orBoth(out: Uint32Array, a: Uint32Array, b: Uint32Array): void {
  for (let i = 0; i < WINDOW_WORDS; i++) out[i]! |= a[i]! & b[i]!
}

function dropWords(out: Uint32Array, set: Uint32Array): void {
  for (let i = 0; i < WINDOW_WORDS; i++) out[i]! &= ~set[i]!
}
