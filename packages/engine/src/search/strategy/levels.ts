import {
  countedMin,
  INFIX_EVIDENCE,
  saturate,
  SHORT_PREFIX_EVIDENCE,
  slotPoints,
  TIER_STEP,
  WEIGHT_INFIX,
} from '../../scoring/formula.ts'
import { BitDocuments } from '../match/document-set.ts'
import { keepNewest } from '../match/newest-documents.ts'
import { postingsOf } from '../match/postings-of.ts'
import { wordBounds } from '../model/word-bounds.ts'
import type { ResolvedSlot } from '../words/resolved-slot.ts'
import { BestOfList, longListOf } from './best-of-list.ts'
import { EveryMatch, type Choice, type Strategy } from './strategy.ts'

/**
 * For queries of one word: first the documents with its main alternatives, then the others. The
 * likely meaning of a misspelt word fills the page, and its fifteen other candidates are only
 * counted. Of a long list, only the documents with the best impacts are scored.
 */
export function levels(choice: Choice, slot: ResolvedSlot): Strategy[] {
  const { view } = choice.run
  const split = splitLevels(slot)
  const long = longListOf(view, slot, split?.main ?? slot)
  const lesserSize = split === undefined ? 0 : postingsOf(view, slot) - postingsOf(view, split.main)
  const saved = lesserSize + (long?.leftOut ?? 0)
  const every = [new EveryMatch(choice.matches)]
  if (saved < view.rankAllMax) return every
  if (split === undefined) {
    return long === undefined ? every : [new BestOfList(choice, slot, long, -Infinity)]
  }
  const { main, lesserMax } = split
  const first =
    long === undefined
      ? new MainLevel(choice, main, lesserMax)
      : new BestOfList(choice, main, long, lesserMax)
  return [first, new LesserLevel(choice, split)]
}

interface Levels {
  /** The slot with only its main alternatives. */
  readonly main: ResolvedSlot
  /** Maximum score of a document that has only others. */
  readonly lesserMax: number
  /** Whether all of these score the same. */
  readonly areAlike: boolean
}

/** @returns undefined if all alternatives are main ones */
function splitLevels(slot: ResolvedSlot): Levels | undefined {
  const { shortPrefix, infix, weight } = slot
  const tierOf = (counts: boolean) => (counts ? TIER_STEP : 0)
  if ((shortPrefix === undefined) === (infix === undefined)) {
    const { main, lesserMost, lesserCounts } = wordBounds(slot)
    return main && { main, lesserMax: tierOf(lesserCounts) + lesserMost, areAlike: false }
  }
  const quality = shortPrefix?.quality ?? WEIGHT_INFIX
  const evidence = shortPrefix === undefined ? INFIX_EVIDENCE : SHORT_PREFIX_EVIDENCE
  const counts = slot.slot.stopword || quality >= countedMin(slot.hasNeighbours)
  return {
    main: { ...slot, shortPrefix: undefined, infix: undefined },
    lesserMax: tierOf(counts) + slotPoints(weight, quality, saturate(evidence)),
    areAlike: true,
  }
}

/** The documents with a main alternative. */
class MainLevel implements Strategy {
  readonly missedMax: number
  readonly narrows = false
  readonly #choice: Choice
  readonly #slot: ResolvedSlot

  constructor(choice: Choice, slot: ResolvedSlot, missedMax: number) {
    this.#choice = choice
    this.#slot = slot
    this.missedMax = missedMax
  }

  candidates(segmentIndex: number, window: number): number {
    const { sets, matches } = this.#choice
    const { found } = matches.in(segmentIndex)
    if (!(found instanceof BitDocuments)) return 0
    const bytes = sets.bytesOf(segmentIndex, window)
    const set = sets.inWindow(sets.of(this.#slot, segmentIndex), window)
    sets.kernels.and(sets.scratch(0), set, sets.inWindow(found.set, window), bytes)
    return sets.touch(sets.scratch(0), bytes)
  }
}

/** The documents with other alternatives only. */
class LesserLevel implements Strategy {
  readonly missedMax = -Infinity
  readonly narrows = false
  readonly #choice: Choice
  readonly #main: ResolvedSlot
  /** How many of each segment can reach the page. */
  readonly #newest: number
  #segmentIndex = -1
  #documents: BitDocuments | undefined

  constructor(choice: Choice, { main, areAlike }: Levels) {
    this.#choice = choice
    this.#main = main
    this.#newest = areAlike ? choice.page.alikeMax : Infinity
  }

  candidates(segmentIndex: number, window: number): number {
    if (segmentIndex !== this.#segmentIndex) {
      this.#documents = this.#documentsIn(segmentIndex)
      this.#segmentIndex = segmentIndex
    }
    return this.#documents?.touch(window) ?? 0
  }

  #documentsIn(segmentIndex: number): BitDocuments | undefined {
    const { sets, matches } = this.#choice
    const { found } = matches.in(segmentIndex)
    if (!(found instanceof BitDocuments)) return undefined
    const main = sets.of(this.#main, segmentIndex)
    const bytes = sets.bytes(segmentIndex)
    const set = sets.room(segmentIndex)
    sets.kernels.andNot(set, found.set, main, bytes)
    if (this.#newest < Infinity) {
      const { insertions } = this.#choice.run.view.segments[segmentIndex]!.reader
      keepNewest(sets.words(set, bytes), insertions, this.#newest)
    }
    return new BitDocuments(sets, set, segmentIndex)
  }
}
