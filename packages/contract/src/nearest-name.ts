const NAME_CHARS_MAX = 64
const NAMES_MAX = 500
const EDITS_MAX = 3
const CHARS_PER_EDIT = 3

/**
 * The name that was probably meant: the nearest of `names` by optimal string alignment distance
 * (insert, delete, replace, swap of neighbours), if it is within a third of the longer one's length (at
 * most 3). Case does not count. Work is bounded: long names and names after the 500th are not
 * looked at.
 */
export function nearestName(wanted: string, names: Iterable<string>): string | undefined {
  const target = wanted.toLowerCase()
  if (target.length === 0 || target.length > NAME_CHARS_MAX) return undefined
  let best: string | undefined
  let bestDistance = EDITS_MAX + 1
  let seen = 0
  for (const name of names) {
    if (++seen > NAMES_MAX) break
    if (Math.abs(name.length - target.length) >= bestDistance) continue
    const allowed = Math.floor(Math.max(name.length, target.length) / CHARS_PER_EDIT)
    const distance = alignmentDistance(target, name.toLowerCase())
    if (distance < bestDistance && distance <= allowed) {
      best = name
      bestDistance = distance
    }
  }
  return best
}

/** Optimal string alignment distance over UTF-16 units, by the table of three rows. */
export function alignmentDistance(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1
      let cost = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + same)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, beforeLast[j - 2]! + 1)
      }
      row.push(cost)
    }
    beforeLast = last
    last = row
  }
  return last[b.length]!
}
