import { editDistance } from './edit-distance.ts'

const NAME_CHARS_MAX = 64
const NAMES_MAX = 500
const EDITS_MAX = 3
const CHARS_PER_EDIT = 3

/**
 * The name that was probably meant: the nearest of `names` by optimal string alignment distance
 * (insert, delete, replace, swap of neighbours), case folded, if the distance is at most a third of
 * the longer length and at most 3. Bounded work: ignores long names and names after the 500th.
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
    const distance = editDistance(target, name.toLowerCase())
    if (distance < bestDistance && distance <= allowed) {
      best = name
      bestDistance = distance
    }
  }
  return best
}
