import { BURST_PAUSE_MS } from '@aisle/event-log'

/** A burst is over this long after its arrival: events of one burst may arrive in batches. */
export const BURST_HOLD_MS = 5_000

export interface BurstSearch {
  readonly session: string
  readonly query: string
  readonly atMs: number
  readonly receivedMs: number
}

/**
 * `finalQueries` of the events package, one event at a time: returns the searches that no later
 * keystroke replaced.
 */
export class OpenBursts<Search extends BurstSearch> {
  /** The newest search of each session, and when its burst last continued; least recent first. */
  readonly #open: Map<string, OpenBurst<Search>>
  /**
   * Continues at the last position: a new iterator would walk over the holes of all deleted
   * entries.
   */
  #entries: MapIterator<[string, OpenBurst<Search>]>
  /** The least recent burst, unless it is over or continued. */
  #least: [string, OpenBurst<Search>] | undefined
  readonly #onFinal: (search: Search) => void

  constructor(onFinal: (search: Search) => void, open: Map<string, OpenBurst<Search>> = new Map()) {
    this.#onFinal = onFinal
    this.#open = open
    this.#entries = open.entries()
  }

  search(search: Search): void {
    const { session, atMs, receivedMs } = search
    const open = this.#open.get(session)
    const typed = typedForm(search.query)
    let final = search
    if (open !== undefined) {
      const goesOn = Math.abs(atMs - open.atMs) < BURST_PAUSE_MS && isEdit(open.typed, typed)
      if (!goesOn) this.#onFinal(open.search)
      // Replaced by an event that was sent later and arrived earlier.
      else if (atMs < open.atMs) return
      else if (open.typed === typed) final = open.search
    }
    this.#open.delete(session)
    this.#open.set(session, { search: final, typed, atMs, receivedMs })
  }

  /** Any other action of the session ends its burst. */
  end(session: string): void {
    const open = this.#open.get(session)
    if (open === undefined) return
    this.#open.delete(session)
    this.#onFinal(open.search)
  }

  /** Discards a waiting search of this session. @returns whether it was waiting */
  forget(session: string, isIt: (search: Search) => boolean): boolean {
    const open = this.#open.get(session)
    return open !== undefined && isIt(open.search) && this.#open.delete(session)
  }

  /** Ends bursts that had no event for a while. */
  endBefore(receivedMs: number): void {
    for (;;) {
      if (this.#least === undefined || this.#open.get(this.#least[0]) !== this.#least[1]) {
        const next = this.#entries.next()
        if (next.done === true) {
          this.#least = undefined
          this.#entries = this.#open.entries()
          return
        }
        this.#least = next.value
        continue
      }
      const [session, open] = this.#least
      if (open.receivedMs >= receivedMs) return
      this.#open.delete(session)
      this.#onFinal(open.search)
    }
  }

  get state(): Map<string, OpenBurst<Search>> {
    return this.#open
  }
}

export interface OpenBurst<Search> {
  readonly search: Search
  readonly typed: string
  readonly atMs: number
  readonly receivedMs: number
}

function isEdit(before: string, after: string): boolean {
  return after.startsWith(before) || before.startsWith(after)
}

function typedForm(query: string): string {
  return query.trim().toLowerCase().replaceAll(/\s+/g, ' ')
}
