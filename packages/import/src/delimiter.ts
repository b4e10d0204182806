const CANDIDATES = [',', ';', '\t', '|'] as const
/** Number of lines examined. */
const LINES_MAX = 20

/** The extra first line by which Excel declares the delimiter. */
export function declaredDelimiter(head: string): string | undefined {
  return /^sep=(.)\r?\n/i.exec(head)?.[1]
}

/**
 * Detects the delimiter of a table from its first lines: the candidate that occurs in the head, and
 * as often in most lines as in the head. A comma if none does: the table has one column.
 */
export function guessDelimiter(head: string): string {
  let best = { delimiter: ',' as string, even: 0, cells: 1 }
  for (const delimiter of CANDIDATES) {
    const counts = cellCounts(head, delimiter)
    const [cells = 1] = counts
    if (cells < 2) continue
    const even = counts.filter((count) => count === cells).length / counts.length
    const isBetter = even > best.even || (even === best.even && cells > best.cells)
    if (isBetter) best = { delimiter, even, cells }
  }
  return best.delimiter
}

/** Counts the cells of each of the first lines; quoted text is part of its cell. */
function cellCounts(head: string, delimiter: string): number[] {
  const counts: number[] = []
  let cells = 1
  let isQuoted = false
  let isBlank = true
  for (const character of head) {
    if (character === '"') isQuoted = !isQuoted
    else if (!isQuoted && character === delimiter) cells++
    else if (!isQuoted && character === '\n') {
      if (!isBlank) counts.push(cells)
      if (counts.length === LINES_MAX) return counts
      cells = 1
      isBlank = true
      continue
    }
    if (character !== '\r') isBlank = false
  }
  // The last line may be incomplete, unless it is the only one.
  if (counts.length === 0) counts.push(cells)
  return counts
}
