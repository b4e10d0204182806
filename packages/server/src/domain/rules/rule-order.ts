/** A rule by its place in the order in which rules apply. */
export interface PlacedRule {
  readonly id: string
  readonly priority: number
}

/** Room between two priorities, so that a rule that is moved later fits in between. */
const GAP = 10

/**
 * The priorities that put rules into an order. Rules that are in order already keep theirs, as
 * many as possible; if there is no room between them, all get new ones.
 *
 * @param order the first one to apply first
 * @param priorityMax the greatest priority; also below zero
 * @returns only the rules whose priority changes
 */
export function reordered(order: readonly PlacedRule[], priorityMax: number): PlacedRule[] {
  return changedBetween(order, keptRules(order), priorityMax) ?? renumbered(order)
}

/** Whether two rules apply in this order: the higher priority first, equal ones by id. */
export function comesFirst(a: PlacedRule, b: PlacedRule): boolean {
  return a.priority > b.priority || (a.priority === b.priority && a.id < b.id)
}

/** Indexes of a longest subsequence that is in order already. */
function keptRules(order: readonly PlacedRule[]): number[] {
  // By length of a subsequence: the index of its last rule, the earliest possible one.
  const ends: number[] = []
  const before = new Int32Array(order.length).fill(-1)
  for (const [i, rule] of order.entries()) {
    let low = 0
    let high = ends.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (comesFirst(order[ends[middle]!]!, rule)) low = middle + 1
      else high = middle
    }
    before[i] = low === 0 ? -1 : ends[low - 1]!
    ends[low] = i
  }
  const kept: number[] = []
  for (let at = ends.at(-1) ?? -1; at >= 0; at = before[at]!) kept.push(at)
  return kept.toReversed()
}

/** @returns undefined if some rules do not fit between those that keep their priority */
function changedBetween(
  order: readonly PlacedRule[],
  kept: readonly number[],
  priorityMax: number,
): PlacedRule[] | undefined {
  const changed: PlacedRule[] = []
  for (let k = 0; k <= kept.length; k++) {
    const [from, to] = [kept[k - 1] ?? -1, kept[k] ?? order.length]
    const moved = order.slice(from + 1, to)
    if (moved.length === 0) continue
    const [above, below] = [order[from], order[to]]
    const top = above?.priority ?? (below?.priority ?? 0) + GAP * (moved.length + 1)
    const bottom = below?.priority ?? top - GAP * (moved.length + 1)
    const step = Math.floor((top - bottom) / (moved.length + 1))
    if (step < 1 || top - step > priorityMax || bottom + 1 < -priorityMax) return undefined
    for (const [i, { id }] of moved.entries()) {
      const priority = top - step * (i + 1)
      if (Math.abs(priority) > priorityMax) return undefined
      changed.push({ id, priority })
    }
  }
  return changed
}

function renumbered(order: readonly PlacedRule[]): PlacedRule[] {
  return order
    .map(({ id }, i) => ({ id, priority: GAP * (order.length - i) }))
    .filter(({ priority }, i) => priority !== order[i]!.priority)
}
