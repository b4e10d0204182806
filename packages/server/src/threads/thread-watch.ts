import {
  QUARANTINE_DEATHS,
  QUARANTINE_ORIGIN_DEATHS,
  QUARANTINE_SECONDS,
  QUARANTINED_REQUESTS_MAX,
  SERVING_HANG_MAX_MS,
} from '@aisle/contract'
import { VitalsView, type Vitals } from '../adapters/shared-memory/vitals.ts'

const LOOK_MS = 250
/**
 * A check that is this late means that this thread, or the whole process, got no processor time.
 */
const LATE_MS = 1_000

/**
 * Watches threads from outside: reports when one hangs (its event loop has not turned for long),
 * and which request to refuse, or which store to set aside, because threads ended over it.
 */
export class ThreadWatch {
  readonly #vitals: VitalsView
  readonly #hangMaxMs: number
  readonly #onHang: (slot: number) => void
  /** The last beat by slot, and the time when it was new. */
  readonly #seen = new Map<number, { readonly beat: number; readonly sinceMs: number }>()
  /** Times in seconds at which threads ended over some work, by its fingerprint; oldest first. */
  readonly #deaths = new Map<bigint, readonly number[]>()
  readonly #looking: NodeJS.Timeout
  #lookedMs = performance.now()

  constructor(vitals: Vitals, onHang: (slot: number) => void, hangMaxMs = SERVING_HANG_MAX_MS) {
    this.#vitals = new VitalsView(vitals)
    this.#onHang = onHang
    this.#hangMaxMs = hangMaxMs
    this.#looking = setInterval(() => this.#look(performance.now()), LOOK_MS)
    this.#looking.unref()
  }

  /** Call it when a thread has begun to serve. */
  began(slot: number): void {
    this.#vitals.takeWorkOf(slot)
    this.#seen.set(slot, { beat: this.#vitals.beatOf(slot), sinceMs: performance.now() })
  }

  /** Call it when a thread starts, which may take any time: it is watched from its first beat. */
  starts(slot: number): void {
    this.#vitals.takeWorkOf(slot)
    this.#seen.set(slot, { beat: this.#vitals.beatOf(slot), sinceMs: Infinity })
  }

  /**
   * Call it when a thread has ended without being told to.
   * @returns whether a request is refused from now on because of it
   */
  died(slot: number): boolean {
    this.#seen.delete(slot)
    const { request, origin } = this.#vitals.takeWorkOf(slot)
    const isRequest = this.#count(request, QUARANTINE_DEATHS)
    return this.#count(origin, QUARANTINE_ORIGIN_DEATHS) || isRequest
  }

  /** @returns whether enough threads ended over it that it is refused from now on */
  #count(fingerprint: bigint, deathsMax: number): boolean {
    if (fingerprint === 0n) return false
    const nowSeconds = monotonicSeconds()
    const recent = (this.#deaths.get(fingerprint) ?? []).filter(
      (second) => second > nowSeconds - QUARANTINE_SECONDS,
    )
    const deaths = [...recent, nowSeconds]
    this.#deaths.delete(fingerprint)
    if (deaths.length >= deathsMax) {
      this.#vitals.quarantine(fingerprint, nowSeconds + QUARANTINE_SECONDS)
      return true
    }
    this.#deaths.set(fingerprint, deaths)
    const [oldest] = this.#deaths.keys()
    if (this.#deaths.size > QUARANTINED_REQUESTS_MAX && oldest !== undefined) {
      this.#deaths.delete(oldest)
    }
    return false
  }

  /** Call it before threads are stopped: they may end from now on. */
  stop(): void {
    clearInterval(this.#looking)
  }

  #look(nowMs: number): void {
    const isLate = nowMs - this.#lookedMs > LATE_MS
    this.#lookedMs = nowMs
    for (const [slot, { beat, sinceMs }] of this.#seen) {
      const newest = this.#vitals.beatOf(slot)
      if (newest !== beat) this.#seen.set(slot, { beat: newest, sinceMs: nowMs })
      else if (isLate) this.#seen.set(slot, { beat, sinceMs: Math.max(sinceMs, nowMs) })
      else if (nowMs - sinceMs > this.#hangMaxMs) {
        this.#seen.delete(slot)
        this.#onHang(slot)
      }
    }
  }
}

/** A clock that all threads of the process share; never set back. */
export function monotonicSeconds(): number {
  return Number(process.hrtime.bigint() / 1_000_000n) / 1_000
}
