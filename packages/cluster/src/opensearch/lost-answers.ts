/**
 * A request sent before a node was lost that has no response after this time gets none. A cluster
 * answers most of them within a second.
 */
const ANSWER_LIMIT_MS = 2_000

/** Who makes up a cluster, as one of its nodes sees it. */
export interface Membership {
  /** Ids of the nodes that belong to the cluster; a node that starts again has another one. */
  readonly members: ReadonlySet<string>
  /** Grows with each election of a manager. Absent if the node does not report it. */
  readonly term?: number | undefined
}

/**
 * Tracks when a cluster may have forgotten to answer. A write that waits for a copy on a lost node
 * gets an error, or occasionally no response:
 * https://github.com/opensearch-project/OpenSearch/issues/9183. So does a write during an election,
 * because nodes without a manager close their shards; all nodes may be members before and after it.
 * A retry is answered at once.
 */
export class LostAnswers {
  #before: Membership = { members: new Set() }
  readonly #lossesMs: number[] = []

  /** @param nowMs `performance.now()` */
  see(now: Membership, nowMs: number): void {
    const { members, term } = this.#before
    const isLost = [...members].some((member) => !now.members.has(member))
    const isElected = term !== undefined && now.term !== undefined && now.term > term
    if (isLost || isElected) this.#lossesMs.push(nowMs)
    this.#before = { members: now.members, term: now.term ?? term }
  }

  /** @returns requests sent before this time that still wait will most probably get no response */
  hopelessBeforeMs(nowMs: number): number | undefined {
    let last: number | undefined
    while (this.#lossesMs.length > 0 && this.#lossesMs[0]! + ANSWER_LIMIT_MS <= nowMs) {
      last = this.#lossesMs.shift()
    }
    return last
  }
}
