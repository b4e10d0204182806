import type { ReactNode } from 'react'

export interface Column<Row> {
  /** Unique; stands in the address when the table is sorted by it. */
  readonly id: string
  readonly header: string
  /** Stands behind the header: `ms`, `%`, `EUR`. */
  readonly unit?: string
  readonly cell: (row: Row) => ReactNode
  /** What is sorted by and goes into the CSV; a column without is not sorted by. */
  readonly value?: (row: Row) => string | number | undefined
  /** It has a value, but nothing can be sorted by it. */
  readonly isUnsorted?: boolean
  /** Numbers stand at the right. */
  readonly isNumber?: boolean
  /** A CSS width such as `120px` or `40%`. */
  readonly width?: string
  /** One of the two that remain on a narrow screen; the first column always does. */
  readonly isMain?: boolean
  /** Not seen until chosen. */
  readonly isHidden?: boolean
}

export interface TableProps<Row> {
  /** What it lists, for who hears the page; also the name of its CSV file. */
  readonly label: string
  /** Unique in the dashboard: under it chosen columns are remembered. */
  readonly name: string
  /** Absent while they load. */
  readonly rows: readonly Row[] | undefined
  readonly columns: readonly Column<Row>[]
  readonly rowId: (row: Row) => string
  /** Opens a side panel, mostly. Clicks, Enter. */
  readonly onOpen?: (row: Row) => void
  readonly openRowId?: string | undefined
  /** Rows that are ticked, by id; with it come check boxes. */
  readonly selection?: ReadonlySet<string>
  readonly onSelect?: (ids: ReadonlySet<string>) => void
  /** How many there are behind the rows that are here: "14 of 86,169". */
  readonly total?: number
  /** Stands in the place of rows when there are none. */
  readonly empty?: ReactNode
  /** Above the table: search, filters. */
  readonly tools?: ReactNode
  readonly sortParameter?: string
  /** The rows come sorted, and the sort of the address is asked of the service. */
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

/** Numbers by size, text by the alphabet of the reader, what is not there last. */
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

/** The rows as a spreadsheet reads them (RFC 4180); no cell begins a formula. */
export function tableCsv<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): string {
  const written = columns.filter(({ value }) => value !== undefined)
  const line = (cells: readonly (string | number | undefined)[]): string =>
    cells.map(csvCell).join(',')
  return [
    line(written.map(({ header, unit }) => (unit === undefined ? header : `${header} (${unit})`))),
    ...rows.map((row) => line(written.map(({ value }) => value!(row)))),
  ].join('\r\n')
}

/** One cell, quoted where it must be. */
export function csvCell(value: string | number | undefined): string {
  if (value === undefined) return ''
  if (typeof value === 'number') return String(value)
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
