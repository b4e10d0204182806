import type { RankedDocument } from './rescorer.ts'
import { pinnedRanks, type PinnedDocument } from '../match/pinned-documents.ts'

/** A hit: ranked, or pinned, whose score is 0. */
export interface PageEntry extends RankedDocument {
  readonly pinned?: true
  readonly byId?: true
}

/**
 * The page [from, end): pinned documents at their positions, ranked ones around them.
 *
 * @param pinned by position
 * @param found documents, pinned ones included
 * @param ranked documents of these ranks, among those that are not pinned
 */
export function withPinned(
  pinned: readonly PinnedDocument[],
  found: number,
  from: number,
  end: number,
  ranked: (from: number, end: number) => RankedDocument[],
): PageEntry[] {
  if (pinned.length === 0) return ranked(from, end)
  const ranks = pinnedRanks(pinned, found - pinned.length)
  const pinnedBefore = (rank: number) => ranks.filter((other) => other < rank).length
  const first = pinnedBefore(from)
  const others = ranked(from - first, end - pinnedBefore(end))
  const page: PageEntry[] = []
  let [pin, other] = [first, 0]
  for (let rank = from; rank < end; rank++) {
    if (ranks[pin] === rank) page.push({ ...pinned[pin++]!, score: 0, pinned: true })
    else if (other < others.length) page.push(others[other++]!)
  }
  return page
}
