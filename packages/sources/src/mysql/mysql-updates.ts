import type { FollowUpdatedAt } from '@aisle/contract'
import type { Connection } from 'mysql2'
import { overlapSecondsOf, type UpdateQueries, type UpdatesPosition } from '../database/updates.ts'
import { SourceError } from '../source-error.ts'
import { backticked, mysqlRows, mysqlStream } from './mysql-client.ts'
import { MysqlRowWriter, withoutSemicolon, type MysqlShape } from './mysql-rows.ts'

/** TIMESTAMP and DATETIME. */
const TIME_TYPES = new Set([7, 12])
/** Rows dated later than in a day have a wrong time, after which nothing would be found. */
const UNTIL = 'now() + INTERVAL 1 DAY'

/** Queries for rows that changed, by the time in a column. */
export function mysqlUpdates(
  client: Connection,
  shape: MysqlShape,
  follow: FollowUpdatedAt,
): UpdateQueries {
  const updatedAt = updatedColumn(shape, follow)
  const idColumn = backticked(shape.fields[shape.idAt]!.name)
  const writer = new MysqlRowWriter(shape)
  return {
    async *updatedRows(after, signal) {
      const column = `source.${backticked(follow.column)}`
      const later = after === null ? '' : ` AND ${column} > ${timeLiteral(after)}`
      const sql = `${shape.sql} WHERE ${column} <= ${UNTIL}${later} ORDER BY ${column}`
      for await (const values of mysqlStream(client, sql, signal)) {
        yield { row: writer.write(values), updatedAt: values[updatedAt]!.toString() }
      }
    },
    async *deletedRows(after, signal) {
      const later = after === null ? '' : ` AND gone.deleted_at > ${timeLiteral(after)}`
      const tombstones = withoutSemicolon(follow.tombstones ?? '')
      const sql = `SELECT gone.id, gone.deleted_at FROM (${tombstones}\n) AS gone
        WHERE gone.deleted_at <= ${UNTIL}${later}
          AND NOT EXISTS (${shape.sql} WHERE source.${idColumn} = gone.id)
        ORDER BY gone.deleted_at`
      for await (const [id, deletedAt] of mysqlStream(client, sql, signal)) {
        if (id === null || id === undefined) continue
        yield { id: id.toString(), deletedAt: deletedAt!.toString() }
      }
    },
  }
}

/** The place of a reading that begins now, in the same snapshot. */
export async function mysqlPosition(
  client: Connection,
  shape: MysqlShape,
  follow: FollowUpdatedAt,
): Promise<UpdatesPosition> {
  updatedColumn(shape, follow)
  const overlap = `INTERVAL ${overlapSecondsOf(follow)} SECOND`
  const latest = async (column: string, from: string): Promise<string | null> => {
    const sql = `SELECT max(${column}) - ${overlap} FROM ${from} WHERE ${column} <= ${UNTIL}`
    const { rows } = await mysqlRows(client, sql)
    return rows[0]![0]?.toString() ?? null
  }
  const { tombstones } = follow
  return {
    updatedAt: await latest(backticked(follow.column), `(${shape.sql}) AS updated`),
    deletedAt:
      tombstones === undefined
        ? null
        : await latest('deleted_at', `(${withoutSemicolon(tombstones)}\n) AS gone`),
  }
}

/** @returns the index of the column */
function updatedColumn({ fields }: MysqlShape, { column }: FollowUpdatedAt): number {
  const at = fields.findIndex(({ name }) => name === column)
  const field = fields[at]
  if (field === undefined) {
    throw new SourceError('unreadable', `There is no column "${column}" to follow`)
  }
  if (TIME_TYPES.has(field.columnType ?? field.type ?? -1)) return at
  throw new SourceError('unreadable', `Column "${column}" is not a DATETIME or TIMESTAMP`)
}

/** A time as the database wrote it. */
function timeLiteral(time: string): string {
  return `'${time.replaceAll(/[^\d:. -]/g, '')}'`
}
