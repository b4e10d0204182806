import type { BrowserStorage } from './browser-storage.ts'
import { now } from './clock.ts'

/** An event of the canonical form; `messageId` makes it count once, even if it is sent again. */
export interface QueuedEvent {
  readonly messageId: string
  readonly [name: string]: unknown
}

export const QUEUE = 'queue'
/** Delay before sending, so that several events share a request. */
const BATCH_WAIT_MS = 1_000
/** First delay after a failure, doubled with each further one … */
const RETRY_WAIT_MS = 2_000
/** … up to this maximum. */
const RETRY_WAIT_MAX_MS = 300_000
/** Browsers send at most 64 KiB after a page is left. */
const BATCH_MAX_BYTES = 60_000
const BATCH_MAX_EVENTS = 100
/** Maximum size of an event in the service. */
const EVENT_MAX_BYTES = 32_768
/** Maximum of waiting events; beyond it the oldest are dropped. */
const QUEUED_MAX_EVENTS = 500

/**
 * A queue of events. They stay in the browser until the service has acknowledged them, so that none
 * is lost with the page or the connection; an event that is sent twice counts once.
 */
export class EventQueue {
  readonly #address: string
  readonly #writeKey: string
  readonly #storage: BrowserStorage
  /** Sent by a beacon, whose response is not available. */
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

  /** Sends waiting events. Retries later if the service cannot accept them now. */
  flush(): Promise<void> {
    // A call during sending waits for everything, including events added meanwhile.
    this.#sending ??= this.#sendAll().finally(() => (this.#sending = undefined))
    return this.#sending
  }

  /** The page may be closing: sends without waiting. The next page checks what arrived. */
  leave(): void {
    if (globalThis.navigator?.onLine === false) return
    const batch = this.#batch(this.#beaconed)
    if (batch.length === 0 || !navigator.sendBeacon(this.#address, this.#body(batch))) return
    for (const { messageId } of batch) this.#beaconed.add(messageId)
  }

  /** Stops sending; stored events are left to the caller. */
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
      // Another tab may have added events; after a withdrawal nothing is stored.
      const queued = this.#queued()
      const left = queued.filter(({ messageId }) => !sent.has(messageId))
      if (left.length < queued.length) this.#storage.set(QUEUE, left)
    }
  }

  #sendIn(ms: number): void {
    this.#timer ??= setTimeout(() => void this.flush(), ms)
  }

  /** The oldest events that fit in one request. */
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

  /** @returns whether the batch is done: accepted, or refused for good */
  async #post(batch: readonly QueuedEvent[]): Promise<boolean> {
    try {
      const body = this.#body(batch)
      // Plain text needs no preflight; `keepalive` lets it finish after the page is left.
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

/** Size in UTF-8 bytes, as sent. */
function bytesOf(event: QueuedEvent): number {
  return new TextEncoder().encode(JSON.stringify(event)).length
}
