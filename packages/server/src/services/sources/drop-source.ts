import type { SourceConnection } from '@aisle/contract'
import { SOURCES } from '../../ports/catalog/edit-journal.ts'
import { readingRequest } from './reading-request.ts'
import type { SourcePorts } from './source-ports.ts'
import { SOURCE_RECORDS, type SourceRecord } from './source-record.ts'

/** A database that cannot be reached does not keep a source from being deleted. */
const DROP_MAX_MS = 10_000

/**
 * Removes what a database keeps for a source that is deleted, or reads something else from now on:
 * a replication slot would keep the log of the database forever.
 *
 * @param next undefined: the source is deleted
 * @returns whether nothing is left of it
 */
export async function dropKept(
  ports: Pick<SourcePorts, 'sources' | 'addressKey'>,
  source: SourceRecord,
  next: SourceConnection | undefined,
): Promise<boolean> {
  const kept = keptIn(source.connection)
  if (kept === undefined || (next !== undefined && keptIn(next) === kept)) return true
  try {
    const request = readingRequest(ports, source)
    await ports.sources.drop(request, AbortSignal.timeout(DROP_MAX_MS))
    return true
  } catch {
    // docs/sources-postgresql.md says how to find a slot that is left.
    return false
  }
}

/**
 * Removes it for a reader that has ended, if its source was deleted or changed meanwhile: the
 * reader may have made it after that.
 */
export async function dropUnused(
  ports: Pick<SourcePorts, 'edits' | 'sources' | 'addressKey'>,
  source: SourceRecord,
): Promise<void> {
  const now = await SOURCE_RECORDS.find(ports, SOURCES, source.id)
  await dropKept(ports, source, now?.connection)
}

/** Where a slot is, if there is one. */
function keptIn(connection: SourceConnection): string | undefined {
  if (connection.kind !== 'postgres' || connection.follow?.by !== 'replication') return undefined
  const { host, port, database, follow } = connection
  return JSON.stringify([host, port, database, follow.slot])
}
