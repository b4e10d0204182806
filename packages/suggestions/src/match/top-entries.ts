import { BLOCK_ENTRIES } from '../index/suggestion-index.ts'

export interface Ranked {
  readonly entry: number
  readonly rank: number
}

/** Higher ranks first, ties in the order of the texts. */
export function byRank(a: Ranked, b: Ranked): number {
  return b.rank - a.rank || a.entry - b.entry
}

/**
 * The entries of a range with the highest ranks, in order. Skips blocks whose highest rank is too
 * low, so that a range of all entries costs little more than a small one.
 *
 * @param blockRank an upper bound of the ranks of each block
 * @param rankOf 0 for excluded entries
 */
export function topEntries(
  low: number,
  high: number,
  count: number,
  blockRank: Float64Array,
  rankOf: (entry: number) => number,
): Ranked[] {
  let best: Ranked[] = []
  let threshold = 0
  const prune = (): void => {
    best = best.sort(byRank).slice(0, count)
    if (best.length === count) threshold = best.at(-1)!.rank
  }
  for (let entry = low; entry < high;) {
    const block = Math.floor(entry / BLOCK_ENTRIES)
    const end = Math.min(high, (block + 1) * BLOCK_ENTRIES)
    if (blockRank[block]! <= threshold) {
      entry = end
      continue
    }
    for (; entry < end; entry++) {
      const rank = rankOf(entry)
      // Ties keep the earlier entry, and entries come in order.
      if (rank > threshold) best.push({ entry, rank })
    }
    if (best.length >= 2 * count) prune()
  }
  prune()
  return best
}
