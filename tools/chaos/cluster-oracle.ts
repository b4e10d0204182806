/** What a document may be: a version, or absent. */
export type DocumentState = number | 'absent'

interface Entry {
  /** One when the last call was answered; more after calls that were not. */
  possible: Set<DocumentState>
  /** Raised by whatever may change the document. */
  epoch: number
  isBusy: boolean
}

/**
 * What the documents of a store may be, by what was sent and answered. An acknowledged write leaves
 * one state; a call without a success leaves what was before and what it wanted. Each id has one
 * call at a time.
 */
export class ClusterOracle {
  readonly #entries = new Map<string, Entry>()

  ids(): string[] {
    return [...this.#entries.keys()]
  }

  possible(id: string): ReadonlySet<DocumentState> {
    return this.#entry(id).possible
  }

  /** Whether no call on it is under way. */
  isIdle(id: string): boolean {
    return !this.#entry(id).isBusy
  }

  /** Equal before and after a read: nothing was changed meanwhile. */
  epoch(id: string): number {
    return this.#entry(id).epoch
  }

  begin(id: string, wanted: DocumentState): void {
    const entry = this.#entry(id)
    entry.possible = new Set([...entry.possible, wanted])
    entry.epoch++
    entry.isBusy = true
  }

  /** The call was answered: this is what the document is now. */
  end(id: string, state: DocumentState): void {
    this.unanswered(id)
    this.#entry(id).possible = new Set([state])
  }

  /** It was refused or cut off: it may have been done. */
  unanswered(id: string): void {
    const entry = this.#entry(id)
    entry.epoch++
    entry.isBusy = false
  }

  /** @returns what is wrong, one line each; what was seen is what holds from now on */
  reconcile(actual: ReadonlyMap<string, number>): string[] {
    const problems: string[] = []
    for (const id of actual.keys()) {
      if (!this.#entries.has(id)) problems.push(`${id} was never written`)
    }
    for (const [id, entry] of this.#entries) {
      const found = actual.get(id) ?? 'absent'
      if (!entry.possible.has(found)) {
        problems.push(`${id} is ${found}, expected ${[...entry.possible].join(' or ')}`)
      }
      entry.possible = new Set([found])
    }
    return problems
  }

  #entry(id: string): Entry {
    let entry = this.#entries.get(id)
    if (entry === undefined) {
      entry = { possible: new Set(['absent']), epoch: 0, isBusy: false }
      this.#entries.set(id, entry)
    }
    return entry
  }
}
