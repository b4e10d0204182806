/** The state of a document: a version, or absent. */
export type DocumentState = number | 'absent'

interface Entry {
  /** One state if the last call was answered; more after unanswered calls. */
  possible: Set<DocumentState>
  /** Increases with every possible change of the document. */
  epoch: number
  isBusy: boolean
}

/**
 * The possible states of the documents of a store, by sent and answered calls. An acknowledged
 * write leaves one state; a call without a success leaves both the previous and the requested
 * state. Each id has one call at a time.
 */
export class ClusterOracle {
  readonly #entries = new Map<string, Entry>()

  ids(): string[] {
    return [...this.#entries.keys()]
  }

  possible(id: string): ReadonlySet<DocumentState> {
    return this.#entry(id).possible
  }

  /** Whether no call on it is in flight. */
  isIdle(id: string): boolean {
    return !this.#entry(id).isBusy
  }

  /** Equal before and after a read if nothing changed in between. */
  epoch(id: string): number {
    return this.#entry(id).epoch
  }

  begin(id: string, wanted: DocumentState): void {
    const entry = this.#entry(id)
    entry.possible = new Set([...entry.possible, wanted])
    entry.epoch++
    entry.isBusy = true
  }

  /** The call was answered: this is the state of the document. */
  end(id: string, state: DocumentState): void {
    this.unanswered(id)
    this.#entry(id).possible = new Set([state])
  }

  /** The call was refused or interrupted: it may have been executed. */
  unanswered(id: string): void {
    const entry = this.#entry(id)
    entry.epoch++
    entry.isBusy = false
  }

  /** @returns problems, one line each; the observed states are the possible ones from now on */
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
