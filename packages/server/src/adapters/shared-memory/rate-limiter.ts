import { BURST_SECONDS, type RateLimiter } from '../../ports/host/rate-limiter.ts'
import { hashText } from './hash-text.ts'

/** Number of buckets: sets times ways. */
const SETS = 4_096
const WAYS = 8
/**
 * Lost races for a slot before the last one is used as it is: the bucket is then shared, and no
 * request waits.
 */
const ATTEMPTS_MAX = 8

/**
 * The buckets of all threads, always 384 kB. A bucket is one word: the time at which it will be
 * full again, in microseconds ("theoretical arrival time" of the generic cell rate algorithm, ITU-T
 * I.371: the same as a token bucket, in one number, so that taking a token is one
 * compare-and-swap). A key may be in any of the `WAYS` slots of its set; when all are taken, the
 * bucket that is or becomes full first is evicted, because a full bucket holds no information.
 */
export interface RateLimitMemory {
  /** 32 bits of the hash of the key; 0 = free. */
  readonly tags: Int32Array<SharedArrayBuffer>
  readonly fullAt: BigInt64Array<SharedArrayBuffer>
  /** Makes hashes unpredictable, so that nobody can aim at the bucket of another. */
  readonly seed: number
}

export function createRateLimitMemory(seed: number): RateLimitMemory {
  const slots = SETS * WAYS
  return {
    tags: new Int32Array(new SharedArrayBuffer(slots * Int32Array.BYTES_PER_ELEMENT)),
    fullAt: new BigInt64Array(new SharedArrayBuffer(slots * BigInt64Array.BYTES_PER_ELEMENT)),
    seed,
  }
}

/** One limit over all threads: each of them has one of these over the same memory. */
export class SharedRateLimiter implements RateLimiter {
  readonly windowSeconds = BURST_SECONDS
  readonly #memory: RateLimitMemory
  readonly #perSecond: () => number
  readonly #microsPerBurst: number
  readonly #nowMicros: () => number

  /**
   * @param perSecond the rate; a function where it changes, with the number of nodes that share it
   * @param nowMicros a clock that never goes back, the same on all threads
   */
  constructor(
    memory: RateLimitMemory,
    perSecond: number | (() => number),
    nowMicros: () => number,
  ) {
    this.#memory = memory
    this.#perSecond = typeof perSecond === 'number' ? () => perSecond : perSecond
    this.#microsPerBurst = BURST_SECONDS * 1_000_000
    this.#nowMicros = nowMicros
  }

  get burst(): number {
    return this.#perSecond() * BURST_SECONDS
  }

  take(key: string, count = 1): number {
    const microsPerToken = 1_000_000 / this.#perSecond()
    const now = this.#nowMicros()
    const slot = this.#slotOf(key)
    const { fullAt } = this.#memory
    for (;;) {
      const word = Atomics.load(fullAt, slot)
      const next = Math.max(Number(word), now) + microsPerToken * count
      const left = this.#microsPerBurst - (next - now)
      if (left < 0) return -1
      // Rounded down: a fraction of a microsecond in favour of the client, and the same on all
      // threads.
      if (Atomics.compareExchange(fullAt, slot, word, BigInt(Math.floor(next))) === word) {
        return Math.floor(left / microsPerToken)
      }
    }
  }

  #slotOf(key: string): number {
    const { tags, fullAt, seed } = this.#memory
    const first = (hashText(key, seed) & (SETS - 1)) * WAYS
    const tag = hashText(key, ~seed) || 1
    let victim = first
    for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      victim = first
      for (let slot = first; slot < first + WAYS; slot++) {
        if (Atomics.load(tags, slot) === tag) return slot
        if (Atomics.load(fullAt, slot) < Atomics.load(fullAt, victim)) victim = slot
      }
      const evicted = Atomics.load(tags, victim)
      if (evicted === tag) return victim
      if (Atomics.compareExchange(tags, victim, evicted, tag) === evicted) {
        Atomics.store(fullAt, victim, 0n)
        return victim
      }
    }
    return victim
  }
}
