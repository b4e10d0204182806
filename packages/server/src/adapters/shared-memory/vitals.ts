import { hash, randomBytes } from 'node:crypto'
import { QUARANTINED_REQUESTS_MAX } from '@aisle/contract'
import type { RequestWatch, WatchedWork } from '../../ports/host/request-watch.ts'

/** Two texts per thread: its current work, and whose it is. */
const TEXTS = 2
const REQUEST = 0
const ORIGIN = 1
/** Maximum length of a text; a longer one is replaced by its digest. */
const TEXT_BYTES = 3_072
const UNIT_BYTES_MAX = 3
const WORDS_PER_QUARANTINED = 2

/**
 * Reports of serving threads about themselves, and messages of the main thread to them, all in
 * shared memory, since a thread that hangs answers no message.
 */
export interface Vitals {
  /** A number per thread that grows while its event loop turns. */
  readonly beats: Int32Array<SharedArrayBuffer>
  /**
   * Two texts per thread, in UTF-8: its current work, and whose it is. Texts rather than
   * fingerprints, because a fingerprint takes as long as a tenth of a short search, and is needed
   * only when the thread ends.
   */
  readonly workTexts: Uint8Array<SharedArrayBuffer>
  /** Length of each text in bytes; 0: no work. */
  readonly workBytes: Int32Array<SharedArrayBuffer>
  /**
   * A ring of the work that ended threads: its fingerprint, and the second at which it is allowed
   * again; 0 = free.
   */
  readonly quarantined: BigInt64Array<SharedArrayBuffer>
  /** Makes fingerprints unpredictable. */
  readonly key: string
}

export function createVitals(threadCount: number): Vitals {
  const words = QUARANTINED_REQUESTS_MAX * WORDS_PER_QUARANTINED
  const shared = (bytes: number): SharedArrayBuffer => new SharedArrayBuffer(bytes)
  return {
    beats: new Int32Array(shared(threadCount * Int32Array.BYTES_PER_ELEMENT)),
    workTexts: new Uint8Array(shared(threadCount * TEXTS * TEXT_BYTES)),
    workBytes: new Int32Array(shared(threadCount * TEXTS * Int32Array.BYTES_PER_ELEMENT)),
    quarantined: new BigInt64Array(shared(words * BigInt64Array.BYTES_PER_ELEMENT)),
    key: randomBytes(32).toString('hex'),
  }
}

/**
 * Returns the fingerprint of some work. Nobody outside can predict it or find another text with the
 * same one, so a store cannot cause refusals of another store's searches. 0n: no work.
 *
 * @param text as written to `workTexts`
 */
function fingerprint({ key }: Vitals, text: string): bigint {
  return text === '' ? 0n : hash('sha256', key + text, 'buffer').readBigInt64LE(0) || 1n
}

/** The text, or the digest of one that is too long. */
function written(text: string): string {
  return text.length * UNIT_BYTES_MAX > TEXT_BYTES ? hash('sha256', text) : text
}

/** A serving thread's side. */
export class ThreadVitals implements RequestWatch {
  readonly #vitals: Vitals
  readonly #slot: number
  readonly #nowSeconds: () => number
  readonly #texts: Buffer
  /** The state in shared memory. */
  readonly #current = ['', '']

  /** @param nowSeconds of a clock that all threads share */
  constructor(vitals: Vitals, slot: number, nowSeconds: () => number) {
    this.#vitals = vitals
    this.#slot = slot
    this.#nowSeconds = nowSeconds
    const bytes = TEXTS * TEXT_BYTES
    this.#texts = Buffer.from(vitals.workTexts.buffer, slot * bytes, bytes)
  }

  beat(): void {
    Atomics.add(this.#vitals.beats, this.#slot, 1)
  }

  workOn({ request, origin }: WatchedWork): void {
    this.#write(REQUEST, request)
    this.#write(ORIGIN, origin)
  }

  quarantineSeconds({ request, origin }: WatchedWork): number {
    const { quarantined } = this.#vitals
    let fingerprints: readonly bigint[] | undefined
    for (let i = 0; i < quarantined.length; i += WORDS_PER_QUARANTINED) {
      const known = Atomics.load(quarantined, i)
      // The ring is nearly always empty.
      if (known === 0n) return 0
      const seconds = Number(Atomics.load(quarantined, i + 1)) - this.#nowSeconds()
      if (seconds <= 0) continue
      fingerprints ??= [request, origin].map((text) => fingerprint(this.#vitals, written(text)))
      if (fingerprints.includes(known)) return Math.ceil(seconds)
    }
    return 0
  }

  #write(which: number, text: string): void {
    if (this.#current[which] === text) return
    this.#current[which] = text
    const bytes = text === '' ? 0 : this.#texts.write(written(text), which * TEXT_BYTES)
    Atomics.store(this.#vitals.workBytes, this.#slot * TEXTS + which, bytes)
  }
}

/** Work as 64-bit fingerprints; 0n is none. */
export interface EndedWork {
  readonly request: bigint
  readonly origin: bigint
}

/** The main thread's side. */
export class VitalsView {
  readonly #vitals: Vitals
  readonly #texts: Buffer
  #nextPlace = 0

  constructor(vitals: Vitals) {
    this.#vitals = vitals
    this.#texts = Buffer.from(vitals.workTexts.buffer)
  }

  beatOf(slot: number): number {
    return Atomics.load(this.#vitals.beats, slot)
  }

  /** Returns the last work of a thread that has ended, and clears it. */
  takeWorkOf(slot: number): EndedWork {
    return { request: this.#take(slot, REQUEST), origin: this.#take(slot, ORIGIN) }
  }

  #take(slot: number, which: number): bigint {
    const text = slot * TEXTS + which
    const bytes = Atomics.exchange(this.#vitals.workBytes, text, 0)
    const start = text * TEXT_BYTES
    return fingerprint(this.#vitals, this.#texts.toString('utf8', start, start + bytes))
  }

  /** Evicts the oldest when full. */
  quarantine(fingerprint: bigint, untilSeconds: number): void {
    const at = this.#nextPlace
    this.#nextPlace = (at + WORDS_PER_QUARANTINED) % this.#vitals.quarantined.length
    Atomics.store(this.#vitals.quarantined, at + 1, BigInt(Math.ceil(untilSeconds)))
    Atomics.store(this.#vitals.quarantined, at, fingerprint)
  }
}
