import { RANK_STEP } from '../index/build-index.ts'
import {
  BLOCK_ENTRIES,
  type SuggestionIndex,
  type WindowCounts,
} from '../index/suggestion-index.ts'
import { WINDOWS } from '../index/windows.ts'

/** The part of a window that matching needs. */
export type RankCounts = Pick<
  WindowCounts,
  'rank' | 'blockRank' | 'ranked' | 'visitors' | 'networks'
>

/** The counts of a window for searches with certain tags. Names of the catalog have no tags. */
export function taggedCounts(
  index: SuggestionIndex,
  window: number,
  tags: readonly string[],
  allTags: boolean,
): RankCounts {
  const rank = new Float64Array(index.length)
  const visitors = new Uint32Array(index.length)
  index.tagSets.forEach((set, number) => {
    const fits = allTags
      ? tags.every((tag) => set.includes(tag))
      : tags.some((tag) => set.includes(tag))
    if (!fits) return
    const values = index.tagged.of(number)
    for (let at = 0; at < values.length; at += 1 + 2 * WINDOWS.length) {
      const entry = values[at]!
      rank[entry]! += values[at + 1 + window]! * RANK_STEP
      visitors[entry]! += values[at + 1 + WINDOWS.length + window]!
    }
  })
  return { ...summedUp(rank), rank, visitors, networks: index.windows[window]!.networks }
}

/** Precomputes sums for top lists and totals, so that they do not visit each entry. */
export function summedUp(rank: Float64Array): Pick<WindowCounts, 'blockRank' | 'ranked'> {
  const blockRank = new Float64Array(Math.ceil(rank.length / BLOCK_ENTRIES))
  const ranked = new Uint32Array(rank.length + 1)
  for (let entry = 0; entry < rank.length; entry++) {
    const block = Math.floor(entry / BLOCK_ENTRIES)
    if (rank[entry]! > blockRank[block]!) blockRank[block] = rank[entry]!
    ranked[entry + 1] = ranked[entry]! + (rank[entry]! > 0 ? 1 : 0)
  }
  return { blockRank, ranked }
}
