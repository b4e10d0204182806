import type { StoreSchema } from '@aisle/client'
import { currencyOfText, isNothing, jsonOfText } from './cells/read-text.ts'
import { levelField, namesOfPath, type PathMark } from './cells/path-text.ts'
import type { Reading } from './cells/reading.ts'
import { levelValues } from './convert-json.ts'
import type { IdOptions } from './document-ids.ts'
import { textOfHtml } from './html-text.ts'
import { ImportError } from './import-error.ts'
import { fieldNameOf } from './field-name.ts'

type Field = StoreSchema['fields'][number]

export interface TableOptions extends IdOptions {
  /** Column -> field; empty: leave the column out. */
  readonly mapping: ReadonlyMap<string, string>
  /** Separator of list elements within a cell. */
  readonly listSeparator: string
  /** Readings of values, by column, or by path in JSON rows. */
  readonly readings?: ReadonlyMap<string, Reading>
  /** Columns or members to leave out because the schema lacks them. */
  readonly ignoresUnknown?: boolean
  /** Members of JSON rows to leave out where they are empty, because the schema lacks them. */
  readonly dropsEmpty?: boolean
}

/**
 * The target field of each imported column: the field of the same name, or of that name in snake
 * case, unless it is mapped.
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
        `Cannot map column "${column}": the columns are ${columns.join(', ')}`,
      )
    }
  }
  return targets
}

/**
 * Converts a table row to the JSON text of a document. Numbers keep all digits; an empty cell is no
 * value.
 *
 * @throws ImportError that names the column
 */
export function rowToJson(
  row: Readonly<Record<string, string>>,
  targets: ReadonlyMap<string, string>,
  fields: ReadonlyMap<string, Field>,
  options: TableOptions,
): string {
  const { idColumn, generateIds, readings } = options
  const members: string[] = []
  const add = (name: string, json: string): void =>
    void members.push(`${JSON.stringify(name)}:${json}`)
  for (const [column, name] of targets) {
    const cell = (row[column] ?? '').trim()
    const field = fields.get(name)
    if (cell === '' || field === undefined) continue
    const reading = readings?.get(column)
    if (reading?.path !== undefined) {
      for (const [level, json] of pathToJson(cell, field, reading.path, fields, options)) {
        add(level, json)
      }
      continue
    }
    const json = cellToJson(cell, field, column, reading, options)
    if (json !== undefined) add(name, json)
    const { currencyField } = reading ?? {}
    if (currencyField === undefined || !fields.has(currencyField)) continue
    const currency = currencyOfText(cell, reading?.numbers)
    if (currency !== undefined) add(currencyField, JSON.stringify(currency))
  }
  const id = (row[idColumn] ?? '').trim()
  if (id === '' && !generateIds) {
    throw new ImportError('row', `id column "${idColumn}" is empty`)
  }
  return `{${id === '' ? '' : `"id":${JSON.stringify(id)},`}"data":{${members.join(',')}}}`
}

/** Splits a path into its levels and deepest name. */
function pathToJson(
  cell: string,
  { name, type }: Field,
  mark: PathMark,
  fields: ReadonlyMap<string, Field>,
  { listSeparator }: TableOptions,
): [string, string][] {
  const isList = type.endsWith('[]')
  const paths = isList ? cell.split(listSeparator) : [cell]
  const valueOf = (values: readonly string[], inList: boolean): string =>
    JSON.stringify(inList ? values : values[0])
  const deepest = paths.flatMap((path) => namesOfPath(path, mark).slice(-1))
  const levels = levelValues(paths, mark).flatMap((values, level): [string, string][] => {
    const field = fields.get(levelField(name, level))
    return field === undefined ? [] : [[field.name, valueOf(values, field.type.endsWith('[]'))]]
  })
  return deepest.length === 0 ? levels : [...levels, [name, valueOf(deepest, isList)]]
}

/** @returns undefined if the cell has no value */
function cellToJson(
  cell: string,
  { type }: Field,
  column: string,
  reading: Reading | undefined,
  { listSeparator }: TableOptions,
): string | undefined {
  if (!type.endsWith('[]')) return scalarToJson(cell, type, column, reading)
  const elements = cell.split(listSeparator).map((element) => element.trim())
  const scalars = elements
    .filter((element) => element !== '')
    .map((element) => scalarToJson(element, type.slice(0, -2), column, reading))
    .filter((json) => json !== undefined)
  return `[${scalars.join(',')}]`
}

function scalarToJson(
  text: string,
  type: string,
  column: string,
  reading: Reading | undefined,
): string | undefined {
  if (type === 'string') {
    return JSON.stringify(reading?.stripsHtml === true ? textOfHtml(text) : text)
  }
  if (isNothing(text, reading)) return undefined
  const json = jsonOfText(text, type, reading)
  if (json !== undefined) return json
  throw new ImportError(
    'row',
    `column "${column}" must be ${type}, received "${text.slice(0, 60)}"`,
  )
}
