import { logNameOf, readLog, type LogEntry, type LogFiles, type LogRecord } from '@aisle/event-log'
import type { EventLogClient } from '../../adapters/event-log/event-log-client.ts'
import type { AppDependencies } from '../dependencies.ts'
import type { AccessDirectory } from '../../ports/access/access-directory.ts'
import type { AccessKeeper } from '../../ports/access/access-keeper.ts'
import type { LogOwner } from '../../ports/events/event-log.ts'

export const ADMIN_TOKEN = 'admin-token-of-the-tests-of-routes'

/** Insecure, but fast. */
export const CHEAP_PASSWORDS = { memoryKib: 8, passes: 1, parallelism: 1 }

/** What is behind the application in a test. */
export interface TestBackend {
  readonly ports: Omit<AppDependencies, 'options'>
  readonly access: AccessKeeper
  readonly directory: AccessDirectory
  /** Of the link of the first run. */
  readonly firstRunSecret: string
  /** What is stored of visitors, and counts of refused events, in the order of arrival. */
  stored(storeId: string): Promise<readonly LogEntry[]>
  /**
   * Resolves when popularity is made of all that was answered.
   *
   * @param hasWritten whether documents may have changed since the last time
   */
  follow(hasWritten: boolean): Promise<void>
  close(): Promise<void>
}

/** The event logs of a backend: where they are sent to, and the files to read. */
export interface TestLogs {
  readonly events: Pick<EventLogClient, 'flush' | 'endOf'>
  files(log: string): LogFiles
}

/** All of a log, with what was on its way. */
export async function readAll({ events, files }: TestLogs, owner: LogOwner): Promise<LogRecord[]> {
  const log = logNameOf(owner)
  await events.flush()
  const end = await events.endOf(log)
  const all: LogRecord[] = []
  for (let from = 0; ;) {
    const { records, next } = readLog(files(log), from, end)
    all.push(...records)
    if (next === from) return all
    from = next
  }
}

export async function readEntries(logs: TestLogs, owner: LogOwner): Promise<LogEntry[]> {
  return (await readAll(logs, owner)).map(({ entry }) => entry)
}
