import type { ProfileItem } from '../history/profiles.ts'

/** The popularity of a suggestion that is all what the visitor was looking for counts this much more, at most. */
const LIFT_MAX = 3
/** After so long an interest counts half. */
const HALF_LIFE_MS = 7 * 86_400_000
const STRENGTH: Readonly<Record<ProfileItem['weight'], number>> = {
  search: 0.7,
  click: 0.85,
  conversion: 1,
}

/** What a visitor was looking for: words by their stems, and how much each query matters now. */
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
 * What the popularity of a suggestion is multiplied with for a visitor: 1 when it has nothing to do with
 * them, up to 1 + LIFT_MAX when it is what they just bought.
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
