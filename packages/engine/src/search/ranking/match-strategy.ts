import {
  SATURATED_MAX,
  slotPoints,
  TIER_STEP,
  WEIGHT_PREFIX_UNKNOWN,
  WEIGHT_SPLIT,
} from '../../scoring/formula.ts'
import type { SearchPlan } from '../../query/plan.ts'
import type { IndexView } from '../view/index-view.ts'
import type { SearchRun } from '../view/search-run.ts'
import type { WordDemand } from '../words/matching-words.ts'
import type { ResolvedSlot } from '../words/resolved-slot.ts'
import { essentialLists, type EssentialLists } from './essential-lists.ts'
import { tierParts, type Tier, type TierPart } from './tier-parts.ts'
import type { WordSets } from './word-sets.ts'

/**
 * Which documents are ranked and which only counted. Scoring a document costs ten times as much as
 * counting it, and a page needs few documents. Follows MaxScore (Turtle and Flood, "Query
 * evaluation: strategies and optimizations", 1995), with an exact count in addition.
 *
 * A **leading** slot is scored in every document that has it. A **following** slot adds its points
 * only to documents that are ranked anyway; documents with only following slots are counted. If
 * every slot follows, only documents with all **gates** are ranked: those of the upper tier. If
 * another sort key comes before the score, every slot may follow: documents are found first, and
 * scored only if their first sort key may reach the page.
 */
export interface MatchStrategy {
  /**
   * By known slot that follows: the stem group with nearly all of its postings, NO_MAIN_GROUP if
   * none has. undefined: it leads.
   */
  readonly mainGroups: readonly (number | undefined)[]
  /** Known slots that a ranked document must have, rarest first; empty if some slot leads. */
  readonly gates: readonly number[]
  /** If set, all slots follow, and the documents of these lists are ranked. */
  readonly essential: EssentialLists | undefined
  /**
   * Documents of the lower tier, or of the only tier of a query of stopwords. Documents of previous
   * parts stay ranked. All slots follow.
   */
  readonly part: TierPart | undefined
  /** Only documents of this tier are ranked; undefined: both. */
  readonly tier: Tier | undefined
  /** The first sort key decides which documents are scored. All slots follow. */
  readonly byKey: boolean
  /** Maximum score of a document that is only counted. -Infinity if none of them can match. */
  readonly unrankedScoreMax: number
  /**
   * Every document with a word that makes a match is a match: `countMatches` can count them, once
   * for the strategy that fills the page.
   */
  readonly countedApart: boolean
}

/** A slot has a main list if it is this many times as long as its other lists together. */
const MAIN_GROUP_RATIO = 8
/** Main group of a slot that follows without one. */
export const NO_MAIN_GROUP = -1
/** A list must be this many times as long as the leading one; otherwise following saves nothing. */
const FOLLOWING_RATIO_MIN = 1.5
/**
 * Following slots together may score at most this share of the leading one; otherwise the ranked
 * documents would rarely beat the counted ones.
 */
const FOLLOWING_SCORE_SHARE = 0.95

/** Few queries have more documents than this in their upper tier. */
const GATED_PAGE_MAX = 100

const RANK_ALL = {
  gates: [],
  essential: undefined,
  part: undefined,
  tier: undefined,
  byKey: false,
  unrankedScoreMax: -Infinity,
  countedApart: false,
} satisfies Partial<MatchStrategy>

/** Ranks every match: always correct, and required for other orders than by score. */
export function rankAll(known: readonly ResolvedSlot[]): MatchStrategy {
  return { ...RANK_ALL, mainGroups: known.map(() => undefined) }
}

/**
 * Strategies for a query, cheapest first. The last is always correct; the others are correct if the
 * whole page scores above `unrankedScoreMax`.
 *
 * @param pageEnd the rank after the page; `undefined` in another order than by score
 */
export function matchStrategies(
  run: SearchRun,
  words: WordDemand,
  pageEnd: number | undefined,
): MatchStrategy[] {
  const { view, plan } = run
  const { known, demanded } = words
  const strategies = [rankAll(known)]
  const mustHaveAll = words.count === 'all'
  // Then every posting of a list is a match.
  const searchesAllFields = view.schema.fields.every(
    ({ searchable }, field) => !searchable || plan.fieldWeights[field]! > 0,
  )
  if (!searchesAllFields) return strategies
  const sizes = known.map((slot) => postingsOf(view, slot))
  // Ranking these costs less than avoiding it.
  const isSmall = sizes.reduce((sum, size) => sum + size, 0) <= view.rankAllMax
  if (isSmall && pageEnd !== undefined) return strategies
  const mainGroups = known.map((slot, i) => mainGroupOf(view, slot, sizes[i]!))
  const needed = [...known.keys()]
    .filter((i) => (mustHaveAll ? demanded.includes(known[i]!) : !known[i]!.slot.stopword))
    .sort((a, b) => sizes[a]! - sizes[b]!)
  if (pageEnd === undefined) {
    if (mainGroups.some((group) => group === undefined)) return strategies
    const gates = mustHaveAll ? needed : []
    return [{ ...RANK_ALL, mainGroups, gates, byKey: true }]
  }
  const allFollow = mainGroups.every((group) => group !== undefined)
  const countedApart = allFollow && !mustHaveAll
  const leader = needed[0]
  if (countedApart && known.length > 1 && leader === undefined && holdsWords(plan, known)) {
    return stopwordParts(words, mainGroups, pageEnd)
  }
  if (countedApart && known.length > 2 && leader !== undefined) {
    return tiers(words, mainGroups, needed, pageEnd)
  }
  if (allFollow && !mustHaveAll && holdsWords(plan, known)) {
    const essential = essentialLists(view, known, pageEnd)
    if (essential !== undefined) {
      const { unrankedScoreMax } = essential
      strategies.unshift({ ...RANK_ALL, mainGroups, essential, unrankedScoreMax, countedApart })
    }
  }
  if (leader === undefined || known.length < 2) return strategies

  if (allFollow) {
    const unrankedScoreMax = TIER_STEP - 1
    const gated = { ...RANK_ALL, mainGroups, gates: needed, unrankedScoreMax, countedApart }
    if (mustHaveAll) return [{ ...gated, unrankedScoreMax: -Infinity }]
    if (pageEnd <= GATED_PAGE_MAX && sizes[leader]! >= pageEnd) strategies.unshift(gated)
  }
  const following = followers(known, sizes, mainGroups, leader, mustHaveAll)
  if (following.some((group) => group !== undefined)) {
    const scoreMax = known.reduce(
      (sum, slot, i) => sum + (following[i] === undefined ? 0 : scoreMaxOf(slot)),
      0,
    )
    const unrankedScoreMax = mustHaveAll ? -Infinity : scoreMax
    strategies.splice(-1, 0, { ...RANK_ALL, mainGroups: following, unrankedScoreMax, countedApart })
  }
  return strategies
}

/**
 * Whether too few documents have all gates to fill a page: then the next strategy would rank the
 * same documents again.
 *
 * @param pageEnd the rank after the page
 */
export function cannotFillPage(
  { view }: SearchRun,
  known: readonly ResolvedSlot[],
  { gates, tier, unrankedScoreMax }: MatchStrategy,
  sets: WordSets,
  pageEnd: number,
): boolean {
  if (gates.length === 0 || tier !== undefined || unrankedScoreMax === -Infinity) return false
  let count = 0
  for (let segmentIndex = 0; segmentIndex < view.segments.length; segmentIndex++) {
    const words = gates.map((i) => sets.of(known[i]!, segmentIndex))
    count += sets.inAll(words, segmentIndex).count
    if (count >= pageEnd) return false
  }
  return count < pageEnd
}

/** Finds documents first and scores few of them: the strategy for an order by a field. */
export function strategyByKey(run: SearchRun, words: WordDemand): MatchStrategy {
  return matchStrategies(run, words, undefined)[0]!
}

/** The upper tier, then the lower one in parts (tier-parts.ts). */
function tiers(
  { known, demanded }: WordDemand,
  mainGroups: readonly (number | undefined)[],
  gates: readonly number[],
  pageEnd: number,
): MatchStrategy[] {
  const all = { ...RANK_ALL, mainGroups, countedApart: true }
  const parts = tierParts(known, demanded, pageEnd, 'lower')
  return [
    { ...all, gates, tier: 'upper', unrankedScoreMax: TIER_STEP - 1 },
    ...parts.map((part): MatchStrategy => {
      return { ...all, part, tier: 'lower', unrankedScoreMax: part.sumMin - 1 }
    }),
  ]
}

/** A query of stop words has no significant word that a document could lack. */
function stopwordParts(
  { known, demanded }: WordDemand,
  mainGroups: readonly (number | undefined)[],
  pageEnd: number,
): MatchStrategy[] {
  return tierParts(known, demanded, pageEnd, 'upper').map((part) => {
    const unrankedScoreMax = TIER_STEP + part.sumMin - 1
    return { ...RANK_ALL, mainGroups, part, unrankedScoreMax, countedApart: true }
  })
}

/**
 * Whether a value equal to the query contains the words as typed: their lists are always essential.
 */
function holdsWords({ exactValue }: SearchPlan, known: readonly ResolvedSlot[]): boolean {
  return exactValue.length === 0 || known.every(({ slot }) => exactValue.includes(slot.form))
}

/** The slots that follow a leading one: the longest first, while they are weak enough together. */
function followers(
  known: readonly ResolvedSlot[],
  sizes: readonly number[],
  mainGroups: readonly (number | undefined)[],
  leader: number,
  mustHaveAll: boolean,
): (number | undefined)[] {
  const following: (number | undefined)[] = known.map(() => undefined)
  const limit = mustHaveAll ? Infinity : FOLLOWING_SCORE_SHARE * scoreMaxOf(known[leader]!)
  let total = 0
  for (const i of [...known.keys()].sort((a, b) => sizes[b]! - sizes[a]!)) {
    if (i === leader || sizes[i]! < FOLLOWING_RATIO_MIN * sizes[leader]!) continue
    const scoreMax = scoreMaxOf(known[i]!)
    if (mainGroups[i] === undefined || total + scoreMax > limit) continue
    following[i] = mainGroups[i]
    total += scoreMax
  }
  return following
}

function scoreMaxOf({ weight, groups, phrases }: ResolvedSlot): number {
  let best = phrases.length > 0 ? WEIGHT_SPLIT : WEIGHT_PREFIX_UNKNOWN
  for (let i = 0; i < groups.length; i++) best = Math.max(best, groups[i]!.best)
  return slotPoints(weight, best, SATURATED_MAX)
}

/** Approximate number of postings to read for a slot, without those of deleted documents. */
function postingsOf(
  { terms }: IndexView,
  { groups, phrases, shortPrefix, infix, docFreq }: ResolvedSlot,
): number {
  let size = (shortPrefix === undefined ? 0 : docFreq) + (infix?.docFreq ?? 0)
  for (const { group } of groups) size += terms.groupDocFreq(group)
  for (const { documents } of phrases) {
    for (const { docOrds } of documents) size += docOrds.length
  }
  return size
}

/**
 * The group with nearly all postings of a slot, if every posting of its lists matches; otherwise
 * NO_MAIN_GROUP.
 * @returns undefined for a slot that cannot follow
 */
function mainGroupOf(
  { terms }: IndexView,
  { groups, shortPrefix, infix }: ResolvedSlot,
  size: number,
): number | undefined {
  if (infix !== undefined) return undefined
  if (shortPrefix !== undefined || groups.length === 0) return NO_MAIN_GROUP
  const main = groups.reduce((a, b) =>
    terms.groupDocFreq(b.group) > terms.groupDocFreq(a.group) ? b : a,
  )
  const mainSize = terms.groupDocFreq(main.group)
  if ((size - mainSize) * MAIN_GROUP_RATIO > mainSize) return NO_MAIN_GROUP
  return groups.every(({ isWhole }) => isWhole) ? main.group : NO_MAIN_GROUP
}
