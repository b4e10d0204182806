/**
 * A text table with aligned columns, valid as Markdown. Cells that look like numbers are
 * right-aligned.
 *
 * @param rows the first one is the heading
 */
export function textTable(rows: readonly (readonly string[])[]): string {
  const columns = Math.max(0, ...rows.map((row) => row.length))
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(3, ...rows.map((row) => [...(row[column] ?? '')].length)),
  )
  const numeric = widths.map((_, column) =>
    rows.slice(1).every((row) => /^[-+<>=≥≤\d.,%×x/ –—kMs()*]*$/.test(row[column] ?? '')),
  )
  const line = (row: readonly string[]): string =>
    `| ${widths.map((width, column) => pad(row[column] ?? '', width, numeric[column] ?? false)).join(' | ')} |`
  const rule = `|${widths
    .map((width, column) => `${'-'.repeat(width + 1)}${numeric[column] === true ? ':' : '-'}`)
    .join('|')}|`
  const [heading, ...body] = rows
  if (heading === undefined) return ''
  return [line(heading), rule, ...body.map(line)].join('\n')
}

function pad(text: string, width: number, right: boolean): string {
  const gap = ' '.repeat(Math.max(0, width - [...text].length))
  return right ? gap + text : text + gap
}
