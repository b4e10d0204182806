import type { EventVerdict } from '@aisle/contract'

/** Where an event came from: the main API, the ingest, or the service itself. */
export type EventSource = 'simple' | 'canonical' | 'server'

/**
 * Who did it, as far as is known. All are optional: an event may name none of them.
 *
 * `client` and `network` stand for the address of the client: keyed hashes, which tell clients of a
 * day and networks apart and lead to no address (`intake/address-hash.ts`).
 */
export interface Visitor {
  readonly userId?: string
  readonly anonymousId?: string
  readonly sessionId?: string
  readonly client?: string
  readonly network?: string
}

/**
 * Something a visitor did: the one form behind both event forms and the searches that the service
 * records itself. `properties` are as they were sent; `factsOf` reads them.
 */
export interface VisitorEvent {
  readonly kind: 'event'
  /** A canonical name, or a type of the simple form. */
  readonly name: string
  readonly source: EventSource
  /** Unique per event and store; two events with the same one are one event. */
  readonly messageId: string
  /** When it happened, milliseconds since 1970, corrected for the drift of the client's clock. */
  readonly atMs: number
  /** When it arrived. Not later than the next event of the log, but for the queues of threads. */
  readonly receivedMs: number
  readonly visitor: Visitor
  readonly properties: Readonly<Record<string, unknown>>
}

/** From here on this anonymous id is this user. Events that name both say the same. */
export interface Identification {
  readonly kind: 'identify'
  readonly messageId: string
  readonly atMs: number
  readonly receivedMs: number
  readonly visitor: Visitor
}

/** Events that were answered and not stored: how many of each name, and why. */
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

/** Everything that a log can hold. */
export type LogEntry = VisitorEvent | Identification | Tally

/** An event that is not stored, for the live tail. */
export interface RefusedEvent {
  readonly verdict: 'invalid' | 'dropped_unknown'
  readonly name: string
  readonly source: EventSource
  readonly reasons: readonly string[]
  readonly messageId?: string
}
