import type { CheckedEvent } from '@aisle/contract'
import type { Identification, VisitorEvent } from '@aisle/event-log'

/** An event of the log as shown to people: without the hashes of addresses. */
export function shownEvent(
  entry: VisitorEvent | Identification,
): NonNullable<CheckedEvent['event']> {
  const { userId, anonymousId, sessionId } = entry.visitor
  return {
    name: entry.kind === 'event' ? entry.name : 'identify',
    source: entry.kind === 'event' ? entry.source : 'canonical',
    received_at: new Date(entry.receivedMs).toISOString(),
    message_id: entry.messageId,
    timestamp: new Date(entry.atMs).toISOString(),
    ...(userId === undefined ? {} : { user_id: userId }),
    ...(anonymousId === undefined ? {} : { anonymous_id: anonymousId }),
    ...(sessionId === undefined ? {} : { session_id: sessionId }),
    ...(entry.kind === 'event' ? { properties: entry.properties } : {}),
  }
}
