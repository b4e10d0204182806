import assert from 'node:assert/strict'
import { logEnd, readLog, type LogEntry } from '@aisle/event-log'
import { ServerProcess } from '@aisle/testing'
import { createEventStore, type EventStore } from './event-store.ts'

/** The properties of the click that each stock client sends. */
export const PROPERTIES = { search_id: 'search-1', object_id: 'tent-2', position: 2 }

/** Time of the event, for clients that can set it. */
export const AT = new Date(Date.now() - 60_000)

/** A server that accepts events on all paths, with one store. */
export async function startIngest(): Promise<{ server: ServerProcess; store: EventStore }> {
  const server = await ServerProcess.start({
    threads: 1,
    environment: { AISLE_INGEST_ALIASES: 'true' },
  })
  return { server, store: await createEventStore(server, 'shop') }
}

/** The end of the log, to read from later. */
export function positionOf({ files }: EventStore): number {
  return logEnd(files)
}

/** Events that arrived after a position. */
export function arrived({ files }: EventStore, from: number): LogEntry[] {
  return readLog(files, from, logEnd(files)).records.map(({ entry }) => entry)
}

/**
 * The expected log after a client has sent a click, an identification and a page view: the first
 * two as sent, the third counted as not stored.
 */
export function checkDelivered(entries: readonly LogEntry[], anonymousId: string, at = AT): void {
  const clicks = entries.filter((entry) => entry.kind === 'event')
  assert.deepEqual(
    clicks.map(({ name, source, properties }) => [name, source, properties]),
    [['Object Clicked', 'canonical', PROPERTIES]],
  )
  assert.equal(clicks[0]?.visitor.anonymousId, anonymousId)
  // This machine's clock is that of the server: the correction must not change the time.
  assert.ok(Math.abs((clicks[0]?.atMs ?? 0) - at.getTime()) < 5_000)
  const links = entries.filter((entry) => entry.kind === 'identify')
  assert.deepEqual(
    links.map(({ visitor }) => [visitor.userId, visitor.anonymousId]),
    [['user-1', anonymousId]],
  )
  const counts = entries.flatMap((entry) => (entry.kind === 'tally' ? entry.counts : []))
  assert.deepEqual(
    counts.map(({ verdict, name }) => [verdict, name]),
    [['dropped_unknown', 'page']],
  )
}
