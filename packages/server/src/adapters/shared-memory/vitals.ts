import { QUARANTINED_REQUESTS_MAX } from '@aisle/contract'
import type { RequestWatch } from '../../ports/request-watch.ts'

const WORDS_PER_THREAD = 2
const BEAT = 0
const AT_WORK = 1
const WORDS_PER_QUARANTINED = 2

/** What serving threads say of themselves, and what the main thread says to them: all in shared memory, since a thread that hangs answers no message. */
export interface Vitals {
  /** Two words per thread: a number that grows while its event loop turns, and the request that it is at work on. */
  readonly threads: Int32Array<SharedArrayBuffer>
  /** Requests that ended threads, a ring: fingerprint, and the second at which it may be done again; 0 = free. */
  readonly quarantined: Int32Array<SharedArrayBuffer>
}

export function createVitals(threadCount: number): Vitals {
  const words = (count: number): Int32Array<SharedArrayBuffer> =>
    new Int32Array(new SharedArrayBuffer(count * Int32Array.BYTES_PER_ELEMENT))
  return {
    threads: words(threadCount * WORDS_PER_THREAD),
    quarantined: words(QUARANTINED_REQUESTS_MAX * WORDS_PER_QUARANTINED),
  }
}

/** A serving thread's side. */
export class ThreadVitals implements RequestWatch {
  readonly #vitals: Vitals
  readonly #first: number
  readonly #nowSeconds: () => number

  /** @param nowSeconds of a clock that all threads share */
  constructor(vitals: Vitals, slot: number, nowSeconds: () => number) {
    this.#vitals = vitals
    this.#first = slot * WORDS_PER_THREAD
    this.#nowSeconds = nowSeconds
  }

  beat(): void {
    Atomics.add(this.#vitals.threads, this.#first + BEAT, 1)
  }

  workOn(fingerprint: number): void {
    Atomics.store(this.#vitals.threads, this.#first + AT_WORK, fingerprint | 0)
  }

  quarantineSeconds(fingerprint: number): number {
    const { quarantined } = this.#vitals
    for (let i = 0; i < quarantined.length; i += WORDS_PER_QUARANTINED) {
      const known = Atomics.load(quarantined, i)
      // Nearly always nothing is in it.
      if (known === 0) return 0
      if (known !== (fingerprint | 0)) continue
      const seconds = Atomics.load(quarantined, i + 1) - this.#nowSeconds()
      if (seconds > 0) return Math.ceil(seconds)
    }
    return 0
  }
}

/** The main thread's side. */
export class VitalsView {
  readonly #vitals: Vitals
  #nextPlace = 0

  constructor(vitals: Vitals) {
    this.#vitals = vitals
  }

  beatOf(slot: number): number {
    return Atomics.load(this.#vitals.threads, slot * WORDS_PER_THREAD + BEAT)
  }

  /** The request that a thread which is gone was at work on; forgotten by this. */
  takeWorkOf(slot: number): number {
    return Atomics.exchange(this.#vitals.threads, slot * WORDS_PER_THREAD + AT_WORK, 0)
  }

  /** The oldest one makes room when there are too many. */
  quarantine(fingerprint: number, untilSeconds: number): void {
    const at = this.#nextPlace
    this.#nextPlace = (at + WORDS_PER_QUARANTINED) % this.#vitals.quarantined.length
    Atomics.store(this.#vitals.quarantined, at + 1, Math.ceil(untilSeconds))
    Atomics.store(this.#vitals.quarantined, at, fingerprint)
  }
}
