/**
 * Edits from one word to another: insertions, deletions, replacements, and swaps of neighbours, by code
 * unit ("optimal string alignment"). The whole table; for short texts.
 */
export function editDistance(a: string, b: string): number {
  return lastRow(a, b).at(-1)!
}

/** The same to the nearest beginning of `word`. */
export function editDistanceToBeginning(typed: string, word: string): number {
  return Math.min(...lastRow(typed, word))
}

/** Distances from `a` to each beginning of `b`. */
function lastRow(a: string, b: string): number[] {
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      let distance = Math.min(replaced, row[j]! + 1, next[j - 1]! + 1)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        distance = Math.min(distance, before[j - 2]! + 1)
      }
      next.push(distance)
    }
    before = row
    row = next
  }
  return row
}
