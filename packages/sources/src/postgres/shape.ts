import type { PostgresConnection } from '@aisle/contract'
import type { SourceRow } from '@aisle/import'
import type { Client } from 'pg'
import { documentRow } from '../database/document-row.ts'
import { SourceError } from '../source-error.ts'
import { toJsonOf, type PostgresType, type ToJson } from './json-values.ts'
import { quoted } from './postgres-client.ts'

/** What the rows of a source look like. */
export interface Shape {
  /** `SELECT` of all rows. */
  readonly sql: string
  readonly columns: readonly Column[]
  /** Index of the id column. */
  readonly idAt: number
  /** Type of the id column, for a cast. */
  readonly idType: string
}

export interface Column {
  readonly name: string
  readonly typeId: number
}

/**
 * Asks the database what the table or query returns. It is parsed as one statement here, before it
 * becomes part of another one.
 */
export async function shapeOf(
  client: Client,
  { table, query }: PostgresConnection,
  idColumn: string,
): Promise<Shape> {
  // The line end closes a comment at the end of the query.
  const from = query === undefined ? tableName(table ?? '') : `(${trimmed(query)}\n)`
  const sql = `SELECT * FROM ${from} AS source`
  const { fields } = await client.query({ text: `${sql} LIMIT 0`, values: [], rowMode: 'array' })
  const columns = fields.map(({ name, dataTypeID }) => ({ name, typeId: dataTypeID }))
  const names = columns.map(({ name }) => name)
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) {
    throw new SourceError('unreadable', `The query has two columns "${twice}": rename one with AS`)
  }
  const idAt = names.indexOf(idColumn)
  if (idAt === -1) {
    throw new SourceError(
      'unreadable',
      `There is no column "${idColumn}": set \`id_column\` to one of ${names.join(', ')}`,
    )
  }
  const type = await client.query<[string]>({
    text: 'SELECT format_type($1::oid, NULL)',
    values: [columns[idAt]!.typeId],
    rowMode: 'array',
  })
  return { sql, columns, idAt, idType: type.rows[0]![0] }
}

/** `shop.products` and `products`; parts are exact, also in upper case. */
export function tableName(table: string): string {
  const dot = table.indexOf('.')
  return dot === -1
    ? quoted(table)
    : `${quoted(table.slice(0, dot))}.${quoted(table.slice(dot + 1))}`
}

function trimmed(query: string): string {
  const text = query.trim()
  return text.endsWith(';') ? text.slice(0, -1) : text
}

/** Whether two shapes give documents the same members. */
export function shapeKey({ columns }: Pick<Shape, 'columns'>): string {
  return JSON.stringify(columns.map(({ name, typeId }) => [name, typeId]))
}

/** The types of the database: its extensions and its users add some. */
export async function typesOf(client: Client): Promise<ReadonlyMap<number, PostgresType>> {
  const { rows } = await client.query<[string, string, string, string, string, string]>({
    text: 'SELECT oid, typname, typcategory, typelem, typbasetype, typdelim FROM pg_type',
    rowMode: 'array',
  })
  return new Map(
    rows.map(([id, name, category, elementId, baseId, delimiter]) => [
      Number(id),
      { name, category, elementId: Number(elementId), baseId: Number(baseId), delimiter },
    ]),
  )
}

/** Writes rows of some columns as documents. */
export class RowWriter {
  readonly #names: readonly string[]
  readonly #toJson: readonly ToJson[]
  readonly #idAt: number

  constructor(columns: readonly Column[], idAt: number, types: ReadonlyMap<number, PostgresType>) {
    this.#names = columns.map(({ name }) => `${JSON.stringify(name)}:`)
    this.#toJson = columns.map(({ typeId }) => toJsonOf(typeId, types))
    this.#idAt = idAt
  }

  idOf(values: readonly (string | null | undefined)[]): string | undefined {
    return values[this.#idAt] ?? undefined
  }

  write(values: readonly (string | null | undefined)[]): SourceRow {
    const id = this.idOf(values)
    if (id === undefined) return NO_ID
    let members = ''
    for (let i = 0; i < values.length; i++) {
      // The id is beside the members, unless its column has another name.
      if (i === this.#idAt && this.#names[i] === '"id":') continue
      const value = values[i]
      if (value === undefined) continue
      members += `${members === '' ? '' : ','}${this.#names[i]!}`
      members += value === null ? 'null' : this.#toJson[i]!(value)
    }
    return { kind: 'json', text: documentRow(id, members) }
  }
}

const NO_ID: SourceRow = { kind: 'ragged', cells: [], error: 'The id column of the row is null' }

/** Rows with some ids, as they are now: by id. An id without a row is not there. */
export async function rowsById(
  client: Client,
  { sql, columns, idAt, idType }: Shape,
  writer: RowWriter,
  ids: readonly string[],
): Promise<Map<string, SourceRow>> {
  const { rows } = await client.query<string[]>({
    text: `${sql} WHERE source.${quoted(columns[idAt]!.name)} = ANY ($1::text[]::${idType}[])`,
    values: [ids],
    rowMode: 'array',
  })
  return new Map(rows.map((values) => [writer.idOf(values)!, writer.write(values)]))
}
