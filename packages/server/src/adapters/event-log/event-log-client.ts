import { performance } from 'node:perf_hooks'
import type { MessagePort } from 'node:worker_threads'
import { ApiError } from '@aisle/contract'
import { decodeRecords, logNameOf, RecordBatch } from '@aisle/events'
import type { ErasedIds, VisitorEvent } from '@aisle/events'
import type { EventBatch, EventLog, LogOwner, TailBatch } from '../../ports/event-log.ts'
import type { FromEventThread, ToEventThread } from './messages.ts'
import { ENDLESS_ROOM, requireRoom, type DiskRoom } from '../../ports/disk-room.ts'
import { countRefused, REFUSED_SHOWN_MAX } from './refused-counts.ts'

/** On the way to the log from one serving thread, not answered yet. */
const EVENTS_WAITING_MAX_BYTES = 32 * 1024 * 1024
/**
 * Of these, one store may have so many while others share the way; a batch that comes alone may
 * always go.
 */
const EVENTS_WAITING_PER_STORE_MAX_BYTES = EVENTS_WAITING_MAX_BYTES / 8
/** Offered events go out so often, or when so many bytes are there. */
const OFFER_MS = 100
const OFFER_BYTES = 65_536
/** Offers have to leave room for events that somebody waits for. */
const OFFERS_WAITING_MAX_BYTES = EVENTS_WAITING_MAX_BYTES / 4

interface Call {
  /** That brings events; undefined: it asks for something else. */
  readonly log: string | undefined
  readonly bytes: number
  readonly sinceMs: number
  resolve(value: unknown): void
  reject(error: Error): void
}

interface Offers {
  readonly owner: LogOwner
  readonly batch: RecordBatch
}

/** EventLog for a serving thread: sends records to the thread that owns the logs. */
export class EventLogClient implements EventLog {
  /** Told how many offered events did not arrive. */
  onOffersLost: (count: number) => void = () => undefined
  #port: MessagePort | undefined
  readonly #calls = new Map<number, Call>()
  #callCount = 0
  #waitingBytes = 0
  /** The same by log. */
  readonly #waitingOf = new Map<string, number>()
  readonly #listeners = new Map<string, Set<(batch: TailBatch) => void>>()
  readonly #offers = new Map<string, Offers>()
  #offerTimer: NodeJS.Timeout | undefined

  readonly #room: DiskRoom

  /** @param room events are refused when there is none; absent: nobody looks */
  constructor(room = ENDLESS_ROOM) {
    this.#room = room
  }

  /** Requests that wait for the log, and for how long the first of them does. */
  waiting(): { readonly count: number; readonly oldestMs: number } {
    const [oldest] = this.#calls.values()
    const oldestMs = oldest === undefined ? 0 : performance.now() - oldest.sinceMs
    return { count: this.#calls.size, oldestMs }
  }

  /** The owner's port; a new one when the owner was replaced. */
  connect(port: MessagePort): void {
    this.#port = port
    port.on('message', (message: FromEventThread) => this.#receive(message))
    port.on('close', () => {
      if (this.#port !== port) return
      this.#port = undefined
      for (const { reject } of this.#calls.values())
        reject(unavailable('the log is starting again'))
      this.#calls.clear()
      this.#waitingBytes = 0
      this.#waitingOf.clear()
    })
    for (const log of this.#listeners.keys()) this.#tell({ kind: 'tail', log, isOn: true })
  }

  async append(owner: LogOwner, { entries, refused }: EventBatch): Promise<readonly number[]> {
    requireRoom(this.#room, 'take events')
    const batch = new RecordBatch(entries.length * 512)
    for (const entry of entries) batch.add(entry)
    const ofStore = this.#waitingOf.get(logNameOf(owner)) ?? 0
    if (
      this.#waitingBytes + batch.lengthBytes > EVENTS_WAITING_MAX_BYTES ||
      (ofStore > 0 && ofStore + batch.lengthBytes > EVENTS_WAITING_PER_STORE_MAX_BYTES)
    ) {
      throw unavailable('too many events are waiting')
    }
    return await this.#append(owner, batch.take(), refused)
  }

  offer(owner: LogOwner, event: VisitorEvent): boolean {
    if (this.#port === undefined || this.#waitingBytes > OFFERS_WAITING_MAX_BYTES) return false
    if (this.#room.bytes() < 0) return false
    const log = logNameOf(owner)
    let offers = this.#offers.get(log)
    if (offers === undefined) {
      offers = { owner, batch: new RecordBatch(4_096) }
      this.#offers.set(log, offers)
    }
    offers.batch.add(event)
    if (offers.batch.lengthBytes >= OFFER_BYTES) void this.#send(log, offers)
    else this.#offerTimer ??= setTimeout(() => void this.flush(), OFFER_MS)
    return true
  }

  tail(owner: LogOwner, listener: (batch: TailBatch) => void): () => void {
    const log = logNameOf(owner)
    let listeners = this.#listeners.get(log)
    if (listeners === undefined) {
      listeners = new Set()
      this.#listeners.set(log, listeners)
      this.#tell({ kind: 'tail', log, isOn: true })
    }
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
      if (listeners.size > 0 || this.#listeners.get(log) !== listeners) return
      this.#listeners.delete(log)
      this.#tell({ kind: 'tail', log, isOn: false })
    }
  }

  /** How far the log of a store may be read with `readLog`. */
  end(owner: LogOwner): Promise<number> {
    return this.endOf(logNameOf(owner))
  }

  endOf(log: string): Promise<number> {
    const callId = ++this.#callCount
    return this.#call(callId, 0, { kind: 'end', callId, log }) as Promise<number>
  }

  /** The same of all logs that were written to lately. */
  ends(): Promise<ReadonlyMap<string, number>> {
    const callId = ++this.#callCount
    return this.#call(callId, 0, { kind: 'ends', callId }) as Promise<ReadonlyMap<string, number>>
  }

  /** Takes the content out of the records at these positions, ascending. */
  async erase(log: string, positions: readonly number[]): Promise<void> {
    const callId = ++this.#callCount
    await this.#call(callId, 0, { kind: 'erase', callId, log, positions })
  }

  /** Takes no event of a visitor any more that happened before now. */
  async bar(log: string, visitor: ErasedIds): Promise<void> {
    const callId = ++this.#callCount
    await this.#call(callId, 0, { kind: 'bar', callId, log, visitor })
  }

  /** Removes segments whose events all arrived before a time. @returns bytes freed */
  dropBefore(log: string, receivedMs: number): Promise<number> {
    const callId = ++this.#callCount
    const message: ToEventThread = { kind: 'dropBefore', callId, log, receivedMs }
    return this.#call(callId, 0, message) as Promise<number>
  }

  /** Sends what was offered. Resolves when all that is on its way is answered. */
  async flush(): Promise<void> {
    clearTimeout(this.#offerTimer)
    this.#offerTimer = undefined
    await Promise.all([...this.#offers].map(([log, offers]) => this.#send(log, offers)))
  }

  async #send(log: string, { owner, batch }: Offers): Promise<void> {
    const { count } = batch
    this.#offers.delete(log)
    try {
      await this.#append(owner, batch.take(), [])
    } catch {
      this.onOffersLost(count)
    }
  }

  #append(
    owner: LogOwner,
    records: Uint8Array<ArrayBuffer>,
    refused: EventBatch['refused'],
  ): Promise<readonly number[]> {
    if (records.length === 0 && refused.length === 0) return Promise.resolve([])
    const callId = ++this.#callCount
    const message: ToEventThread = {
      kind: 'append',
      callId,
      log: logNameOf(owner),
      records,
      counts: countRefused(refused),
      refused: refused.slice(0, REFUSED_SHOWN_MAX),
    }
    return this.#call(callId, records.length, message) as Promise<readonly number[]>
  }

  #call(callId: number, bytes: number, message: ToEventThread): Promise<unknown> {
    const port = this.#port
    if (port === undefined) return Promise.reject(unavailable('the log is starting again'))
    this.#waitingBytes += bytes
    const log = message.kind === 'append' ? message.log : undefined
    if (log !== undefined) this.#waitingOf.set(log, (this.#waitingOf.get(log) ?? 0) + bytes)
    return new Promise((resolve, reject) => {
      this.#calls.set(callId, { log, bytes, sinceMs: performance.now(), resolve, reject })
      port.postMessage(message, message.kind === 'append' ? [message.records.buffer] : [])
    })
  }

  #receive(message: FromEventThread): void {
    if (message.kind === 'tailed') {
      const batch = { ...message, entries: decodeRecords(message.records).filter(isThere) }
      for (const listener of this.#listeners.get(message.log) ?? []) listener(batch)
      return
    }
    const call = this.#calls.get(message.callId)
    if (call === undefined) return
    this.#calls.delete(message.callId)
    this.#waitingBytes -= call.bytes
    if (call.log !== undefined) this.#answered(call.log, call.bytes)
    switch (message.kind) {
      case 'appended':
        call.resolve(message.duplicates)
        break
      case 'end':
        call.resolve(message.end)
        break
      case 'ends':
        call.resolve(message.ends)
        break
      case 'erased':
      case 'barred':
        call.resolve(undefined)
        break
      case 'dropped':
        call.resolve(message.bytes)
        break
      case 'full':
        call.reject(dayFull(message))
        break
      case 'failed':
        call.reject(unavailable('the disk does not take them'))
        break
    }
  }

  #answered(log: string, bytes: number): void {
    const left = (this.#waitingOf.get(log) ?? 0) - bytes
    if (left > 0) this.#waitingOf.set(log, left)
    else this.#waitingOf.delete(log)
  }

  #tell(message: ToEventThread): void {
    this.#port?.postMessage(message)
  }
}

function unavailable(why: string): ApiError {
  return new ApiError('unavailable', `Cannot take events now: ${why}`, { retryAfterSeconds: 1 })
}

function dayFull({ resetMs, waitMs }: FromEventThread & { kind: 'full' }): ApiError {
  return new ApiError(
    'quota_exceeded',
    'The store has taken its events of today: see its setting `events.max_bytes_per_day`',
    {
      retryAfterSeconds: Math.ceil(waitMs / 1_000),
      resetAt: new Date(resetMs).toISOString(),
    },
  )
}

function isThere<T>(value: T | undefined): value is T {
  return value !== undefined
}
