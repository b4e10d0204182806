import type { MysqlConnection } from '@aisle/contract'
import type { SourceRow } from '@aisle/import'
import type { Connection, FieldPacket } from 'mysql2'
import { documentRow } from '../database/document-row.ts'
import { SourceError } from '../source-error.ts'
import { backticked, mysqlRows, type MysqlRow } from './mysql-client.ts'
import { toJsonOf, type ToJson } from './mysql-values.ts'

/** What the rows of a source look like. */
export interface MysqlShape {
  /** `SELECT` of all rows. */
  readonly sql: string
  readonly fields: readonly FieldPacket[]
  /** Index of the id column. */
  readonly idAt: number
}

/** Asks the database what the table or query returns. */
export async function mysqlShape(
  client: Connection,
  { table, query }: MysqlConnection,
  idColumn: string,
): Promise<MysqlShape> {
  // The line end closes a comment at the end of the query.
  const from = query === undefined ? tableName(table ?? '') : `(${withoutSemicolon(query)}\n)`
  const sql = `SELECT * FROM ${from} AS source`
  const { fields } = await mysqlRows(client, `${sql} LIMIT 0`)
  const names = fields.map(({ name }) => name)
  const idAt = names.indexOf(idColumn)
  if (idAt !== -1) return { sql, fields, idAt }
  const message = `There is no column "${idColumn}": set \`id_column\` to one of ${names.join(', ')}`
  throw new SourceError('unreadable', message)
}

/** `shop.products` is a table of the database `shop`. */
function tableName(table: string): string {
  return table.split('.').map(backticked).join('.')
}

export function withoutSemicolon(query: string): string {
  const text = query.trim()
  return text.endsWith(';') ? text.slice(0, -1) : text
}

/** Writes rows as documents. */
export class MysqlRowWriter {
  readonly #names: readonly string[]
  readonly #toJson: readonly ToJson[]
  readonly #idAt: number

  constructor({ fields, idAt }: MysqlShape) {
    this.#names = fields.map(({ name }) => `${JSON.stringify(name)}:`)
    this.#toJson = fields.map(toJsonOf)
    this.#idAt = idAt
  }

  write(values: MysqlRow): SourceRow {
    const id = values[this.#idAt]
    if (id === null || id === undefined) return NO_ID
    let members = ''
    for (let i = 0; i < values.length; i++) {
      // The id is beside the members, unless its column has another name.
      if (i === this.#idAt && this.#names[i] === '"id":') continue
      const value = values[i] ?? null
      members += `${members === '' ? '' : ','}${this.#names[i]!}`
      members += value === null ? 'null' : this.#toJson[i]!(value)
    }
    return { kind: 'json', text: documentRow(id.toString('utf8'), members) }
  }
}

const NO_ID: SourceRow = { kind: 'ragged', cells: [], error: 'The id column of the row is null' }
