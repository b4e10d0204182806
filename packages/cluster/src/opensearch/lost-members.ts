/**
 * Who was sent something before a node was lost, and has no answer after so long, gets none. A
 * cluster tells most of them within a second.
 */
const ANSWER_LIMIT_MS = 2_000

/**
 * When a cluster lost a node. A write that waits for the copy on such a node is told so, or, now
 * and then, never: https://github.com/opensearch-project/OpenSearch/issues/9183. Another try is
 * answered at once.
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

  /** @returns requests that were sent before this and still wait get no answer, most probably */
  hopelessBeforeMs(nowMs: number): number | undefined {
    let last: number | undefined
    while (this.#lossesMs.length > 0 && this.#lossesMs[0]! + ANSWER_LIMIT_MS <= nowMs) {
      last = this.#lossesMs.shift()
    }
    return last
  }
}
