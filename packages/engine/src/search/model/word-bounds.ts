import {
  countedMin,
  INFIX_EVIDENCE,
  pointsOfFactor,
  saturate,
  SATURATED_MAX,
  SHORT_PREFIX_EVIDENCE,
  slotFactor,
  slotPoints,
  WEIGHT_INFIX,
  WEIGHT_SPLIT,
} from '../../scoring/formula.ts'
import type { PhraseAlternative, ResolvedSlot } from '../words/resolved-slot.ts'

/** Maximum points of a query term, and of its lesser alternatives: what MaxScore needs to know. */
export interface WordBounds {
  readonly slot: ResolvedSlot
  /** The slot with only its main alternatives; undefined if all are. */
  readonly main: ResolvedSlot | undefined
  /** Points of a document through any alternative. */
  readonly most: number
  /** The same through lesser ones only; equal to `most` without any. */
  readonly lesserMost: number
  /** Whether a document can have the word, for its tier, through lesser ones only. */
  readonly lesserCounts: boolean
}

/** Minimum share of the best quality for the main alternatives. */
const MAIN_QUALITY_SHARE = 0.5

/**
 * Cached with the word, so that the lists of its main alternatives are also looked up only once.
 */
const known = new WeakMap<ResolvedSlot, WordBounds>()

export function wordBounds(slot: ResolvedSlot): WordBounds {
  let bounds = known.get(slot)
  if (bounds === undefined) known.set(slot, (bounds = boundsOf(slot)))
  return bounds
}

function boundsOf(slot: ResolvedSlot): WordBounds {
  const { groups, phrases, shortPrefix, infix, weight } = slot
  const qualities = [...groups.map(({ best }) => best), ...phrases.map(phraseQuality)]
  // The evidence of short prefixes and infixes is constant.
  const constant = Math.max(shortPrefix?.quality ?? 0, infix === undefined ? 0 : WEIGHT_INFIX)
  const best = Math.max(constant, ...qualities)
  const isMain = (quality: number) => quality >= MAIN_QUALITY_SHARE * best
  const most = slotPoints(weight, best, SATURATED_MAX)
  const lesser = qualities.filter((quality) => !isMain(quality))
  const hasLesserPrefix = shortPrefix !== undefined && !isMain(shortPrefix.quality)
  const hasLesserInfix = infix !== undefined && !isMain(WEIGHT_INFIX)
  if (lesser.length === 0 && !hasLesserPrefix && !hasLesserInfix) {
    return { slot, main: undefined, most, lesserMost: most, lesserCounts: true }
  }
  const lesserConstant = Math.max(
    hasLesserPrefix ? shortPrefix.quality : 0,
    hasLesserInfix ? WEIGHT_INFIX : 0,
  )
  const lesserBest = Math.max(lesserConstant, ...lesser)
  const main = {
    ...slot,
    groups: groups.filter((group) => isMain(group.best)),
    phrases: phrases.filter((phrase) => isMain(phraseQuality(phrase))),
    shortPrefix: hasLesserPrefix ? undefined : shortPrefix,
    infix: hasLesserInfix ? undefined : infix,
  }
  const lesserMost =
    lesser.length > 0
      ? slotPoints(weight, lesserBest, SATURATED_MAX)
      : slotPoints(weight, lesserBest, saturate(SHORT_PREFIX_EVIDENCE + INFIX_EVIDENCE))
  const lesserCounts = slot.slot.stopword || lesserBest >= countedMin(slot.hasNeighbours)
  return { slot, main, most, lesserMost, lesserCounts }
}

function phraseQuality({ documents }: PhraseAlternative): number {
  return documents[0]?.quality ?? WEIGHT_SPLIT
}

/**
 * Finds the impact codes with which a document reaches some points through an alternative.
 *
 * @param quality q of the alternative
 * @param saturated by code
 * @param reaches receives, by code, 1 or 0
 */
export function markReaching(
  { weight }: ResolvedSlot,
  quality: number,
  saturated: Float32Array,
  pointsMin: number,
  reaches: Uint8Array,
): void {
  const factor = slotFactor(weight, quality)
  for (let code = 0; code < saturated.length; code++) {
    const value = saturated[code]!
    reaches[code] = value > 0 && pointsOfFactor(factor, value) >= pointsMin ? 1 : 0
  }
}
