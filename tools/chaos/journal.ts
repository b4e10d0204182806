/** The known state of one document: its version, or absent. */
export type Known = number | undefined

/**
 * The calls of one writer and their answers. Records the intent before each call and the
 * acknowledgement after its answer; an interrupted call may have been executed or not, and both
 * outcomes of an unacknowledged intent are valid.
 */
export class Journal {
  /** Acknowledged states. Does not contain ids that were never written. */
  readonly known = new Map<string, Known>()
  #intent: Intent | undefined
  /** Number of acknowledged calls. */
  ackCount = 0

  intend(intent: Intent): void {
    this.#intent = intent
  }

  acknowledge(): void {
    for (const [id, known] of this.#intent?.changes ?? []) this.known.set(id, known)
    this.#intent = undefined
    this.ackCount++
  }

  /** The server refused the call: nothing changed. */
  refuse(): void {
    this.#intent = undefined
  }

  /** Every id touched by the writer. */
  ids(): string[] {
    return [...new Set([...this.known.keys(), ...(this.#intent?.changes.keys() ?? [])])]
  }

  /**
   * Compares the state after a restart with the journal, and adopts it.
   *
   * @param actual by id, for all of `ids()`
   * @returns problems, one line each
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
  /** Whether the changes are atomic (clear, replace) or independent. */
  readonly allOrNothing: boolean
}

function text(known: Known): string {
  return known === undefined ? 'absent' : `version ${known}`
}
