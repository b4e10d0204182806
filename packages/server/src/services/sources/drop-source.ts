import type { SourceConnection } from '@aisle/contract'
import { readingRequest } from './reading-request.ts'
import type { SourcePorts } from './source-ports.ts'
import type { SourceRecord } from './source-record.ts'

/** A database that cannot be reached does not keep a source from being deleted. */
const DROP_MAX_MS = 10_000

/**
 * Removes what a database keeps for a source that is deleted, or reads something else from now on:
 * a replication slot would keep the log of the database forever.
 *
 * @param next undefined: the source is deleted
 */
export async function dropKept(
  ports: Pick<SourcePorts, 'sources' | 'addressKey'>,
  source: SourceRecord,
  next: SourceConnection | undefined,
): Promise<void> {
  const kept = keptIn(source.connection)
  if (kept === undefined || (next !== undefined && keptIn(next) === kept)) return
  try {
    const request = readingRequest(ports, source)
    await ports.sources.drop(request, AbortSignal.timeout(DROP_MAX_MS))
  } catch {
    // docs/sources-postgresql.md says how to find a slot that is left.
  }
}

/** Where a slot is, if there is one. */
function keptIn(connection: SourceConnection): string | undefined {
  if (connection.kind !== 'postgres' || connection.follow?.by !== 'replication') return undefined
  const { host, port, database, follow } = connection
  return JSON.stringify([host, port, database, follow.slot])
}
