import { RANK_STEP } from '../index/build-index.ts'
import type { StringList } from '../index/string-list.ts'
import { summedUp, type RankCounts } from './tagged-counts.ts'

/**
 * Minimum of sessions of a query shown for an empty query; queries of one character are hidden too.
 */
export const UNTYPED_SESSIONS_MIN = 2
export const UNTYPED_CHARS_MIN = 2

/** Requirements for a query to be suggested. */
export interface Guards {
  readonly minPopularity: number
  readonly minSessions: number
  readonly minNetworks: number
}

/**
 * Counts with the ranks that guards leave. An entry that fails a guard may still be a name of the
 * catalog. Takes one pass over all entries: cache it for later requests.
 *
 * @param texts to hide single characters; absent: they stay
 */
export function guardedCounts(counts: RankCounts, guards: Guards, texts?: StringList): RankCounts {
  const { rank, visitors, networks } = counts
  const { minPopularity, minSessions, minNetworks } = guards
  const traffic = Math.max(minPopularity, 1) * RANK_STEP
  const guarded = rank.map((full, entry) => {
    if (texts !== undefined && isTooShort(texts, entry)) return 0
    const passes =
      full >= traffic &&
      visitors[entry]! >= minSessions &&
      (minNetworks <= 1 || networks[entry]! >= minNetworks)
    return passes ? full : nameRank(full, guards)
  })
  return { ...counts, ...summedUp(guarded), rank: guarded }
}

/** The part of a rank that does not depend on searches. */
export function nameRank(rank: number, { minPopularity }: Guards): number {
  return minPopularity > 0 ? 0 : rank % RANK_STEP
}

function isTooShort(texts: StringList, entry: number): boolean {
  const unitCount = texts.offsets[entry + 1]! - texts.offsets[entry]!
  // A character has at most two code units.
  return unitCount <= 2 && [...texts.get(entry)].length < UNTYPED_CHARS_MIN
}
