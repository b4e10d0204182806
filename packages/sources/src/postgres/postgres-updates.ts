import type { FollowUpdatedAt } from '@aisle/contract'
import type { Client } from 'pg'
import { overlapSecondsOf, type UpdateQueries, type UpdatesPosition } from '../database/updates.ts'
import { SourceError } from '../source-error.ts'
import { copyRows } from './copy-rows.ts'
import { literal, quoted } from './postgres-client.ts'
import { RowWriter, type Shape, type typesOf } from './shape.ts'

type Types = Awaited<ReturnType<typeof typesOf>>

const TIME_TYPES = new Set(['timestamptz', 'timestamp'])
/** Rows dated later than in a day have a wrong time, after which nothing would be found. */
const UNTIL = `now() + interval '1 day'`

/** Queries for rows that changed, by the time in a column. */
export function postgresUpdates(
  client: Client,
  shape: Shape,
  types: Types,
  follow: FollowUpdatedAt,
): UpdateQueries {
  const updatedAt = updatedColumn(shape, types, follow)
  const idColumn = quoted(shape.columns[shape.idAt]!.name)
  const writer = new RowWriter(shape.columns, shape.idAt, types)
  return {
    async *updatedRows(after, signal) {
      const column = `source.${quoted(follow.column)}`
      const later = after === null ? '' : ` AND ${column} > ${literal(after)}`
      const sql = `${shape.sql} WHERE ${column} <= ${UNTIL}${later} ORDER BY ${column}`
      for await (const values of copyRows(client, sql, signal)) {
        yield { row: writer.write(values), updatedAt: values[updatedAt]! }
      }
    },
    async *deletedRows(after, signal) {
      const later = after === null ? '' : ` AND gone.deleted_at > ${literal(after)}`
      const sql = `SELECT gone.id, gone.deleted_at FROM (${follow.tombstones ?? ''}\n) AS gone
        WHERE gone.deleted_at <= ${UNTIL}${later}
          AND NOT EXISTS (${shape.sql} WHERE source.${idColumn} = gone.id)
        ORDER BY gone.deleted_at`
      for await (const [id, deletedAt] of copyRows(client, sql, signal)) {
        if (id !== null && id !== undefined) yield { id, deletedAt: deletedAt! }
      }
    },
  }
}

/** The place of a reading that begins now, in the same snapshot. */
export async function updatesPosition(
  client: Client,
  shape: Shape,
  types: Types,
  follow: FollowUpdatedAt,
): Promise<UpdatesPosition> {
  updatedColumn(shape, types, follow)
  const overlap = `interval '${overlapSecondsOf(follow)} seconds'`
  const latest = async (column: string, from: string): Promise<string | null> => {
    const { rows } = await client.query<{ readonly latest: string | null }>({
      text: `SELECT max(${column}) - ${overlap} AS latest FROM ${from} WHERE ${column} <= ${UNTIL}`,
      values: [],
    })
    return rows[0]!.latest
  }
  return {
    updatedAt: await latest(quoted(follow.column), `(${shape.sql}) AS rows`),
    deletedAt:
      follow.tombstones === undefined
        ? null
        : await latest('deleted_at', `(${follow.tombstones}\n) AS gone`),
  }
}

/** @returns the index of the column */
function updatedColumn({ columns }: Shape, types: Types, { column }: FollowUpdatedAt): number {
  const at = columns.findIndex(({ name }) => name === column)
  const type = at === -1 ? undefined : types.get(columns[at]!.typeId)
  if (type === undefined) {
    throw new SourceError('unreadable', `There is no column "${column}" to follow`)
  }
  if (!TIME_TYPES.has(type.name)) {
    throw new SourceError(
      'unreadable',
      `Column "${column}" has the type ${type.name}, expected timestamptz or timestamp`,
    )
  }
  return at
}
