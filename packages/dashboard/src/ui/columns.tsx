import { formatNumber } from '../format/numbers.ts'
import type { Column } from './table-model.ts'
import { Time } from './time.tsx'

type Further<Row> = Partial<Omit<Column<Row>, 'id' | 'header' | 'value'>>

/** A column of texts; `cell` may show them in another way. */
export function textColumn<Row>(
  id: string,
  header: string,
  value: (row: Row) => string | undefined,
  further: Further<Row> = {},
): Column<Row> {
  return { id, header, value, cell: value, ...further }
}

/** A column of numbers; a missing one is "–". */
export function numberColumn<Row>(
  id: string,
  header: string,
  value: (row: Row) => number | null | undefined,
  {
    format = formatNumber,
    ...further
  }: Further<Row> & { readonly format?: (value: number) => string } = {},
): Column<Row> {
  const cell = (row: Row): string => {
    const number = value(row) ?? undefined
    return number === undefined ? '–' : format(number)
  }
  return { id, header, value: (row) => value(row) ?? undefined, cell, isNumber: true, ...further }
}

/** A column of times: "3 minutes ago". */
export function timeColumn<Row>(
  id: string,
  header: string,
  value: (row: Row) => string | undefined,
  { none = '–', ...further }: Further<Row> & { readonly none?: string } = {},
): Column<Row> {
  const cell = (row: Row) => {
    const at = value(row)
    return at === undefined ? none : <Time at={at} />
  }
  return { id, header, value, cell, ...further }
}
