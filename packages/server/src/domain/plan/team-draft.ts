/** The ranking that contributed a result; undefined: both, in the same place. */
export type Team = 'live' | 'draft'

export interface Drafted<Item> {
  readonly item: Item
  readonly team: Team | undefined
}

/**
 * Interleaves two rankings by team draft (Radlinski, Kurup, Joachims, "How does clickthrough data
 * reflect retrieval quality?", 2008): in each round a coin decides which team picks first, and each
 * picks its best item that is not taken. A common beginning of the rankings belongs to no team, so
 * that clicks on it do not count (Radlinski, Craswell, "Comparing the sensitivity of information
 * retrieval metrics", 2010).
 *
 * @param keyOf the same for one item in both rankings
 * @param isLiveFirst the coin of a round, from 0
 * @param size maximum number of items; fewer if both rankings are shorter
 */
export function teamDraft<Item>(
  live: readonly Item[],
  draft: readonly Item[],
  keyOf: (item: Item) => number,
  isLiveFirst: (round: number) => boolean,
  size: number,
): Drafted<Item>[] {
  const drafted: Drafted<Item>[] = []
  const taken = new Set<number>()
  const take = (item: Item, team: Team | undefined): void => {
    taken.add(keyOf(item))
    drafted.push({ item, team })
  }
  let same = 0
  while (
    same < Math.min(live.length, draft.length, size) &&
    keyOf(live[same]!) === keyOf(draft[same]!)
  ) {
    take(live[same++]!, undefined)
  }
  const rankings = { live, draft }
  const next = { live: same, draft: same }
  const pick = (team: Team): boolean => {
    const ranking = rankings[team]
    while (next[team] < ranking.length && taken.has(keyOf(ranking[next[team]]!))) next[team]++
    const item = ranking[next[team]]
    if (item === undefined || drafted.length >= size) return false
    take(item, team)
    return true
  }
  for (let round = 0; drafted.length < size; round++) {
    const order: readonly Team[] = isLiveFirst(round) ? ['live', 'draft'] : ['draft', 'live']
    const picked = order.map(pick)
    if (!picked.includes(true)) break
  }
  return drafted
}
