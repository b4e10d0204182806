import type { ReactNode } from 'react'

export interface Column<Row> {
  /** Unique; part of the address when the table is sorted by it. */
  readonly id: string
  readonly header: string
  /** Shown after the header: `ms`, `%`, `EUR`. */
  readonly unit?: string
  readonly cell: (row: Row) => ReactNode
  /** The value for sorting and for the CSV; without one, a column cannot be sorted. */
  readonly value?: (row: Row) => string | number | undefined
  /** It has a value, but cannot be sorted. */
  readonly isUnsorted?: boolean
  /** Numbers are aligned right. */
  readonly isNumber?: boolean
  /** A CSS width such as `120px` or `40%`. */
  readonly width?: string
  /** One of the two columns that remain on a narrow screen, besides the first. */
  readonly isMain?: boolean
  /** Hidden until chosen. */
  readonly isHidden?: boolean
}

export interface TableProps<Row> {
  /** What it lists, for screen readers; also the name of its CSV file. */
  readonly label: string
  /** Unique in the dashboard; chosen columns are stored under it. */
  readonly name: string
  /** Absent while they load. */
  readonly rows: readonly Row[] | undefined
  readonly columns: readonly Column<Row>[]
  readonly rowId: (row: Row) => string
  /** Usually opens a side panel. Called by a click or Enter. */
  readonly onOpen?: (row: Row) => void
  /** Scrolls sideways, and has nothing to focus on: the keyboard scrolls the table itself. */
  readonly isWide?: boolean
  readonly openRowId?: string | undefined
  /** Ids of the ticked rows; enables check boxes. */
  readonly selection?: ReadonlySet<string>
  readonly onSelect?: (ids: ReadonlySet<string>) => void
  /** Total number, of which the rows are a part: "14 of 86,169". */
  readonly total?: number
  /** Shown instead of rows if there are none. */
  readonly empty?: ReactNode
  /** Above the table: search, filters. */
  readonly tools?: ReactNode
  readonly sortParameter?: string
  /** The rows arrive sorted; the service sorts by the order in the address. */
  readonly isSortedByService?: boolean
  /** Of the body with many rows. */
  readonly height?: string
}

export interface Sort {
  readonly columnId: string
  readonly isDescending: boolean
}

/** `price:desc` and back, for the address. */
export function parseSort(text: string): Sort | undefined {
  const [columnId = '', direction] = text.split(':')
  return columnId === '' ? undefined : { columnId, isDescending: direction === 'desc' }
}

export function sortText(sort: Sort | undefined): string {
  return sort === undefined ? '' : `${sort.columnId}:${sort.isDescending ? 'desc' : 'asc'}`
}

/** Numbers by size, text in the reader's alphabet, missing values last. */
export function sortRows<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  sort: Sort | undefined,
): readonly Row[] {
  const value = columns.find(({ id }) => id === sort?.columnId)?.value
  if (sort === undefined || value === undefined) return rows
  const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })
  const sign = sort.isDescending ? -1 : 1
  return rows.toSorted((left, right) => {
    const a = value(left)
    const b = value(right)
    if (a === undefined || b === undefined) return a === b ? 0 : a === undefined ? 1 : -1
    if (typeof a === 'number' && typeof b === 'number') return sign * (a - b)
    return sign * collator.compare(String(a), String(b))
  })
}

/** The rows as CSV for spreadsheets (RFC 4180); no cell starts a formula. */
export function tableCsv<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): string {
  const written = columns.filter(({ value }) => value !== undefined)
  const line = (cells: readonly (string | number | undefined)[]): string =>
    cells.map(csvCell).join(',')
  return [
    line(written.map(({ header, unit }) => (unit === undefined ? header : `${header} (${unit})`))),
    ...rows.map((row) => line(written.map(({ value }) => value!(row)))),
  ].join('\r\n')
}

/** One cell, quoted if necessary. */
export function csvCell(value: string | number | undefined): string {
  if (value === undefined) return ''
  if (typeof value === 'number') return String(value)
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
