import type { DuckDBAppender } from '@duckdb/node-api'
import { activityOf, readLog, stretchesAround, TAG_SEPARATOR } from '@aisle/event-log'
import type { LogFiles, LogPage, LogRecord } from '@aisle/event-log'
import { LOG_TABLES } from './report-tables.ts'
import type { RunSteps, SqlSession } from './sql-session.ts'

type Value = string | number | boolean | undefined

/** Records read from the log and added in one transaction. */
const PAGE_BYTES = 4 * 1024 * 1024
/** Bytes of a page that are read at once. */
const SLICE_BYTES = 128 * 1024
/** Records that are added at once. */
const RECORDS_AT_ONCE = 50

/** Reads the next page of a log, in steps. */
export async function readPage(
  files: LogFiles,
  from: number,
  end: number,
  runSteps: RunSteps,
): Promise<LogPage> {
  const records: LogRecord[] = []
  let next = from
  let skippedBytes = 0
  await runSteps(() => {
    const at = next
    const slice = readLog(files, at, end, SLICE_BYTES)
    for (const record of slice.records) records.push(record)
    skippedBytes += slice.skippedBytes
    next = slice.next
    return next === at || next >= end || next - from >= PAGE_BYTES
  })
  return { records, next, skippedBytes }
}

/** Adds records of the log to the tables, in steps. Call it inside a transaction. */
export async function loadRecords(
  session: SqlSession,
  records: readonly LogRecord[],
): Promise<void> {
  const appenders = new Map<string, DuckDBAppender>()
  for (const table of [...LOG_TABLES, 'stale']) {
    appenders.set(table, await session.connection.createAppender(table))
  }
  const add = (table: (typeof LOG_TABLES)[number] | 'stale', ...values: Value[]): void =>
    appendRow(appenders.get(table)!, DOUBLES[table], values)
  const stretches = new Set<number>()
  const addRecord = ({ position, entry }: LogRecord): void => {
    if (entry.kind === 'tally') {
      for (const { name, verdict, count } of entry.counts) {
        add('tallies', position, entry.receivedMs, name, verdict, count)
      }
      return
    }
    const one = activityOf(entry)
    const { userId, anonymousId, sessionId, client } = one.visitor
    add(
      'activity',
      position,
      one.atMs,
      one.receivedMs,
      one.kind,
      one.name,
      one.source === 'server',
      one.searchId,
      one.query,
      one.found,
      one.tookMs,
      one.rank,
      one.documentId,
      one.orderId,
      one.currency,
      one.amount,
      taggedText(one.tags),
      one.isOutside,
      userId,
      anonymousId,
      sessionId,
      // The address identifies only visitors without an id.
      (userId ?? anonymousId ?? sessionId) === undefined ? client : undefined,
    )
    for (const id of one.shown) add('shown', position, id)
    for (const { documentId, amount } of one.items) add('items', position, documentId, amount)
    for (const { field, value } of one.filters) add('filters', position, field, value)
    for (const rule of one.rules) add('applied', position, 'rule', rule)
    if (one.experiment !== undefined) {
      const { id, arm, live, draft } = one.experiment
      add('applied', position, arm, id)
      for (const document of live) add('applied', position, 'of live', document)
      for (const document of draft) add('applied', position, 'of draft', document)
    }
    if (one.preset !== undefined) add('applied', position, 'preset', one.preset)
    if (userId !== undefined && anonymousId !== undefined) {
      add('links', position, one.atMs, anonymousId, userId)
    }
    for (const stretch of stretchesAround(one.receivedMs)) stretches.add(stretch)
  }
  let next = 0
  await session.runSteps(() => {
    const end = Math.min(next + RECORDS_AT_ONCE, records.length)
    for (; next < end; next++) addRecord(records[next]!)
    return next === records.length
  })
  for (const stretch of stretches) add('stale', stretch)
  const open = [...appenders.values()]
  await session.runSteps(() => {
    open.pop()?.closeSync()
    return open.length === 0
  })
}

/** Columns that hold fractions; every other number is whole. */
const DOUBLES: Readonly<Record<string, number>> = { activity: 9 }

function appendRow(appender: DuckDBAppender, double: number | undefined, values: Value[]): void {
  for (let i = 0; i < values.length; i++) {
    const value = values[i]
    if (value === undefined) appender.appendNull()
    else if (typeof value === 'string') appender.appendVarchar(value)
    else if (typeof value === 'boolean') appender.appendBoolean(value)
    else if (i === double) appender.appendDouble(value)
    else appender.appendBigInt(BigInt(Math.floor(value)))
  }
  appender.endRow()
}

function taggedText(tags: readonly string[]): string | undefined {
  if (tags.length === 0) return undefined
  return tags.map((tag) => TAG_SEPARATOR + tag + TAG_SEPARATOR).join('')
}
