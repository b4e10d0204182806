/**
 * A request sent before a node was lost that has no response after this time gets none. A cluster
 * answers most of them within a second.
 */
const ANSWER_LIMIT_MS = 2_000

/**
 * Tracks when a cluster lost a node. A write that waits for the copy on such a node gets an error,
 * or occasionally no response: https://github.com/opensearch-project/OpenSearch/issues/9183. A
 * retry is answered at once.
 */
export class LostMembers {
  #members: ReadonlySet<string> = new Set()
  readonly #lossesMs: number[] = []

  /**
   * @param members ids of the nodes that the cluster has now; a node that starts again has another
   * @param nowMs `performance.now()`
   */
  see(members: ReadonlySet<string>, nowMs: number): void {
    if ([...this.#members].some((member) => !members.has(member))) this.#lossesMs.push(nowMs)
    this.#members = members
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
