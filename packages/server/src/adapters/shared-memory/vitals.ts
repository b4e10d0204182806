import { randomBytes } from 'node:crypto'
import { QUARANTINED_REQUESTS_MAX } from '@aisle/contract'
import type { RequestWatch, WatchedWork } from '../../ports/request-watch.ts'
import { keyedHash, type HashKey } from './keyed-hash.ts'

const WORDS_PER_THREAD = 2
const REQUEST = 0
const ORIGIN = 1
const WORDS_PER_QUARANTINED = 2

/**
 * What serving threads say of themselves, and what the main thread says to them: all in shared
 * memory, since a thread that hangs answers no message.
 */
export interface Vitals {
  /** A number per thread that grows while its event loop turns. */
  readonly beats: Int32Array<SharedArrayBuffer>
  /** Two words per thread: the fingerprints of what it is at work on, and for whom. */
  readonly work: BigInt64Array<SharedArrayBuffer>
  /**
   * What ended threads, a ring: fingerprint, and the second at which it may be done again; 0 =
   * free.
   */
  readonly quarantined: BigInt64Array<SharedArrayBuffer>
  /** Makes fingerprints unpredictable. */
  readonly key: HashKey
}

export function createVitals(threadCount: number): Vitals {
  const words = (count: number): BigInt64Array<SharedArrayBuffer> =>
    new BigInt64Array(new SharedArrayBuffer(count * BigInt64Array.BYTES_PER_ELEMENT))
  const random = randomBytes(8)
  return {
    beats: new Int32Array(new SharedArrayBuffer(threadCount * Int32Array.BYTES_PER_ELEMENT)),
    work: words(threadCount * WORDS_PER_THREAD),
    quarantined: words(QUARANTINED_REQUESTS_MAX * WORDS_PER_QUARANTINED),
    key: [random.readInt32LE(0), random.readInt32LE(4)],
  }
}

/** A serving thread's side. */
export class ThreadVitals implements RequestWatch {
  readonly #vitals: Vitals
  readonly #slot: number
  readonly #nowSeconds: () => number

  /** @param nowSeconds of a clock that all threads share */
  constructor(vitals: Vitals, slot: number, nowSeconds: () => number) {
    this.#vitals = vitals
    this.#slot = slot
    this.#nowSeconds = nowSeconds
  }

  beat(): void {
    Atomics.add(this.#vitals.beats, this.#slot, 1)
  }

  /** Nearly every search is another text, so that none is kept. */
  fingerprint(text: string): bigint {
    return keyedHash(text, this.#vitals.key) || 1n
  }

  workOn({ request, origin }: WatchedWork): void {
    const first = this.#slot * WORDS_PER_THREAD
    Atomics.store(this.#vitals.work, first + REQUEST, request)
    Atomics.store(this.#vitals.work, first + ORIGIN, origin)
  }

  quarantineSeconds({ request, origin }: WatchedWork): number {
    const { quarantined } = this.#vitals
    for (let i = 0; i < quarantined.length; i += WORDS_PER_QUARANTINED) {
      const known = Atomics.load(quarantined, i)
      // Nearly always nothing is in it.
      if (known === 0n) return 0
      if (known !== request && known !== origin) continue
      const seconds = Number(Atomics.load(quarantined, i + 1)) - this.#nowSeconds()
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
    return Atomics.load(this.#vitals.beats, slot)
  }

  /** What a thread which is gone was at work on; forgotten by this. */
  takeWorkOf(slot: number): WatchedWork {
    const first = slot * WORDS_PER_THREAD
    return {
      request: Atomics.exchange(this.#vitals.work, first + REQUEST, 0n),
      origin: Atomics.exchange(this.#vitals.work, first + ORIGIN, 0n),
    }
  }

  /** The oldest one makes room when there are too many. */
  quarantine(fingerprint: bigint, untilSeconds: number): void {
    const at = this.#nextPlace
    this.#nextPlace = (at + WORDS_PER_QUARANTINED) % this.#vitals.quarantined.length
    Atomics.store(this.#vitals.quarantined, at + 1, BigInt(Math.ceil(untilSeconds)))
    Atomics.store(this.#vitals.quarantined, at, fingerprint)
  }
}
