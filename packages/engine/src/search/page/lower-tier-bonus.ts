import { countedMin } from '../../scoring/formula.ts'
import type { ResolvedSlot } from '../words/resolved-slot.ts'

/** Maximum points of a query term for a document through its title. */
export interface WordBonus extends WordInTitle {
  /** Points for preceding the next word. */
  readonly pair: number
  readonly leading: number
  /** Points if the document lacks the word. */
  readonly vouched: number
  readonly isSignificant: boolean
}

/** What a word in its title means for a document. */
export interface WordInTitle {
  /** Whether the document then has the word, for its tier. */
  readonly isCounted: boolean
  /** Whether titles never vouch for it. */
  readonly isStrong: boolean
}

/** Cached with the word, because a prefix has hundreds of groups. */
const inTitles = new WeakMap<ResolvedSlot, WordInTitle>()

/** Whether all tokens that can earn bonuses for a word are good enough alternatives of it. */
export function wordInTitle(slot: ResolvedSlot): WordInTitle {
  let known = inTitles.get(slot)
  if (known === undefined) inTitles.set(slot, (known = lookedUp(slot)))
  return known
}

function lookedUp({ groups, bonusGroups, hasNeighbours }: ResolvedSlot): WordInTitle {
  let isCounted = true
  let isStrong = true
  for (const alternative of groups) {
    const { group, quality, isWhole } = alternative
    if ((alternative.isStrong && isWhole) || !bonusGroups.includes(group)) continue
    isStrong = false
    const least = typeof quality === 'number' ? quality : leastOf(quality)
    if (!isWhole || least < countedMin(hasNeighbours)) isCounted = false
  }
  return { isCounted, isStrong }
}

/** The lowest quality of the matching forms. */
function leastOf(quality: Float64Array): number {
  let least = Infinity
  for (const q of quality) if (q > 0 && q < least) least = q
  return least
}

/**
 * Maximum points of a document of the lower tier. It lacks a significant word, and so the pairs of
 * that word; vouching earns nothing for a word in the title. The sum of all bonuses would be far
 * above it.
 *
 * @param words in the order of the query
 * @param isVouchedFor whether the document is among those that titles vouch for
 * @returns points, before boosts
 */
export function lowerTierMax(words: readonly WordBonus[], isVouchedFor: boolean): number {
  // By whether the last word is in the title, and whether a significant one is missing so far.
  let absent = 0
  let stands = -Infinity
  let absentLacking = -Infinity
  let standsLacking = -Infinity
  let pair = 0
  for (let i = 0; i < words.length; i++) {
    const { leading, isSignificant, isCounted, isStrong, pair: pairWithNext } = words[i]!
    const vouched = isVouchedFor ? words[i]!.vouched : 0
    const before = Math.max(absent, stands)
    const beforeLacking = Math.max(absentLacking, standsLacking)
    const standing = leading + (isStrong ? 0 : vouched)
    const standingNow = Math.max(absent, stands + pair)
    const standingLacking = Math.max(absentLacking, standsLacking + pair)
    stands = standingNow + standing
    standsLacking = standingLacking + standing
    if (!isCounted) {
      const most = isSignificant ? Math.max(standingNow, standingLacking) : standingLacking
      standsLacking = Math.max(standsLacking, most + leading + vouched)
    }
    absent = isSignificant ? -Infinity : before + vouched
    absentLacking = (isSignificant ? Math.max(before, beforeLacking) : beforeLacking) + vouched
    pair = pairWithNext
  }
  return Math.max(0, absentLacking, standsLacking)
}
