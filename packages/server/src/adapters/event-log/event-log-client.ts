import type { MessagePort } from 'node:worker_threads'
import type { ApiError } from '@aisle/contract'
import { decodeRecords, logNameOf, RecordBatch } from '@aisle/event-log'
import type { ErasedIds, VisitorEvent } from '@aisle/event-log'
import type { EventBatch, EventLog, LogOwner, TailBatch } from '../../ports/events/event-log.ts'
import { ENDLESS_ROOM, requireRoom, type DiskRoom } from '../../ports/host/disk-room.ts'
import { PortCalls } from '../message-port/port-calls.ts'
import { endThread, serveCalls } from '../message-port/serve-calls.ts'
import {
  logUnavailable,
  type EventLogCalls,
  type TailCalls,
  type TailedRecords,
} from './event-log-calls.ts'
import { countRefused, REFUSED_SHOWN_MAX } from './refused-counts.ts'

/** Maximum of unanswered bytes from one serving thread to the log. */
const EVENTS_WAITING_MAX_BYTES = 32 * 1024 * 1024
/**
 * Share of one store while others send too; a single batch may always go.
 */
const EVENTS_WAITING_PER_STORE_MAX_BYTES = EVENTS_WAITING_MAX_BYTES / 8
/** Offered events are sent at this interval, or at this size. */
const OFFER_MS = 100
const OFFER_BYTES = 65_536
/** Offers leave room for events that somebody waits for. */
const OFFERS_WAITING_MAX_BYTES = EVENTS_WAITING_MAX_BYTES / 4

/**
 * Offers per batch of encoding. A single one between two searches took four times as long, because
 * its code had left the processor cache.
 */
const OFFERS_AT_ONCE = 16

interface Offers {
  readonly owner: LogOwner
  readonly batch: RecordBatch
  /** Offers that are not encoded yet. */
  readonly events: VisitorEvent[]
}

/** EventLog for a serving thread: sends records to the thread that owns the logs. */
export class EventLogClient implements EventLog {
  /** Receives the number of offered events that did not arrive. */
  onOffersLost: (count: number) => void = () => undefined
  readonly #calls = new PortCalls<EventLogCalls>(startingAgain)
  #waitingBytes = 0
  /** Unanswered bytes by log. */
  readonly #waitingOf = new Map<string, number>()
  readonly #listeners = new Map<string, Set<(batch: TailBatch) => void>>()
  readonly #offers = new Map<string, Offers>()
  /** Offers in flight. */
  readonly #sending = new Set<Promise<void>>()
  #offerTimer: NodeJS.Timeout | undefined

  readonly #room: DiskRoom

  /** @param room free disk space; without it, events are refused; absent: not checked */
  constructor(room = ENDLESS_ROOM) {
    this.#room = room
  }

  /** Number of requests that wait for the log, and how long the oldest has waited. */
  waiting(): { readonly count: number; readonly oldestMs: number } {
    return this.#calls.waiting()
  }

  /** The owner's port; a new one when the owner was replaced. */
  connect(port: MessagePort): void {
    this.#calls.connect(port)
    serveCalls<TailCalls>(port, { tail: { take: (batch) => this.#take(batch) } }, endThread)
    for (const log of this.#listeners.keys()) this.#calls.tell('logs', 'tail', [log, true])
  }

  async append(owner: LogOwner, { entries, refused }: EventBatch): Promise<readonly number[]> {
    requireRoom(this.#room, 'accept events')
    const batch = new RecordBatch(entries.length * 512)
    for (const entry of entries) batch.add(entry)
    const ofStore = this.#waitingOf.get(logNameOf(owner)) ?? 0
    if (
      this.#waitingBytes + batch.lengthBytes > EVENTS_WAITING_MAX_BYTES ||
      (ofStore > 0 && ofStore + batch.lengthBytes > EVENTS_WAITING_PER_STORE_MAX_BYTES)
    ) {
      throw logUnavailable('too many events are waiting')
    }
    return await this.#append(owner, batch.take(), refused)
  }

  async known(owner: LogOwner, entries: EventBatch['entries']): Promise<readonly number[]> {
    if (entries.length === 0) return []
    const batch = new RecordBatch(entries.length * 512)
    for (const entry of entries) batch.add(entry)
    const records = batch.take()
    return await this.#calls.call('logs', 'known', [logNameOf(owner), records], [records.buffer])
  }

  offer(owner: LogOwner, event: VisitorEvent): boolean {
    if (!this.#calls.isConnected || this.#waitingBytes > OFFERS_WAITING_MAX_BYTES) return false
    if (this.#room.bytes() < 0) return false
    const log = logNameOf(owner)
    let offers = this.#offers.get(log)
    if (offers === undefined) {
      offers = { owner, batch: new RecordBatch(4_096), events: [] }
      this.#offers.set(log, offers)
    }
    offers.events.push(event)
    if (offers.events.length === OFFERS_AT_ONCE) makeRecords(offers)
    if (offers.batch.lengthBytes >= OFFER_BYTES) void this.#send(log, offers)
    else this.#offerTimer ??= setTimeout(() => void this.flush(), OFFER_MS)
    return true
  }

  async recent(owner: LogOwner): Promise<readonly TailBatch[]> {
    const batches = await this.#calls.call('logs', 'recent', [logNameOf(owner)])
    return batches.map(tailBatch)
  }

  tail(owner: LogOwner, listener: (batch: TailBatch) => void): () => void {
    const log = logNameOf(owner)
    let listeners = this.#listeners.get(log)
    if (listeners === undefined) {
      listeners = new Set()
      this.#listeners.set(log, listeners)
      this.#calls.tell('logs', 'tail', [log, true])
    }
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
      if (listeners.size > 0 || this.#listeners.get(log) !== listeners) return
      this.#listeners.delete(log)
      this.#calls.tell('logs', 'tail', [log, false])
    }
  }

  /** Returns how far the log of a store may be read with `readLog`. */
  end(owner: LogOwner): Promise<number> {
    return this.endOf(logNameOf(owner))
  }

  endOf(log: string): Promise<number> {
    return this.#calls.call('logs', 'end', [log])
  }

  /** Returns the same for all recently written logs. */
  ends(): Promise<ReadonlyMap<string, number>> {
    return this.#calls.call('logs', 'ends', [])
  }

  /** Erases the content of the records at these positions, ascending. */
  erase(log: string, positions: readonly number[]): Promise<void> {
    return this.#calls.call('logs', 'erase', [log, positions])
  }

  /** Rejects all events of a visitor that happened before now. */
  bar(log: string, visitor: ErasedIds): Promise<void> {
    return this.#calls.call('logs', 'bar', [log, visitor])
  }

  /** Removes segments whose events all arrived before a time. @returns bytes freed */
  dropBefore(log: string, receivedMs: number): Promise<number> {
    return this.#calls.call('logs', 'dropBefore', [log, receivedMs])
  }

  /** Sends the offered events. Resolves when everything in flight is answered. */
  async flush(): Promise<void> {
    clearTimeout(this.#offerTimer)
    this.#offerTimer = undefined
    for (const [log, offers] of this.#offers) void this.#send(log, offers)
    await Promise.all(this.#sending)
  }

  #send(log: string, offers: Offers): Promise<void> {
    this.#offers.delete(log)
    const sent = this.#appendOffers(offers).finally(() => this.#sending.delete(sent))
    this.#sending.add(sent)
    return sent
  }

  async #appendOffers(offers: Offers): Promise<void> {
    const { owner, batch, events } = offers
    const count = batch.count + events.length
    try {
      makeRecords(offers)
      await this.#append(owner, batch.take(), [])
    } catch {
      this.onOffersLost(count)
    }
  }

  async #append(
    owner: LogOwner,
    records: Uint8Array<ArrayBuffer>,
    refused: EventBatch['refused'],
  ): Promise<readonly number[]> {
    if (records.length === 0 && refused.length === 0) return []
    const log = logNameOf(owner)
    const counts = countRefused(refused)
    const shown = refused.slice(0, REFUSED_SHOWN_MAX)
    // The buffer is transferred, and has no length here afterwards.
    const bytes = records.length
    this.#addWaiting(log, bytes)
    try {
      const transfer = [records.buffer]
      return await this.#calls.call('logs', 'append', [log, records, counts, shown], transfer)
    } finally {
      this.#addWaiting(log, -bytes)
    }
  }

  #addWaiting(log: string, bytes: number): void {
    this.#waitingBytes += bytes
    const ofLog = (this.#waitingOf.get(log) ?? 0) + bytes
    if (ofLog > 0) this.#waitingOf.set(log, ofLog)
    else this.#waitingOf.delete(log)
  }

  #take(batch: TailedRecords): void {
    for (const listener of this.#listeners.get(batch.log) ?? []) listener(tailBatch(batch))
  }
}

function tailBatch(batch: TailedRecords): TailBatch {
  return { ...batch, entries: decodeRecords(batch.records).filter(isThere) }
}

function makeRecords({ batch, events }: Offers): void {
  for (const event of events) batch.add(event)
  events.length = 0
}

function startingAgain(): ApiError {
  return logUnavailable('the log is restarting')
}

function isThere<T>(value: T | undefined): value is T {
  return value !== undefined
}
