import type { DuckDBAppender } from '@duckdb/node-api'
import { activityOf, stretchesAround, TAG_SEPARATOR, type LogRecord } from '@aisle/event-log'
import { LOG_TABLES } from './report-tables.ts'
import type { SqlSession } from './sql-session.ts'

type Value = string | number | boolean | undefined

/** Adds records of the log to the tables. Call it inside a transaction. */
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
  for (const { position, entry } of records) {
    if (entry.kind === 'tally') {
      for (const { name, verdict, count } of entry.counts) {
        add('tallies', position, entry.receivedMs, name, verdict, count)
      }
      continue
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
    for (const id of one.trial.popular) add('applied', position, 'popular', id)
    for (const id of one.trial.plain) add('applied', position, 'plain', id)
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
  for (const stretch of stretches) add('stale', stretch)
  for (const appender of appenders.values()) appender.closeSync()
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
