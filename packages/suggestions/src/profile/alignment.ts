import type { ProfileItem } from '../history/profiles.ts'

/** Maximum extra weight of a suggestion that fully matches the visitor's interests. */
const LIFT_MAX = 3
/** Half-life of an interest. */
const HALF_LIFE_MS = 7 * 86_400_000
const STRENGTH: Readonly<Record<ProfileItem['weight'], number>> = {
  search: 0.7,
  click: 0.85,
  conversion: 1,
}

/** The interests of a visitor: stems of words, and the current weight of each query. */
export interface Interest {
  readonly stems: ReadonlySet<string>
  /** 0..1 */
  readonly strength: number
}

export function interestsOf(items: readonly ProfileItem[], nowMs: number): Interest[] {
  return items.map(({ key, atMs, weight }) => ({
    stems: new Set(key.split(' ')),
    strength: STRENGTH[weight] * 0.5 ** (Math.max(0, nowMs - atMs) / HALF_LIFE_MS),
  }))
}

/**
 * The factor of a suggestion's popularity for a visitor: 1 if unrelated, up to 1 + LIFT_MAX if it
 * is what they just bought.
 *
 * @param stems of the words of the suggestion
 */
export function liftOf(interests: readonly Interest[], stems: readonly string[]): number {
  let best = 0
  for (const { stems: wanted, strength } of interests) {
    let shared = 0
    for (const stem of stems) if (wanted.has(stem)) shared++
    const alignment = (strength * shared) / Math.max(stems.length, wanted.size)
    if (alignment > best) best = alignment
  }
  return 1 + LIFT_MAX * best
}
