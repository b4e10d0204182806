import type { StoreSchema } from '@aisle/client'
import type { IdOptions } from './document-ids.ts'
import { ImportError } from './import-error.ts'
import { fieldNameOf } from './field-name.ts'

type Field = StoreSchema['fields'][number]

const WHOLE = /^[+-]?\d+$/
const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,3})?$/
/** `48.85, 2.35`: latitude and longitude. */
const PLACE = /^\(?([+-]?\d{1,3}(?:\.\d+)?)\s{0,9}[,;]\s{0,9}([+-]?\d{1,3}(?:\.\d+)?)\)?$/
const TRUE = /^(true|yes|y|1)$/i
const FALSE = /^(false|no|n|0)$/i

export interface TableOptions extends IdOptions {
  /** Column -> field; an empty one leaves the column out. */
  readonly mapping: ReadonlyMap<string, string>
  /** Between the elements of a list in one cell. */
  readonly listSeparator: string
}

/**
 * Columns that go somewhere, and where to. A column goes to the field of its own name or of that
 * name in snake case, unless it is mapped.
 */
export function targetsOf(
  columns: readonly string[],
  { mapping, idColumn }: TableOptions,
  fields: ReadonlySet<string> | undefined,
): Map<string, string> {
  const targets = new Map<string, string>()
  for (const column of columns) {
    const mapped = mapping.get(column)
    if (mapped === '' || (column === idColumn && mapped === undefined)) continue
    const target = mapped ?? (fields?.has(column) === true ? column : fieldNameOf(column))
    if (target !== '') targets.set(column, target)
  }
  for (const column of mapping.keys()) {
    if (!columns.includes(column)) {
      throw new ImportError(
        'unreadable',
        `There is no column "${column}" to map: ${columns.join(', ')}`,
      )
    }
  }
  return targets
}

/**
 * A row of a table as the JSON text of a document. Numbers are written with the digits they have;
 * an empty cell is no value.
 *
 * @throws ImportError that names the column
 */
export function rowToJson(
  row: Readonly<Record<string, string>>,
  targets: ReadonlyMap<string, string>,
  fields: ReadonlyMap<string, Field>,
  { idColumn, generateIds, listSeparator }: TableOptions,
): string {
  const members: string[] = []
  for (const [column, name] of targets) {
    const cell = (row[column] ?? '').trim()
    const field = fields.get(name)
    if (cell === '' || field === undefined) continue
    members.push(`${JSON.stringify(name)}:${cellToJson(cell, field, column, listSeparator)}`)
  }
  const id = (row[idColumn] ?? '').trim()
  if (id === '' && !generateIds) {
    throw new ImportError('row', `column "${idColumn}" is empty, but is the id column`)
  }
  return `{${id === '' ? '' : `"id":${JSON.stringify(id)},`}"data":{${members.join(',')}}}`
}

function cellToJson(cell: string, { type }: Field, column: string, separator: string): string {
  if (!type.endsWith('[]')) return scalarToJson(cell, type, column)
  const elements = cell.split(separator).map((element) => element.trim())
  const scalars = elements
    .filter((element) => element !== '')
    .map((element) => scalarToJson(element, type.slice(0, -2), column))
  return `[${scalars.join(',')}]`
}

function scalarToJson(text: string, type: string, column: string): string {
  if (type === 'string') return JSON.stringify(text)
  if (type === 'date') return NUMBER.test(text) ? String(Number(text)) : JSON.stringify(text)
  if (type === 'bool') {
    if (TRUE.test(text)) return 'true'
    if (FALSE.test(text)) return 'false'
  } else if (type === 'geopoint') {
    const [, lat, lon] = PLACE.exec(text) ?? []
    if (lat !== undefined) return `[${Number(lat)},${Number(lon)}]`
  } else if (type === 'float') {
    if (NUMBER.test(text)) return String(Number(text))
  } else if (WHOLE.test(text)) {
    return text.replace(/^\+/, '').replace(/^(-?)0+(\d)/, '$1$2')
  }
  throw new ImportError(
    'row',
    `column "${column}" must be ${type}, received "${text.slice(0, 60)}"`,
  )
}
