import { countedMin } from '../../scoring/formula.ts'
import type { ResolvedSlot } from '../words/resolved-slot.ts'

/** What a word of the query can earn for a document by its title, at most. */
export interface WordBonus extends WordInTitle {
  /** For standing just before the next word, in points. */
  readonly pair: number
  readonly leading: number
  /** If the document lacks the word. */
  readonly vouched: number
  readonly isSignificant: boolean
}

/** What it means for a document that a word stands in its title. */
export interface WordInTitle {
  /** For the tier, the document has the word. */
  readonly isCounted: boolean
  /** No title vouches for it. */
  readonly isStrong: boolean
}

/** For as long as a word is kept: one with a beginning has hundreds of groups. */
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

/** The smallest quality of the forms that match. */
function leastOf(quality: Float64Array): number {
  let least = Infinity
  for (const q of quality) if (q > 0 && q < least) least = q
  return least
}

/**
 * The most that a document of the lower tier can earn. It lacks a significant word, and so the
 * pairs of that word; what vouches for a word earns nothing where the word stands. The sum of all
 * bonuses is far from it.
 *
 * @param words in the order of the query
 * @param isVouchedFor whether the document is among those that titles vouch for
 * @returns points, before boosts
 */
export function lowerTierMax(words: readonly WordBonus[], isVouchedFor: boolean): number {
  // By whether the last word stands in the title, and whether a significant one is lacking so far.
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
