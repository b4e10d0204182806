import type { Visitor } from '@aisle/event-log'
import { hashText } from '../text/hash.ts'

/** The actor: a session, else an anonymous id, else a user, else an address on a day. */
export function sessionOf(visitor: Visitor): string | undefined {
  return visitor.sessionId ?? visitor.anonymousId ?? visitor.userId ?? visitor.client
}

/** The visitor's most lasting id, valid for more than a day; without ids, the network. */
export function visitorOf(visitor: Visitor): string {
  const { anonymousId, userId, sessionId, network, client } = visitor
  return anonymousId ?? userId ?? sessionId ?? network ?? client ?? ''
}

/** The visitor's location; without an address, each visitor has a different one. */
export function networkOf(visitor: Visitor): number {
  return hashText(visitor.network ?? visitor.client ?? sessionOf(visitor) ?? '')
}
