import type { TailedEvent } from '@aisle/contract'

/** Limit for a page that stays open for days. */
export const TAIL_ROWS_MAX = 2_000
const RATE_SECONDS = 10

export interface TailRow {
  /** In the order of arrival on this page. */
  readonly id: number
  readonly event: TailedEvent
}

/**
 * Arriving events: those shown, newest first, and those waiting while somebody reads. Both lists
 * are bounded; older events are dropped.
 */
export class TailBuffer {
  rows: readonly TailRow[] = []
  #waiting: TailRow[] = []
  #lastId = 0
  /** Arrivals by second. */
  readonly #arrivals = new Map<number, number>()

  /** @param nowMs absent: it arrived before the page was opened */
  push(event: TailedEvent, nowMs?: number): void {
    this.#waiting.push({ id: ++this.#lastId, event })
    // In large steps, because shifting for each event would copy them all.
    if (this.#waiting.length >= 2 * TAIL_ROWS_MAX) this.#waiting.splice(0, TAIL_ROWS_MAX)
    if (nowMs === undefined) return
    const second = Math.floor(nowMs / 1_000)
    this.#arrivals.set(second, (this.#arrivals.get(second) ?? 0) + 1)
    this.#forget(second)
  }

  /** Number of events waiting. */
  get waiting(): number {
    return Math.min(this.#waiting.length, TAIL_ROWS_MAX)
  }

  /** Shows the waiting events. */
  show(): void {
    if (this.#waiting.length === 0) return
    this.rows = [...this.#waiting.toReversed(), ...this.rows].slice(0, TAIL_ROWS_MAX)
    this.#waiting = []
  }

  clear(): void {
    this.rows = []
    this.#waiting = []
  }

  /** Events per second, over the last ten. */
  rate(nowMs: number): number {
    this.#forget(Math.floor(nowMs / 1_000))
    let count = 0
    for (const arrived of this.#arrivals.values()) count += arrived
    return count / RATE_SECONDS
  }

  #forget(second: number): void {
    for (const one of this.#arrivals.keys()) {
      if (one <= second - RATE_SECONDS) this.#arrivals.delete(one)
    }
  }
}
