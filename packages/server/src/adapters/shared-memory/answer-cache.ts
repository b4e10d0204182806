import { randomUUID } from 'node:crypto'
import { BroadcastChannel, receiveMessageOnPort, type MessagePort } from 'node:worker_threads'
import type { AnswerCache, KeptAnswer, Question } from '../../ports/search/answer-cache.ts'

/** Approximate memory of an answer in the tables of a thread, besides its text. */
const ENTRY_OVERHEAD_BYTES = 512
/** Maximum share of its store's budget that one answer may take. */
const ANSWER_SHARE_MAX = 1 / 4

/** Counter of the uses of an answer by all threads, in shared memory before the text. */
const USES = 0
const HEADER_BYTES = Int32Array.BYTES_PER_ELEMENT

/** The channel on which the threads of a service announce their answers to each other. */
export interface AnswerChannel {
  readonly name: string
  /** Number of announcements so far. */
  readonly announced: Int32Array<SharedArrayBuffer>
}

export function createAnswerChannel(): AnswerChannel {
  const announced = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  return { name: `answers ${randomUUID()}`, announced }
}

/** The announcement of an answer; its text is in memory once for all threads. */
interface Announcement {
  readonly storeId: string
  readonly key: string
  readonly version: number
  readonly atMs: number
  readonly expiresMs: number
  readonly bytesMax: number
  readonly found: number
  readonly corrected: string | undefined
  readonly headBytes: number
  readonly buffer: SharedArrayBuffer
}

interface Entry extends Announcement {
  /** The value of `USES` when the clock hand last passed the entry. */
  usesSeen: number
  /** Created on the first hit: the same objects each time, over the shared bytes. */
  uses: Int32Array | undefined
  kept: KeptAnswer | undefined
}

interface StoreAnswers {
  readonly entries: Map<string, Entry>
  version: number
  bytes: number
}

/** Figures for metrics. */
export interface CacheFigures {
  readonly bytes: number
  readonly entries: number
}

/**
 * The answer cache of a serving thread, coherent with those of the others: the thread that computes
 * an answer puts its text into shared memory and announces it before sending it, and a thread takes
 * the announcements off its port before each lookup. So a repeat is a hit on any thread.
 *
 * No locks: a thread changes only its own tables, and the text is never changed. Threads share the
 * use of an answer as a counter before the text. Eviction skips entries used since the last pass
 * (the clock algorithm: Corbató, "A Paging Experiment with the Multics System", 1968), so all
 * threads hold about the same entries.
 */
export class SharedAnswerCache implements AnswerCache {
  readonly #bytesMax: number
  readonly #passed: (bytes: number) => void
  readonly #channel: BroadcastChannel
  readonly #announced: Int32Array<SharedArrayBuffer>
  /** Its value when all announcements were last taken off the port. */
  #receivedCount = 0
  readonly #stores = new Map<string, StoreAnswers>()
  #bytes = 0

  /**
   * @param channel that the threads of this service share
   * @param bytesMax budget of all stores together
   * @param passed counts shared memory that this thread has received
   */
  constructor(
    { name, announced }: AnswerChannel,
    bytesMax: number,
    passed: (bytes: number) => void,
  ) {
    this.#announced = announced
    this.#bytesMax = bytesMax
    this.#passed = passed
    this.#channel = new BroadcastChannel(name)
    // An idle thread must not let announcements pile up.
    this.#channel.onmessage = (event) => this.#keep((event as { data: Announcement }).data)
    this.#channel.unref()
  }

  get({ storeId, key, version, nowMs, ttlMs }: Question): KeptAnswer | undefined {
    // Reading the port costs as much as the rest of this.
    const count = Atomics.load(this.#announced, 0)
    if (count !== this.#receivedCount) {
      this.#receivedCount = count
      this.#receive()
    }
    const answers = this.#stores.get(storeId)
    if (answers === undefined) return undefined
    if (answers.version < version) {
      this.#forgetStore(storeId, answers)
      return undefined
    }
    const entry = answers.entries.get(key)
    if (entry === undefined || entry.version !== version) return undefined
    const ageMs = nowMs - entry.atMs
    if (ageMs < 0 || ageMs >= ttlMs) {
      this.#forget(answers, entry)
      return undefined
    }
    entry.uses ??= new Int32Array(entry.buffer, 0, 1)
    Atomics.add(entry.uses, USES, 1)
    return (entry.kept ??= keptOf(entry))
  }

  put({ storeId, key, version, nowMs, ttlMs, bytesMax }: Question, answer: KeptAnswer): void {
    const headBytes = answer.head.length
    const textBytes = headBytes + answer.tail.length
    const allowed = Math.min(bytesMax, this.#bytesMax)
    if (textBytes + ENTRY_OVERHEAD_BYTES > allowed * ANSWER_SHARE_MAX) return
    const buffer = new SharedArrayBuffer(HEADER_BYTES + textBytes)
    const text = new Uint8Array(buffer, HEADER_BYTES)
    text.set(answer.head)
    text.set(answer.tail, headBytes)
    const announcement: Announcement = {
      storeId,
      key,
      version,
      atMs: nowMs,
      expiresMs: nowMs + ttlMs,
      bytesMax,
      found: answer.found,
      corrected: answer.corrected,
      headBytes,
      buffer,
    }
    this.#channel.postMessage(announcement)
    // Raised after the message is posted, so that a thread that sees the new number finds the
    // message on its port.
    Atomics.add(this.#announced, 0, 1)
    this.#keep(announcement)
  }

  /**
   * Evicts expired entries, also of stores that are no longer used. Call it now and then.
   */
  sweep(nowMs: number): void {
    this.#receive()
    for (const [storeId, answers] of this.#stores) {
      for (const entry of answers.entries.values()) {
        if (entry.expiresMs <= nowMs) this.#forget(answers, entry)
      }
      if (answers.entries.size === 0) this.#stores.delete(storeId)
    }
  }

  figures(): CacheFigures {
    let entries = 0
    for (const answers of this.#stores.values()) entries += answers.entries.size
    return { bytes: this.#bytes, entries }
  }

  close(): void {
    this.#channel.close()
  }

  #receive(): void {
    for (;;) {
      // It accepts a channel too, which its types omit.
      const received = receiveMessageOnPort(this.#channel as unknown as MessagePort)
      if (received === undefined) return
      this.#keep(received.message as Announcement)
    }
  }

  #keep(announcement: Announcement): void {
    const { storeId, key, version, buffer, bytesMax } = announcement
    this.#passed(buffer.byteLength)
    let answers = this.#stores.get(storeId)
    // The answer of a thread that is behind is for an outdated state.
    if (answers !== undefined && version < answers.version) return
    if (answers !== undefined && version > answers.version) {
      this.#forgetStore(storeId, answers)
      answers = undefined
    }
    if (answers === undefined) {
      answers = { entries: new Map(), version, bytes: 0 }
      this.#stores.set(storeId, answers)
    }
    const before = answers.entries.get(key)
    if (before !== undefined) this.#forget(answers, before)
    answers.entries.set(key, {
      ...announcement,
      usesSeen: 0,
      uses: undefined,
      kept: undefined,
    })
    answers.bytes += sizeOf(announcement)
    this.#bytes += sizeOf(announcement)
    this.#makeRoom(answers, bytesMax)
    while (this.#bytes > this.#bytesMax) this.#makeRoom(...this.#largest())
  }

  #makeRoom(answers: StoreAnswers, bytesMax: number): void {
    while (answers.bytes > bytesMax) {
      for (const entry of answers.entries.values()) {
        const uses = Atomics.load(new Int32Array(entry.buffer, 0, 1), USES)
        if (uses === entry.usesSeen) {
          this.#forget(answers, entry)
          break
        }
        entry.usesSeen = uses
        answers.entries.delete(entry.key)
        answers.entries.set(entry.key, entry)
      }
    }
  }

  /**
   * Evicts from the store that holds most, so that a store that floods the cache pays for it. The
   * limit is a little less than it holds.
   */
  #largest(): [StoreAnswers, number] {
    let largest: StoreAnswers | undefined
    for (const answers of this.#stores.values()) {
      if (largest === undefined || answers.bytes > largest.bytes) largest = answers
    }
    return [largest!, largest!.bytes - 1]
  }

  #forget(answers: StoreAnswers, entry: Entry): void {
    answers.entries.delete(entry.key)
    answers.bytes -= sizeOf(entry)
    this.#bytes -= sizeOf(entry)
  }

  #forgetStore(storeId: string, answers: StoreAnswers): void {
    this.#bytes -= answers.bytes
    this.#stores.delete(storeId)
  }
}

function keptOf({ buffer, headBytes, found, corrected }: Announcement): KeptAnswer {
  const head = Buffer.from(buffer, HEADER_BYTES, headBytes)
  const tail = Buffer.from(buffer, HEADER_BYTES + headBytes)
  return { head, tail, found, corrected }
}

function sizeOf({ buffer }: Announcement): number {
  return buffer.byteLength + ENTRY_OVERHEAD_BYTES
}
