import { printable } from './style.ts'

/** Rows under a header; columns are as wide as their widest cell, and numbers are right-aligned. */
export function table(
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string {
  const cells = rows.map((row) => row.map((cell) => printable(String(cell))))
  const widths = head.map((title, i) =>
    Math.max(title.length, ...cells.map((row) => row[i]?.length ?? 0)),
  )
  const isNumber = head.map((_, i) => rows.length > 0 && rows.every((row) => isFigure(row[i])))
  const line = (row: readonly string[]): string =>
    row
      .map((cell, i) =>
        isNumber[i] === true ? cell.padStart(widths[i]!) : cell.padEnd(widths[i]!),
      )
      .join('  ')
      .trimEnd()
  return [line(head), ...cells.map(line)].map((text) => `${text}\n`).join('')
}

function isFigure(cell: string | number | undefined): boolean {
  return (
    typeof cell === 'number' || (typeof cell === 'string' && /^[\d,.]+( [kMGT]?B)?$/.test(cell))
  )
}

/** 1234567 -> "1,234,567" */
export function count(value: number): string {
  return Math.round(value).toLocaleString('en-US')
}

/** 1, "row" -> "1 row"; 1234, "row" -> "1,234 rows" */
export function counted(value: number, noun: string): string {
  return `${count(value)} ${noun}${value === 1 ? '' : 's'}`
}

/** 1234567 -> "1.2 MB" */
export function size(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  let unit = 0
  let value = bytes
  for (; value >= 1_000 && unit < units.length - 1; unit++) value /= 1_000
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`
}
