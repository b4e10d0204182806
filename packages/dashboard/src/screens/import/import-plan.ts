import type { SchemaField, SchemaFieldRequest, StoreSchema } from '@aisle/contract'
import {
  fieldNameOf,
  fieldsOfEntry,
  guessFields,
  hasIds,
  ID_DEFAULT,
  ImportError,
  likelyIdColumn,
  lineWriter,
  type Rows,
  type RowOptions,
  type SourceRow,
} from '@aisle/import'
import { isCovered } from '../../parts/field-types.ts'
import { ownValue } from '../../format/own-value.ts'

export type ImportAction = 'upsert' | 'insert' | 'update'
export type ReadRows = Pick<Rows, 'columns' | 'sample'>

/** A column of a table, or a field of JSON rows, and the field of the store that it becomes. */
export interface PlannedColumn {
  readonly column: string
  readonly example: string
  /** Empty: it is left out. */
  readonly target: string
}

/** What an import will do, as far as a person decides. */
export interface ImportPlan {
  readonly columns: readonly PlannedColumn[]
  /** Empty: the service makes ids. */
  readonly idColumn: string
  readonly action: ImportAction
  readonly listSeparator: string
  /** Fields that the store does not have yet, by their names. */
  readonly newFields: Readonly<Record<string, SchemaFieldRequest>>
}

const PREVIEW_ROWS = 20
const EXAMPLE_CHARS = 80
const LIST_SEPARATOR = '|'

/**
 * The proposal for a file: every column becomes the field with its name; new fields get guessed
 * types.
 */
export function proposedPlan(rows: ReadRows, schema: StoreSchema): ImportPlan {
  const known = new Set(schema.fields.map(({ name }) => name))
  const idColumn = hasIds(rows, ID_DEFAULT) ? ID_DEFAULT : (likelyIdColumn(rows) ?? '')
  const columns = columnNames(rows)
    .filter((column) => column !== '')
    .map((column): PlannedColumn => {
      const own = known.has(column) || rows.columns === undefined ? column : fieldNameOf(column)
      const isId = column === idColumn && !known.has(own)
      return { column, example: exampleOf(column, rows), target: isId ? '' : own }
    })
  return {
    columns,
    idColumn,
    action: 'upsert',
    listSeparator: LIST_SEPARATOR,
    newFields: guessedFields(rows, columns),
  }
}

/** A schema guess for every target. */
function guessedFields(
  rows: ReadRows,
  columns: readonly PlannedColumn[],
): Record<string, SchemaFieldRequest> {
  const mapping = new Map(columns.map(({ column, target }) => [column, target]))
  const options = { mapping, idColumn: '', generateIds: true, listSeparator: LIST_SEPARATOR }
  return Object.fromEntries(guessFields(rows, options).map(({ field }) => [field.name, field]))
}

function columnNames({ columns, sample }: ReadRows): readonly string[] {
  if (columns !== undefined) return columns
  return [...new Set(sample.flatMap((row) => Object.keys(cellsOf(row))))]
}

function exampleOf(column: string, { sample }: ReadRows): string {
  for (const row of sample) {
    const value = cellsOf(row)[column]
    if (value === undefined || value === null || value === '') continue
    return (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, EXAMPLE_CHARS)
  }
  return ''
}

function cellsOf(row: SourceRow): Readonly<Record<string, unknown>> {
  if (row.kind === 'json') return fieldsOfEntry(row.text) ?? {}
  return row.kind === 'table' ? row.cells : {}
}

/** The fields that the import adds to the store. */
export function addedFields(plan: ImportPlan, schema: StoreSchema): SchemaFieldRequest[] {
  const known = new Set(schema.fields.map(({ name }) => name))
  const targets = new Set(plan.columns.map(({ target }) => target))
  return [...targets].flatMap((name) => {
    if (name === '' || name === ID_DEFAULT) return []
    // An object comes with the fields inside of it.
    const inside = Object.values(plan.newFields).filter(
      ({ name: path }) =>
        path.startsWith(`${name}.`) && !known.has(path) && !isCovered(path, schema.fields),
    )
    if (known.has(name)) return inside
    const own = ownValue(plan.newFields, name)
    return [own ?? { name, type: 'string' as const, searchable: true }, ...inside]
  })
}

/** The schema as it will be. */
function schemaWith({ fields }: StoreSchema, added: readonly SchemaFieldRequest[]): StoreSchema {
  return {
    fields: [
      ...fields,
      ...added.map((field): SchemaField => ({
        searchable: false,
        facet: false,
        sort: false,
        ...field,
      })),
    ],
  }
}

/** Two columns with the same target field. */
export function doubledTarget({ columns }: ImportPlan): string | undefined {
  const targets = columns.map(({ target }) => target).filter((target) => target !== '')
  return targets.find((target, i) => targets.indexOf(target) !== i)
}

export function rowOptions(plan: ImportPlan, isTable: boolean): RowOptions {
  const { columns, idColumn, action, listSeparator } = plan
  const moved = columns.filter(
    ({ column, target }) =>
      target !== column && !(column === idColumn && target === '' && !isTable),
  )
  // A table names every column; for JSON rows only changes are listed.
  const mapped = isTable ? columns : moved
  return {
    mapping: new Map(mapped.map(({ column, target }) => [column, target])),
    idColumn: idColumn === '' ? ID_DEFAULT : idColumn,
    generateIds: idColumn === '',
    listSeparator,
    action,
  }
}

export interface PreviewRow {
  /** From 1. */
  readonly row: number
  readonly id: string
  readonly fields: Readonly<Record<string, unknown>>
  /** Why it would be refused. */
  readonly error: string | undefined
}

/** The first rows as they would be sent. */
export function previewRows(
  { sample, columns }: ReadRows,
  schema: StoreSchema,
  plan: ImportPlan,
): PreviewRow[] {
  const toLine = lineWriter(
    schemaWith(schema, addedFields(plan, schema)),
    rowOptions(plan, columns !== undefined),
  )
  return sample.slice(0, PREVIEW_ROWS).map((source, i): PreviewRow => {
    try {
      const line = toLine(source)
      const { id } = JSON.parse(line) as { id?: string | number }
      const shown = id === undefined ? '' : String(id)
      return { row: i + 1, id: shown, fields: fieldsOfEntry(line) ?? {}, error: undefined }
    } catch (error) {
      const message = error instanceof ImportError ? error.message : 'this is no JSON object'
      return { row: i + 1, id: '', fields: cellsOf(source), error: message }
    }
  })
}
