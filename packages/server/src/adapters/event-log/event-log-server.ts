import type { MessagePort } from 'node:worker_threads'
import { ApiError } from '@aisle/contract'
import { AppendError, DayFullError, type RefusedEvent, type TallyCount } from '@aisle/event-log'
import { TurnQueue } from '../../domain/turns/turn-queue.ts'
import type { LogKeeper } from '../../ports/events/log-keeper.ts'
import { UNWATCHED, type StoreWatch } from '../../ports/host/store-watch.ts'
import { PortCalls } from '../message-port/port-calls.ts'
import { endThread, serveCalls } from '../message-port/serve-calls.ts'
import { RecentEvents } from './recent-events.ts'
import { logUnavailable, type EventLogCalls, type TailCalls } from './event-log-calls.ts'

/**
 * Maximum of batches of one store on their way to the disk. They share a sync; further batches wait
 * for the next, without delaying those of other stores.
 */
const APPENDS_PER_STORE_MAX = 64

/** A thread that sends events, and may listen to those of others. */
type Sender = PortCalls<TailCalls>

/** The owner's side: serves the ports of all threads from one set of logs. */
export class EventLogServer {
  readonly #logs: LogKeeper
  readonly #watch: StoreWatch
  readonly #appends = new TurnQueue({ lanes: Infinity, perKey: APPENDS_PER_STORE_MAX })
  /** Threads that listen, by log. */
  readonly #listeners = new Map<string, Set<Sender>>()
  readonly #recent = new RecentEvents()
  readonly #now: () => number

  constructor(logs: LogKeeper, watch: StoreWatch = UNWATCHED, now: () => number = Date.now) {
    this.#now = now
    this.#logs = logs
    this.#watch = watch
  }

  serve(port: MessagePort): void {
    const sender: Sender = new PortCalls<TailCalls>().connect(port)
    const logs = this.#logs
    const targets: EventLogCalls = {
      logs: {
        append: (log, records, counts, refused) => this.#append(log, records, counts, refused),
        known: (log, records) => this.#during(log, () => logs.known(log, records)),
        end: (log) => this.#during(log, () => logs.end(log)),
        ends: () => Promise.resolve(logs.ends()),
        erase: (log, positions) => this.#erasing(log, () => logs.erase(log, positions)),
        bar: (log, visitor) => this.#erasing(log, () => logs.bar(log, visitor)),
        dropBefore: (log, receivedMs) => this.#erasing(log, () => logs.dropBefore(log, receivedMs)),
        recent: (log) => Promise.resolve(this.#recent.of(log)),
        tail: (log, isOn) => this.#listen(sender, log, isOn),
      },
    }
    // The thread ends after a bug, because its state in memory is unknown; the log on disk can
    // always be reopened.
    serveCalls(port, targets, endThread)
    port.on('close', () => {
      for (const senders of this.#listeners.values()) senders.delete(sender)
    })
  }

  async #append(
    log: string,
    records: Uint8Array<ArrayBuffer>,
    counts: readonly TallyCount[],
    refused: readonly RefusedEvent[],
  ): Promise<readonly number[]> {
    const { duplicates } = await this.#appends.run(log, () =>
      this.#during(log, () => this.#logs.append(log, { records, counts })),
    )
    // Listeners are notified before the sender is answered; clients may rely on that.
    const batch = { log, receivedMs: this.#now(), records, duplicates, refused }
    this.#recent.add(batch)
    for (const listener of this.#listeners.get(log) ?? []) listener.tell('tail', 'take', [batch])
    return duplicates
  }

  /** Removes events, and their copies in memory before and after. */
  async #erasing<T>(log: string, work: () => T | Promise<T>): Promise<T> {
    this.#recent.forget(log)
    try {
      return await this.#during(log, work)
    } finally {
      this.#recent.forget(log)
    }
  }

  async #during<T>(log: string, work: () => T | Promise<T>): Promise<T> {
    try {
      if (this.#watch.setAsideSeconds(log) > 0) {
        throw new AppendError('This store crashed the event log thread')
      }
      return await this.#watch.during(log, work)
    } catch (error) {
      if (error instanceof DayFullError) throw dayFull(error)
      if (error instanceof AppendError) throw logUnavailable('they cannot be written to disk')
      throw error
    }
  }

  #listen(sender: Sender, log: string, isOn: boolean): void {
    const senders = this.#listeners.get(log) ?? new Set()
    if (isOn) senders.add(sender)
    else senders.delete(sender)
    if (senders.size === 0) this.#listeners.delete(log)
    else this.#listeners.set(log, senders)
  }
}

function dayFull({ resetMs, waitMs }: DayFullError): ApiError {
  return new ApiError(
    'quota_exceeded',
    'The store has reached its daily limit for events (setting `events.max_bytes_per_day`): try again tomorrow, or raise it',
    {
      retryAfterSeconds: Math.ceil(waitMs / 1_000),
      resetAt: new Date(resetMs).toISOString(),
    },
  )
}
