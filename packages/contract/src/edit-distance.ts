/**
 * Edit distance by UTF-16 unit: insertions, deletions, replacements and swaps of neighbours
 * ("optimal string alignment"). Takes time in the product of both lengths: for short texts.
 */
export function editDistance(a: string, b: string): number {
  return lastRow(a, b)[b.length]!
}

/** Edit distance to the nearest prefix of `word`. */
export function editDistanceToBeginning(typed: string, word: string): number {
  return Math.min(...lastRow(typed, word))
}

/** Distances from `a` to each prefix of `b`: the last row of the table, of which three are kept. */
function lastRow(a: string, b: string): number[] {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = a[i - 1] === b[j - 1] ? 0 : 1
      let cost = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + replaced)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, beforeLast[j - 2]! + 1)
      }
      row.push(cost)
    }
    beforeLast = last
    last = row
  }
  return last
}
