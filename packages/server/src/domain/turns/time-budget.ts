import { BUDGET_MAX_MS, BUDGET_SHARE_PERCENT, SHARED_TIMEOUT_MIN_MS } from '@aisle/contract'

/** A store counts as sharing the thread for this long after its last request. */
const SHARED_FOR_MS = 10_000
/**
 * Number of stores with remembered budgets; the least recently active one is forgotten and starts
 * with a full budget.
 */
const STORES_MAX = 1_000

interface Budget {
  leftMs: number
  atMs: number
}

/**
 * Limits how long the next search of a store may hold a thread that others use too. A store may use
 * `BUDGET_SHARE_PERCENT` of a thread, and save up to `BUDGET_MAX_MS` of it. The searches of a store
 * that has used more are cut short (`search_cutoff`), to `SHARED_TIMEOUT_MIN_MS` at least; faster
 * searches are not affected. (A token bucket per store.)
 */
export class TimeBudget {
  readonly #budgets = new Map<string, Budget>()
  #last = { store: '', atMs: -Infinity }
  /** The last request of any store but that of `#last`. */
  #other = { atMs: -Infinity }

  /** @returns milliseconds that a search of this store may take now, at most `timeoutMaxMs` */
  timeoutMs(store: string, nowMs: number, timeoutMaxMs: number): number {
    if (store !== this.#last.store) this.#other = this.#last
    this.#last = { store, atMs: nowMs }
    if (nowMs - this.#other.atMs > SHARED_FOR_MS) return timeoutMaxMs
    const { leftMs } = this.#budgetOf(store, nowMs)
    return Math.min(timeoutMaxMs, Math.max(SHARED_TIMEOUT_MIN_MS, leftMs))
  }

  /** @param costMs how long a request of the store held the thread */
  spend(store: string, nowMs: number, costMs: number): void {
    this.#budgetOf(store, nowMs).leftMs -= costMs
  }

  #budgetOf(store: string, nowMs: number): Budget {
    let budget = this.#budgets.get(store)
    if (budget === undefined) {
      budget = { leftMs: BUDGET_MAX_MS, atMs: nowMs }
    } else {
      const gainedMs = (nowMs - budget.atMs) * (BUDGET_SHARE_PERCENT / 100)
      // Debts are limited as savings are, so one long search is paid off in bounded time.
      budget.leftMs = Math.min(BUDGET_MAX_MS, Math.max(-BUDGET_MAX_MS, budget.leftMs) + gainedMs)
      budget.atMs = nowMs
      this.#budgets.delete(store)
    }
    this.#budgets.set(store, budget)
    if (this.#budgets.size > STORES_MAX) {
      const [oldest] = this.#budgets.keys()
      if (oldest !== undefined) this.#budgets.delete(oldest)
    }
    return budget
  }
}
