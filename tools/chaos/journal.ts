/** What a client knows about one document: its version, or that it is absent. */
export type Known = number | undefined

/**
 * What one writer has sent and what was answered. Before each call the intent is noted, after its
 * answer the acknowledgement; a call that was cut off may have happened or not, and an intent
 * without an acknowledgement is held against neither.
 */
export class Journal {
  /** Acknowledged. Ids that were never written are not in it. */
  readonly known = new Map<string, Known>()
  #intent: Intent | undefined
  /** Calls that were acknowledged. */
  ackCount = 0

  intend(intent: Intent): void {
    this.#intent = intent
  }

  acknowledge(): void {
    for (const [id, known] of this.#intent?.changes ?? []) this.known.set(id, known)
    this.#intent = undefined
    this.ackCount++
  }

  /** The server refused the call: nothing was changed. */
  refuse(): void {
    this.#intent = undefined
  }

  /** Every id that the writer has touched. */
  ids(): string[] {
    return [...new Set([...this.known.keys(), ...(this.#intent?.changes.keys() ?? [])])]
  }

  /**
   * Holds what is found after a restart against the journal, and makes it the new knowledge.
   *
   * @param actual by id, for all of `ids()`
   * @returns what is wrong, one line each
   */
  reconcile(actual: ReadonlyMap<string, Known>): string[] {
    const problems: string[] = []
    const changed: string[] = []
    const unchanged: string[] = []
    for (const id of this.ids()) {
      const found = actual.get(id)
      const before = this.known.get(id)
      const after = this.#intent?.changes.has(id) === true ? this.#intent.changes.get(id) : before
      if (found !== before && found !== after) {
        problems.push(`${id}: expected ${text(before)} or ${text(after)}, found ${text(found)}`)
      } else if (before !== after) {
        if (found === after) changed.push(id)
        else unchanged.push(id)
      }
      this.known.set(id, found)
    }
    if (this.#intent?.allOrNothing === true && changed.length > 0 && unchanged.length > 0) {
      problems.push(
        `half of a whole change: ${changed.length} ids changed, ${unchanged.length} not`,
      )
    }
    this.#intent = undefined
    return problems
  }
}

export interface Intent {
  readonly changes: ReadonlyMap<string, Known>
  /** The changes happen together or not at all (clear, replace); else each by itself. */
  readonly allOrNothing: boolean
}

function text(known: Known): string {
  return known === undefined ? 'absent' : `version ${known}`
}
