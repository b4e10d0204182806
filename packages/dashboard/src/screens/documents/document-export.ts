import { parseExactly } from '@aisle/client'
import { csvCell } from '../../ui/table-model.ts'
import { fieldValue } from '../../format/own-value.ts'

/**
 * A line of an export, `{"id":…,"data":{…}}`, as a line of a table.
 * @param fields its columns behind the id
 */
export function exportedCsvLine(line: string, fields: readonly string[]): string {
  const { id, data } = parseExactly(line) as {
    id: string
    data: Readonly<Record<string, unknown>>
  }
  return [csvCell(id), ...fields.map((name) => cellOf(fieldValue(data, name)))].join(',')
}

/** Numbers keep their digits; list elements are separated by `|`, as the import expects. */
function cellOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return csvCell(value)
  if (Array.isArray(value)) return csvCell(value.map(textOf).join('|'))
  return textOf(value)
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
