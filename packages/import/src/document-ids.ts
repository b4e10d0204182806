import { ImportError } from './import-error.ts'
import { byteLength } from './bytes.ts'
import { fieldsIn, type JsonEntry } from './json-entry.ts'
import { fieldsOfEntry, type Rows } from './rows.ts'
import type { SourceRow } from './source-row.ts'
import { ID_DEFAULT, rankOf } from './id-names.ts'

/** Where the ids of documents come from. */
export interface IdOptions {
  /** Column of a table, or field of JSON rows. */
  readonly idColumn: string
  /** The service generates ids for rows without one. */
  readonly generateIds: boolean
}

const ID_MAX_BYTES = 512

/** Whether a column or field of that name provides the document ids. */
export function hasIds(
  { columns, sample }: Pick<Rows, 'columns' | 'sample'>,
  idColumn: string,
): boolean {
  if (columns !== undefined) return columns.includes(idColumn)
  const entries = sample.flatMap((row) => (row.kind === 'json' ? [row.text] : []))
  // Anything else is refused later.
  const objects = entries.filter((text) => fieldsOfEntry(text) !== undefined)
  return objects.length === 0 || objects.some((text) => hasId(text, idColumn))
}

/** Whether a JSON object has an id of any type. */
function hasId(text: string, idColumn: string): boolean {
  const holder =
    idColumn === ID_DEFAULT ? (JSON.parse(text) as Record<string, unknown>) : fieldsOfEntry(text)
  return !isEmpty(holder?.[idColumn])
}

function isEmpty(id: unknown): boolean {
  return id === undefined || id === null || id === ''
}

/**
 * The likeliest id column, by its name and by distinct values in the first rows.
 */
export function likelyIdColumn({
  columns,
  sample,
}: Pick<Rows, 'columns' | 'sample'>): string | undefined {
  const rows = sample.map(fieldsOf).filter((row) => row !== undefined)
  const names = columns ?? [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const ranked = names
    .map((name) => ({ name, rank: rankOf(name) }))
    .filter(({ rank }) => rank >= 0)
    .toSorted((a, b) => a.rank - b.rank)
  return ranked.find(({ name }) => isDistinct(rows.map((row) => row[name])))?.name
}

function fieldsOf(row: SourceRow): Readonly<Record<string, unknown>> | undefined {
  if (row.kind === 'ragged') return undefined
  return row.kind === 'table' ? row.cells : fieldsOfEntry(row.text)
}

function isDistinct(values: readonly unknown[]): boolean {
  const texts = values.map((value) =>
    typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '',
  )
  const isId = (text: string): boolean => text !== '' && byteLength(text) <= ID_MAX_BYTES
  return texts.length > 0 && texts.every(isId) && new Set(texts).size === texts.length
}

/**
 * Adds the id to an entry.
 *
 * @param keep keep the field that the id comes from in the document
 * @throws ImportError if it has none
 */
export function withId(entry: JsonEntry, options: IdOptions, keep: boolean): JsonEntry {
  const { idColumn, generateIds } = options
  const fields = idColumn === ID_DEFAULT ? entry : fieldsIn(entry)
  if (!generateIds && isEmpty(fields[idColumn])) {
    throw new ImportError('row', `the row has no "${idColumn}", the document id`)
  }
  if (idColumn === ID_DEFAULT) return entry
  const { [idColumn]: id, ...rest } = fields
  const { action } = entry
  return {
    ...(isEmpty(id) ? {} : { id }),
    ...(action === undefined ? {} : { action }),
    data: keep ? fields : rest,
  }
}
