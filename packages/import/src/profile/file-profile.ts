import { parseExactly } from '@aisle/client'
import { ID_DEFAULT, rankOf } from '../id-names.ts'
import { fieldsIn, isObject, type JsonEntry } from '../json-entry.ts'
import type { SourceRow } from '../source-row.ts'
import { ColumnProfile, isPlace } from './column-profile.ts'
import { IdStats, type IdFigures } from './id-stats.ts'

/** Maximum of columns and object members that are profiled. */
const COLUMNS_MAX = 2_000
/** Maximum depth of nested objects; anything deeper is treated as a value. */
const DEPTH_MAX = 8
/** Maximum of columns whose values are compared to find ids. */
const ID_COLUMNS_MAX = 4
/** Maximum of rows named per fault. */
const ROWS_NAMED_MAX = 10
const EXAMPLE_MAX_CHARS = 60

export interface ObjectProfile {
  isList: boolean
  hasSingles: boolean
  hasNulls: boolean
  /** Number of rows or elements that have it. */
  count: number
  example: string
  /** Whether it has members that are not valid field names, or too many members. */
  isOdd: boolean
  readonly members: Set<string>
}

export interface RowFaults {
  readonly count: number
  /** Numbers of the first such rows, from 1. */
  readonly rows: readonly number[]
}

export interface ProfileOptions {
  /** Columns of a table, in their order. */
  readonly columns: readonly string[] | undefined
  readonly listSeparator: string
  /** Named by the user. */
  readonly idColumn: string
}

/**
 * Profiles all rows of a file, column by column, in memory bounded by the limits above, not by the
 * length of the file.
 */
export class FileProfile {
  readonly columns: readonly string[] | undefined
  /** Columns by path: a column of a table, `variants.color` of JSON rows. */
  readonly paths = new Map<string, ColumnProfile>()
  readonly objects = new Map<string, ObjectProfile>()
  /** Paths that were not profiled. */
  hasMore = false
  /** Whether only the first rows were read: a stream. */
  isSample = false
  rowCount = 0
  readonly #options: ProfileOptions
  /** Members whose own name has a dot: `a.b` beside an object `a` is not inside it. */
  readonly dotted = new Set<string>()
  /** Members that are an empty text in some rows, which only text fields accept. */
  readonly blank = new Set<string>()
  readonly #empty = new Set<string>()
  readonly #ids = new Map<string, IdStats>()
  /** Members whose names were compared with those of ids. */
  readonly #considered = new Set<string>()
  readonly #bad: number[] = []
  #badCount = 0

  constructor(options: ProfileOptions) {
    this.columns = options.columns
    this.#options = options
    if (options.columns === undefined) this.#ids.set(ID_DEFAULT, new IdStats())
    if (options.idColumn !== '') this.#ids.set(options.idColumn, new IdStats())
    const ranked = (options.columns ?? [])
      .filter((column) => rankOf(column) >= 0)
      .toSorted((a, b) => rankOf(a) - rankOf(b))
    for (const column of ranked.slice(0, ID_COLUMNS_MAX)) this.#ids.set(column, new IdStats())
  }

  add(row: SourceRow): void {
    this.rowCount++
    if (row.kind === 'table') {
      for (const [column, cell] of Object.entries(row.cells)) {
        const text = cell.trim()
        if (column !== '' && text !== '')
          this.#column(column)?.add(text, this.rowCount, this.#options.listSeparator)
      }
      for (const [column, stats] of this.#ids) stats.add(this.rowCount, row.cells[column])
      return
    }
    const entry = row.kind === 'json' ? (row.entry ?? parsed(row.text)) : undefined
    if (entry === undefined) {
      this.#badCount++
      if (this.#bad.length < ROWS_NAMED_MAX) this.#bad.push(this.rowCount)
      return
    }
    const fields = fieldsIn(entry)
    this.addValues(fields)
    for (const name of Object.keys(fields)) this.#considerId(name)
    for (const [column, stats] of this.#ids) {
      stats.add(this.rowCount, column === ID_DEFAULT ? entry['id'] : fields[column])
    }
  }

  /** Rows that are not records: a wrong number of cells, or not a JSON object. */
  get badRows(): RowFaults {
    return { count: this.#badCount, rows: this.#bad }
  }

  /** Members that no row has a value for. */
  get emptyPaths(): string[] {
    return [...this.#empty].filter((path) => !this.paths.has(path) && !this.objects.has(path))
  }

  /** Columns that may be ids, and the one that the user chose. */
  get ids(): ReadonlyMap<string, IdFigures> {
    return new Map([...this.#ids].map(([column, stats]) => [column, stats.figures()]))
  }

  /** Share of the rows without a value, 0..1. */
  emptyShare(path: string): number {
    const count = this.paths.get(path)?.valueCount ?? this.objects.get(path)?.count ?? 0
    return this.rowCount === 0 ? 0 : Math.max(0, 1 - count / this.rowCount)
  }

  /** @param values of JSON, by member */
  addValues(values: Readonly<Record<string, unknown>>, prefix = '', depth = 0): void {
    for (const [name, value] of Object.entries(values)) {
      const path = prefix + name
      if (depth === 0 && name.includes('.') && this.dotted.size < COLUMNS_MAX) this.dotted.add(name)
      if (value === null || value === undefined || value === '') {
        if (this.#empty.size < COLUMNS_MAX) this.#empty.add(path)
        if (value === '' && this.blank.size < COLUMNS_MAX) this.blank.add(path)
        continue
      }
      const objects = objectsIn(value)
      const isNested = objects !== undefined && !objects.every(isPlace) && depth < DEPTH_MAX
      if (isNested) this.#addObjects(path, value, objects, depth)
      else this.#column(path)?.add(value, this.rowCount, '')
    }
  }

  #addObjects(
    path: string,
    value: unknown,
    objects: readonly Readonly<Record<string, unknown>>[],
    depth: number,
  ): void {
    let known = this.objects.get(path)
    if (known === undefined) {
      if (this.#isFull()) return
      const example = (JSON.stringify(value) ?? '').slice(0, EXAMPLE_MAX_CHARS)
      const flags = { isList: false, hasSingles: false, hasNulls: false, isOdd: false }
      this.objects.set(path, (known = { ...flags, count: 0, example, members: new Set() }))
    }
    known.count++
    if (Array.isArray(value)) {
      known.isList = true
      known.hasNulls ||= value.length > objects.length
    } else known.hasSingles = true
    for (const object of objects) {
      for (const member of Object.keys(object)) {
        known.isOdd ||= !isPlainName(member)
        if (known.members.size < COLUMNS_MAX) known.members.add(member)
        else known.isOdd ||= !known.members.has(member)
      }
      this.addValues(object, `${path}.`, depth + 1)
    }
  }

  #column(path: string): ColumnProfile | undefined {
    let column = this.paths.get(path)
    if (column !== undefined) return column
    if (this.#isFull()) return undefined
    column = new ColumnProfile()
    this.paths.set(path, column)
    return column
  }

  #isFull(): boolean {
    const isFull = this.paths.size + this.objects.size >= COLUMNS_MAX
    this.hasMore ||= isFull
    return isFull
  }

  /** JSON rows may introduce fields late; such a field was empty in all rows before. */
  #considerId(name: string): void {
    if (this.#considered.has(name) || this.#considered.size >= COLUMNS_MAX) return
    this.#considered.add(name)
    if (this.#ids.has(name) || this.#ids.size > ID_COLUMNS_MAX || rankOf(name) < 0) return
    this.#ids.set(name, new IdStats(this.rowCount - 1))
  }
}

/** An object, or the elements of a list of objects; undefined for other values. */
function objectsIn(value: unknown): readonly Readonly<Record<string, unknown>>[] | undefined {
  if (isObject(value)) return [value]
  if (!Array.isArray(value)) return undefined
  const elements = value.filter((one) => one !== null)
  return elements.length > 0 && elements.every(isObject) ? elements : undefined
}

/** A member that can be a field of its object. */
function isPlainName(member: string): boolean {
  const isShort = member !== '' && member.length <= 60
  return (
    isShort &&
    member !== '__proto__' &&
    member !== '*' &&
    !/[.\p{Cc}]/u.test(member) &&
    member.isWellFormed()
  )
}

/** Numbers this long may have digits that a JavaScript number would lose. */
const LONG_NUMBER = /\d{16}/

/** @returns undefined if the text is not a JSON object */
function parsed(text: string): JsonEntry | undefined {
  let entry: unknown
  try {
    entry = LONG_NUMBER.test(text) ? parseExactly(text) : JSON.parse(text)
  } catch {
    return undefined
  }
  return isObject(entry) ? entry : undefined
}
