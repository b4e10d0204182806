import { randomUUID } from 'node:crypto'
import { BroadcastChannel, receiveMessageOnPort } from 'node:worker_threads'
import type { MessagePort } from 'node:worker_threads'
import type { AnswerCache, KeptAnswer, Question } from '../../ports/search/answer-cache.ts'

/** Beside its text, an answer takes about this much in the tables of a thread. */
const ENTRY_OVERHEAD_BYTES = 512
/** One answer may take this share of what its store may keep. */
const ANSWER_SHARE_MAX = 1 / 4

/** In shared memory, before the text: how often the answer was given, by any thread. */
const USES = 0
const HEADER_BYTES = Int32Array.BYTES_PER_ELEMENT

/** Where the threads of a service announce their answers to each other. */
export interface AnswerChannel {
  readonly name: string
  /** One number: announcements so far. */
  readonly announced: Int32Array<SharedArrayBuffer>
}

export function createAnswerChannel(): AnswerChannel {
  const announced = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  return { name: `answers ${randomUUID()}`, announced }
}

/** An answer as threads announce it to each other: its text is in memory once for all of them. */
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
  /** What `USES` said when the entry was last passed over. */
  usesSeen: number
  /** Made when it is first given: the same objects each time, over the shared bytes. */
  uses: Int32Array | undefined
  kept: KeptAnswer | undefined
}

interface StoreAnswers {
  readonly entries: Map<string, Entry>
  version: number
  bytes: number
}

/** For metrics. */
export interface CacheFigures {
  readonly bytes: number
  readonly entries: number
}

/**
 * The cache of a serving thread, one with those of the others: the thread that makes an answer puts
 * its text into shared memory and announces it before it is sent, and a thread that looks for one
 * takes the announcements off its port first. So a repeat is found on whichever thread it arrives.
 *
 * No locks: a thread changes its own tables only, and the text is never changed. What all threads
 * see of an answer's use is a counter before the text. Whatever is passed over when room is made,
 * and was used since the last time, stays (the clock algorithm: Corbató, "A Paging Experiment with
 * the Multics System", 1968), so all threads keep about the same.
 */
export class SharedAnswerCache implements AnswerCache {
  readonly #bytesMax: number
  readonly #passed: (bytes: number) => void
  readonly #channel: BroadcastChannel
  readonly #announced: Int32Array<SharedArrayBuffer>
  /** What it said when all announcements were last taken off the port. */
  #receivedCount = 0
  readonly #stores = new Map<string, StoreAnswers>()
  #bytes = 0

  /**
   * @param channel that the threads of this service share
   * @param bytesMax of all stores together
   * @param passed told about shared memory that this thread has come to hold
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
    // Looking at the port costs as much as the rest of this.
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
    // Behind the message: who sees the new number finds it on its port.
    Atomics.add(this.#announced, 0, 1)
    this.#keep(announcement)
  }

  /**
   * Lets go of what is too old, of stores too that nobody asks any more. To be called now and then.
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
      // Takes a channel too, which its types do not say.
      const received = receiveMessageOnPort(this.#channel as unknown as MessagePort)
      if (received === undefined) return
      this.#keep(received.message as Announcement)
    }
  }

  #keep(announcement: Announcement): void {
    const { storeId, key, version, buffer, bytesMax } = announcement
    this.#passed(buffer.byteLength)
    let answers = this.#stores.get(storeId)
    // A thread that is behind has answered for a state that is gone.
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
   * The store that keeps most, and a little less than it keeps: a store that floods the cache pays
   * for it.
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
