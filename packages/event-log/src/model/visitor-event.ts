import type { EventVerdict } from '@aisle/contract'

/** The source of an event: the main API, the ingest, or the service itself. */
export type EventSource = 'simple' | 'canonical' | 'server'

/**
 * The visitor, as far as known. All ids are optional: an event may have none.
 *
 * `client` and `network` replace the client's address: keyed hashes that distinguish clients within
 * a day, and networks, and cannot be reversed (`intake/address-hash.ts`).
 */
export interface Visitor {
  readonly userId?: string
  readonly anonymousId?: string
  readonly sessionId?: string
  readonly client?: string
  readonly network?: string
}

/**
 * Something a visitor did: the common form of both event forms and of the searches that the service
 * records. `properties` are unchanged; `factsOf` reads them.
 */
export interface VisitorEvent {
  readonly kind: 'event'
  /** A canonical name, or a type of the simple form. */
  readonly name: string
  readonly source: EventSource
  /** Unique per event and store; a second event with the same one is a duplicate. */
  readonly messageId: string
  /** Time of the event, milliseconds since 1970, corrected for the drift of the client's clock. */
  readonly atMs: number
  /**
   * Time of receipt. Not later than that of the next event of the log, except for queues of
   * threads.
   */
  readonly receivedMs: number
  readonly visitor: Visitor
  readonly properties: Readonly<Record<string, unknown>>
}

/** Links an anonymous id to a user. Events with both ids mean the same. */
export interface Identification {
  readonly kind: 'identify'
  readonly messageId: string
  readonly atMs: number
  readonly receivedMs: number
  readonly visitor: Visitor
}

/** Events that were acknowledged but not stored: how many of each name, and why. */
export interface Tally {
  readonly kind: 'tally'
  readonly receivedMs: number
  readonly counts: readonly TallyCount[]
}

export interface TallyCount {
  readonly name: string
  readonly verdict: Exclude<EventVerdict, 'accepted'>
  readonly count: number
}

/** Every kind of entry of a log. */
export type LogEntry = VisitorEvent | Identification | Tally

/** An event that is not stored, for the live tail. */
export interface RefusedEvent {
  readonly verdict: 'invalid' | 'dropped_unknown'
  readonly name: string
  readonly source: EventSource
  readonly reasons: readonly string[]
  readonly messageId?: string
}
