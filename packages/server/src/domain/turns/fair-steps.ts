/** Time after which work yields to that of other owners. */
const STEP_MS = 10
/** What an owner that rests may save up of the thread: its next works go first for that long. */
const RESTED_MAX_MS = 200
/**
 * How long the steps of others wait for an owner that goes first and does something else: between
 * two statements of a report, the next one is prepared on another thread.
 */
const EXPECTED_MAX_MS = 20
/** Owners that are remembered after their last work. */
const OWNERS_MAX = 1_000

interface Waiting {
  readonly owner: string
  readonly begin: () => void
}

export interface FairStepsHost {
  /** Calls back in the next turn of the event loop. */
  defer(step: () => void): void
  /** Calls back in a millisecond. */
  wait(step: () => void): void
  nowMs(): number
}

/**
 * Shares one thread between works that are done in short steps, each work for an owner. The owner
 * that has used the thread least goes next, whatever the size and number of its works (start-time
 * fair queuing, like `FairQueue`): an owner that needs less than its share has the thread as soon
 * as the step of another is over, and keeps it until its work is done.
 */
export class FairSteps {
  readonly #host: FairStepsHost
  readonly #waiting: Waiting[] = []
  /** Owners that will take steps soon, and since when they have taken none. */
  readonly #expected = new Map<string, { count: number; sinceMs: number }>()
  /** Virtual time of each owner: its use of the thread, and what it did not save up. */
  readonly #tagsMs = new Map<string, number>()
  #virtualMs = 0
  #isTaken = false
  /** Whether the thread does nothing, because an owner is expected. */
  #isWaiting = false
  readonly #pick = (): void => this.#next()
  readonly #look = (): void => this.#stopWaiting()

  constructor(host: FairStepsHost) {
    this.#host = host
  }

  /**
   * Announces steps: until the result is disposed, those of busier owners wait a little for each of
   * them. Work of many steps is announced once, with the pauses in it: else the others would have a
   * step in each pause.
   */
  expect(owner: string): Disposable {
    const expected = this.#expected.get(owner) ?? { count: 0, sinceMs: 0 }
    expected.count++
    expected.sinceMs = this.#host.nowMs()
    this.#expected.set(owner, expected)
    return {
      [Symbol.dispose]: () => {
        if (--expected.count === 0) this.#expected.delete(owner)
      },
    }
  }

  /**
   * @param step does a part of the work, some milliseconds at most. Returns whether it was the
   * last; if it throws, the work is over.
   */
  async run(owner: string, step: () => boolean): Promise<void> {
    let isOver = false
    while (!isOver) {
      await this.#turn(owner)
      const startMs = this.#host.nowMs()
      let usedMs = 0
      try {
        do {
          isOver = step()
          usedMs = this.#host.nowMs() - startMs
        } while (!isOver && usedMs < STEP_MS)
      } finally {
        this.#spend(owner, this.#host.nowMs() - startMs)
        this.#isTaken = false
        if (this.#waiting.length > 0) this.#take()
      }
    }
  }

  #turn(owner: string): Promise<void> {
    return new Promise((begin) => {
      this.#waiting.push({ owner, begin })
      if (!this.#isTaken) this.#take()
      else this.#stopWaiting()
    })
  }

  #stopWaiting(): void {
    if (!this.#isWaiting) return
    this.#isWaiting = false
    this.#take()
  }

  #take(): void {
    this.#isTaken = true
    this.#host.defer(this.#pick)
  }

  #next(): void {
    let first = 0
    for (const [i, { owner }] of this.#waiting.entries()) {
      if (this.#tagOf(owner) < this.#tagOf(this.#waiting[first]!.owner)) first = i
    }
    if (this.#isExpectedBefore(this.#waiting[first]!.owner)) {
      this.#isWaiting = true
      this.#host.wait(this.#look)
      return
    }
    const [{ owner, begin }] = this.#waiting.splice(first, 1) as [Waiting]
    this.#virtualMs = Math.max(this.#virtualMs, this.#tagOf(owner))
    begin()
  }

  #isExpectedBefore(owner: string): boolean {
    const tagMs = this.#tagOf(owner)
    const nowMs = this.#host.nowMs()
    return this.#expected
      .entries()
      .some(
        ([other, { sinceMs }]) =>
          other !== owner && nowMs - sinceMs < EXPECTED_MAX_MS && this.#tagOf(other) < tagMs,
      )
  }

  #tagOf(owner: string): number {
    return Math.max(this.#tagsMs.get(owner) ?? 0, this.#virtualMs - RESTED_MAX_MS)
  }

  #spend(owner: string, usedMs: number): void {
    const tagMs = this.#tagOf(owner) + usedMs
    this.#tagsMs.delete(owner)
    this.#tagsMs.set(owner, tagMs)
    const expected = this.#expected.get(owner)
    if (expected !== undefined) expected.sinceMs = this.#host.nowMs()
    const [oldest] = this.#tagsMs.keys()
    if (this.#tagsMs.size > OWNERS_MAX && oldest !== undefined) this.#tagsMs.delete(oldest)
  }
}
