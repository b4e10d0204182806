import {
  EVENT_TAIL_RECENT_BYTES,
  EVENT_TAIL_RECENT_REFUSED,
  EVENT_TAIL_RECENT_STORES,
} from '@aisle/contract'
import type { RefusedEvent } from '@aisle/event-log'
import type { TailedRecords } from './event-log-calls.ts'

interface Recent {
  readonly stored: TailedRecords[]
  bytes: number
  readonly refused: { readonly receivedMs: number; readonly event: RefusedEvent }[]
}

/**
 * What arrived a while ago, for a live tail that begins now. In memory: refused events are nowhere
 * else. They are kept apart, so that a busy shop does not push them out.
 */
export class RecentEvents {
  /** By log, the one that was written last at the end. */
  readonly #logs = new Map<string, Recent>()

  add(batch: TailedRecords): void {
    const { log, records, refused, receivedMs } = batch
    const recent = this.#logs.get(log) ?? { stored: [], bytes: 0, refused: [] }
    this.#logs.delete(log)
    this.#logs.set(log, recent)
    if (records.length > 0 && records.length <= EVENT_TAIL_RECENT_BYTES) {
      recent.stored.push({ ...batch, refused: [] })
      recent.bytes += records.length
      while (recent.bytes > EVENT_TAIL_RECENT_BYTES) {
        recent.bytes -= recent.stored.shift()!.records.length
      }
    }
    for (const event of refused) recent.refused.push({ receivedMs, event })
    recent.refused.splice(0, Math.max(0, recent.refused.length - EVENT_TAIL_RECENT_REFUSED))
    for (const [oldest] of this.#logs) {
      if (this.#logs.size <= EVENT_TAIL_RECENT_STORES) break
      this.#logs.delete(oldest)
    }
  }

  /** The oldest first. */
  of(log: string): TailedRecords[] {
    const { stored = [], refused = [] } = this.#logs.get(log) ?? {}
    const shown = refused.map(({ receivedMs, event }): TailedRecords => ({
      log,
      receivedMs,
      records: NONE,
      duplicates: [],
      refused: [event],
    }))
    return [...stored, ...shown].toSorted((a, b) => a.receivedMs - b.receivedMs)
  }

  /** Events of a log were erased: their copies here go too. */
  forget(log: string): void {
    this.#logs.delete(log)
  }
}

const NONE = new Uint8Array(0)
