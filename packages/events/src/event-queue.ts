import type { BrowserStorage } from './browser-storage.ts'
import { now } from './clock.ts'

/** An event of the canonical form; `messageId` makes it count once, however often it is sent. */
export interface QueuedEvent {
  readonly messageId: string
  readonly [name: string]: unknown
}

export const QUEUE = 'queue'
/** So that a few events make one request. */
const BATCH_WAIT_MS = 1_000
/** Doubled with each failure, … */
const RETRY_WAIT_MS = 2_000
/** … up to this. */
const RETRY_WAIT_MAX_MS = 300_000
/** Browsers send 64 KiB behind a page that is left. */
const BATCH_MAX_BYTES = 60_000
const BATCH_MAX_EVENTS = 100
/** The service takes no larger one. */
const EVENT_MAX_BYTES = 32_768
/** Without a connection the oldest make room. */
const QUEUED_MAX_EVENTS = 500

/**
 * Events on their way. They stay in the browser until the service has answered for them, so that
 * none is lost when the page or the connection goes; what is sent twice counts once.
 */
export class EventQueue {
  readonly #address: string
  readonly #writeKey: string
  readonly #storage: BrowserStorage
  /** Sent by a beacon, whose answer nobody hears. */
  readonly #beaconed = new Set<string>()
  #timer: ReturnType<typeof setTimeout> | undefined
  #sending: Promise<void> | undefined
  #waitMs = RETRY_WAIT_MS

  constructor(url: string, writeKey: string, storage: BrowserStorage) {
    this.#address = `${url}/v1/b`
    this.#writeKey = writeKey
    this.#storage = storage
  }

  add(event: QueuedEvent): void {
    if (bytesOf(event) > EVENT_MAX_BYTES) return
    this.#storage.set(QUEUE, [...this.#queued(), event].slice(-QUEUED_MAX_EVENTS))
    this.#sendIn(BATCH_WAIT_MS)
  }

  /** Sends what is there. What the service cannot take now is sent later, by itself. */
  flush(): Promise<void> {
    // Who asks while it is sending waits for all of it: what was added meanwhile goes too.
    this.#sending ??= this.#sendAll().finally(() => (this.#sending = undefined))
    return this.#sending
  }

  /** The page may go: sends without waiting for the answer. The next page hears what has come. */
  leave(): void {
    if (globalThis.navigator?.onLine === false) return
    const batch = this.#batch(this.#beaconed)
    if (batch.length === 0 || !navigator.sendBeacon(this.#address, this.#body(batch))) return
    for (const { messageId } of batch) this.#beaconed.add(messageId)
  }

  /** Ends sending; what is stored is the caller's. */
  stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  async #sendAll(): Promise<void> {
    this.stop()
    for (let batch = this.#batch(); batch.length > 0; batch = this.#batch()) {
      if (!(await this.#post(batch))) {
        this.#sendIn(this.#waitMs)
        this.#waitMs = Math.min(this.#waitMs * 2, RETRY_WAIT_MAX_MS)
        return
      }
      this.#waitMs = RETRY_WAIT_MS
      const sent = new Set(batch.map(({ messageId }) => messageId))
      // Another tab may have added some; who has withdrawn has nothing stored.
      const queued = this.#queued()
      const left = queued.filter(({ messageId }) => !sent.has(messageId))
      if (left.length < queued.length) this.#storage.set(QUEUE, left)
    }
  }

  #sendIn(ms: number): void {
    this.#timer ??= setTimeout(() => void this.flush(), ms)
  }

  /** The oldest, as many as go in one request. */
  #batch(without?: ReadonlySet<string>): QueuedEvent[] {
    const batch: QueuedEvent[] = []
    let bytes = 0
    for (const event of this.#queued()) {
      if (without?.has(event.messageId) === true) continue
      bytes += bytesOf(event)
      if (bytes > BATCH_MAX_BYTES || batch.length >= BATCH_MAX_EVENTS) break
      batch.push(event)
    }
    return batch
  }

  /** @returns whether the service is done with the batch: took it, or will never take it */
  async #post(batch: readonly QueuedEvent[]): Promise<boolean> {
    try {
      const body = this.#body(batch)
      // Text needs no preflight, and `keepalive` lets it finish behind a page that is left.
      const { status } = await fetch(this.#address, { method: 'POST', body, keepalive: true })
      return status < 500 && status !== 429 && status !== 408
    } catch {
      return false
    }
  }

  #body(batch: readonly QueuedEvent[]): string {
    const sentAt = new Date(now()).toISOString()
    return JSON.stringify({ writeKey: this.#writeKey, sentAt, batch })
  }

  #queued(): readonly QueuedEvent[] {
    return this.#storage.get<readonly QueuedEvent[]>(QUEUE) ?? []
  }
}

/** Of UTF-8, as it is sent. */
function bytesOf(event: QueuedEvent): number {
  return new TextEncoder().encode(JSON.stringify(event)).length
}
