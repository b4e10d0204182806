const DAY_MS = 86_400_000

/**
 * Counters by hash, each forgotten one to two days after its last increment: memory is bounded by
 * the traffic of two days.
 */
export class RecentMarks {
  #day: number
  #today: Map<number, number>
  #before: Map<number, number>

  constructor(
    { day, today, before }: MarksState = { day: 0, today: new Map(), before: new Map() },
  ) {
    this.#day = day
    this.#today = today
    this.#before = before
  }

  /** Advances the time; going back has no effect. */
  advance(nowMs: number): void {
    const day = Math.floor(nowMs / DAY_MS)
    if (day <= this.#day) return
    this.#before = day === this.#day + 1 ? this.#today : new Map()
    this.#today = new Map()
    this.#day = day
  }

  get(hash: number): number {
    return this.#today.get(hash) ?? this.#before.get(hash) ?? 0
  }

  set(hash: number, value: number): void {
    this.#today.set(hash, value)
  }

  /** @returns the previous value */
  raise(hash: number): number {
    const before = this.get(hash)
    this.set(hash, before + 1)
    return before
  }

  get state(): MarksState {
    return { day: this.#day, today: this.#today, before: this.#before }
  }
}

export interface MarksState {
  readonly day: number
  readonly today: Map<number, number>
  readonly before: Map<number, number>
}
