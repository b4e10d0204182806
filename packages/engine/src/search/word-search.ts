import { andInto, hasBit, setBit, wordCount } from '../codec/bitset.ts'
import { WINDOW_BITS, WINDOW_SIZE } from '../postings/postings-format.ts'
import { countedMin, EXACT_VALUE_STEP, TIER_STEP } from '../scoring/formula.ts'
import { allowedDocuments } from './filters/conditions.ts'
import type { ExactDocuments, ExactValues } from './ranking/exact-values.ts'
import { keepBits, markTouched } from './ranking/follow-kernels.ts'
import { BestOfList } from './ranking/best-of-list.ts'
import type { SegmentView } from './view/index-view.ts'
import type { SearchRun } from './view/search-run.ts'
import { findInfixDocuments } from './ranking/infix-documents.ts'
import { newestWithPrefix } from './ranking/newest-documents.ts'
import type { MatchSink } from './collect/match-sink.ts'
import type { PinnedDocuments } from './ranking/pinned-documents.ts'
import type { ResolvedSlot } from './words/resolved-slot.ts'
import {
  HAS_MATCH,
  HAS_SIGNIFICANT,
  matchesOf,
  pointsOf,
  significantOf,
} from './ranking/score-kernels.ts'
import { LowerTier } from './ranking/lower-tier.ts'
import { listBits } from './ranking/count-kernels.ts'
import { type DocumentSet, SlotDocuments } from './ranking/slot-documents.ts'
import { carriersOf, NO_MAIN_GROUP, type SlotRoles, type Tier } from './ranking/slot-roles.ts'
import { SlotUnion } from './ranking/slot-union.ts'
import { SlotScorer } from './ranking/slot-scorer.ts'
import type { SlotFlags } from './ranking/slot-tables.ts'
import { MaskTables } from './ranking/slot-tables.ts'
import { UnitedDocuments } from './ranking/united-documents.ts'
import { WindowScratch } from './ranking/window-scratch.ts'
import { shortPrefixBits } from './filters/word-bits.ts'

/** Scratch space of this thread. One is enough, since a search never waits. */
const scratch = new WindowScratch()

/**
 * Ranks or counts the documents that match the words of a plan, term at a time within windows of
 * 65,536 documents, and hands the live ones to the sink. Every posting of every slot is accounted
 * for; this makes `found` exact.
 *
 * @param known the slots that exist in some document
 * @param exactValues of the plan; they may remember what they found
 * @param pinned documents to leave out
 * @param roles which documents are ranked
 * @param pointsMin documents with fewer points do not match; above 0, every match must be ranked
 */
export function searchWords(
  run: SearchRun,
  known: readonly ResolvedSlot[],
  exactValues: ExactValues,
  pinned: Pick<PinnedDocuments, 'takenOut'>,
  roles: SlotRoles,
  sink: MatchSink,
  pointsMin = 0,
): void {
  const { view, plan, tables, checkDeadline } = run
  const rules = matchRules(run, known, pointsMin, roles)
  const maskTables = known.map(() => new MaskTables())
  // With boosts or popularity, documents of equal score differ.
  const isPopular = plan.popularity !== undefined
  const scoresAlike =
    known.length === 1 && !sink.needsUnranked && plan.boosts.length === 0 && !isPopular
  const isAlike = scoresAlike && pointsMin === 0 && roles.essential === undefined
  const rankAlike = isAlike ? sink.ranksNeeded : undefined
  view.segments.forEach((segment, segmentIndex) => {
    const table = tables.of(segment)
    const { docCount } = segment.reader
    const allowed = pinned.takenOut(segmentIndex, docCount, allowedDocuments(run, segment))
    if (allowed?.every((bits) => bits === 0) === true) return
    let leftOut = 0
    const scorers = known.map((slot, i) => {
      const flags = rules.flags[i]!
      const prefix = slot.shortPrefix?.prefix
      let prefixBits =
        prefix === undefined ? undefined : shortPrefixBits(run, segment, prefix, slot.slot.stem)
      const infix = slot.infix && findInfixDocuments(run, slot, flags, segmentIndex, prefixBits)
      if (rankAlike !== undefined) {
        if (infix !== undefined) leftOut += infix.keepNewest(rankAlike, allowed)
        if (prefixBits !== undefined) {
          const newest = newestWithPrefix(view, slot, segmentIndex, prefixBits, rankAlike, allowed)
          leftOut += newest.leftOut
          prefixBits = newest.bits
        }
      }
      return new SlotScorer(
        slot,
        flags,
        maskTables[i]!,
        segment,
        segmentIndex,
        table,
        prefixBits,
        infix,
        roles.mainGroups[i],
      )
    })
    const mayMatch = plan.requireAllTerms
      ? scorers.every((scorer) => !scorer.isEmpty)
      : scorers.some((scorer) => !scorer.isEmpty)
    if (!mayMatch) return
    sink.countOnly(leftOut)
    const exact = exactValues.in(segment)
    const work = shareWork(segment, segmentIndex, run, known, roles, rules, scorers, exact, sink)
    sink.beginSegment(segmentIndex, segment)
    try {
      if (roles.byKey) {
        pickSegment(work, segment, allowed, exact, rules, sink, checkDeadline)
        return
      }
      for (let window = 0; window < segment.reader.windowCount; window++) {
        checkDeadline()
        const touched = scoreWindow(work, window, sink.countOnlyBelow)
        if (touched > 0) harvest(allowed, window, touched, exact, rules, sink)
        if (roles.lower !== undefined) sink.tighten()
        if (!roles.countedApart) countUnranked(work, window, allowed, touched, sink)
        if (work.followers.length > 0) scratch.seen.fill(0)
      }
    } catch (error) {
      scratch.clear()
      throw error
    }
  })
}

/** The role of each slot in one segment (slot-roles.ts). */
interface SegmentWork {
  readonly leaders: readonly SlotScorer[]
  readonly followers: readonly SlotScorer[]
  readonly gates: readonly DocumentSet[]
  /** Undefined: see `SlotRoles`. */
  readonly essential: readonly DocumentSet[] | undefined
  readonly bestOfLong: BestOfList | undefined
  readonly lower: LowerTier | undefined
  /** Following slots that make a document match by themselves. */
  readonly counted: readonly DocumentSet[]
  /** The documents of `counted`, when they need not be listed one by one. */
  readonly union: SlotUnion | undefined
}

function shareWork(
  segment: SegmentView,
  segmentIndex: number,
  run: SearchRun,
  known: readonly ResolvedSlot[],
  { mainGroups, gates, essential, lower, byKey }: SlotRoles,
  { flags }: MatchRules,
  scorers: readonly SlotScorer[],
  exact: ExactDocuments | undefined,
  { needsUnranked }: MatchSink,
): SegmentWork {
  const documents = known.map((slot, i): DocumentSet | undefined => {
    const main = mainGroups[i]
    if (main === undefined || lower !== undefined) return undefined
    return main === NO_MAIN_GROUP
      ? new UnitedDocuments(run.view, slot, segment, segmentIndex, scorers[i]!.prefixBits)
      : new SlotDocuments(slot, main, segment, segmentIndex)
  })
  const reduced = essential?.slots.map(({ slot, index }) => {
    const bits = slot.shortPrefix && scorers[index]!.prefixBits
    return new UnitedDocuments(run.view, slot, segment, segmentIndex, bits)
  })
  const isThere = (slot: DocumentSet | undefined) => slot !== undefined
  const isUnited = byKey && gates.length === 0 && !needsUnranked
  return {
    leaders: scorers.filter((_, i) => mainGroups[i] === undefined),
    followers: scorers.filter((_, i) => mainGroups[i] !== undefined),
    gates: gates.map((i) => documents[i]!),
    essential: reduced,
    bestOfLong:
      essential?.long && new BestOfList(essential.long, segment, run.tables.of(segment), exact),
    lower: lower && new LowerTier(run, segment, segmentIndex, lower),
    counted: documents
      .filter((_, i) => !run.plan.requireAllTerms && flags[i]!.carries)
      .filter(isThere),
    union: isUnited ? new SlotUnion(run, segment, segmentIndex, carriersOf(run, known)) : undefined,
  }
}

/**
 * Scores the ranked documents of a window.
 *
 * @param scoreMin documents with a lower score need not be ranked
 * @returns the length of `scratch.touched`
 */
function scoreWindow(work: SegmentWork, window: number, scoreMin: number): number {
  const { leaders, followers, gates, essential, bestOfLong, lower } = work
  let touched = 0
  for (const scorer of leaders) touched = scorer.scoreWindow(window, scratch, touched)
  if (followers.length === 0) return touched
  if (gates.length > 0) touched = passGates(gates, window)
  else if (lower !== undefined) touched = lower.touch(window, scratch, touched, scoreMin)
  else if (essential !== undefined) {
    for (const set of essential) touched = set.touch(window, scratch, touched)
    if (bestOfLong !== undefined) touched = bestOfLong.touch(window, scratch, touched, scoreMin)
  } else touched = markTouched(scratch.touched, touched, scratch.seen)
  for (const follower of followers) follower.follow(window, scratch, touched)
  return touched
}

/**
 * Finds the matches of a segment without scoring them, then scores those whose first sort key may
 * reach the page.
 *
 * @param exact documents of the segment with a value equal to the query
 */
function pickSegment(
  work: SegmentWork,
  { reader }: SegmentView,
  allowed: Uint32Array | undefined,
  exact: ExactDocuments | undefined,
  { significant }: MatchRules,
  sink: MatchSink,
  checkDeadline: () => void,
): void {
  const { windowCount } = reader
  const set = work.union === undefined ? undefined : new Uint32Array(wordCount(reader.docCount))
  const first = set && firstOfUnion(work.union!, set, windowCount, allowed, sink, checkDeadline)
  let next = 0
  for (let window = 0; window < windowCount; window++) {
    checkDeadline()
    let count = 0
    if (first !== undefined) {
      while (next < first.length && first[next]! >>> WINDOW_BITS === window) {
        sink.docs[count++] = first[next++]!
      }
    } else {
      const matches = listMatches(work, window, set, allowed, sink)
      count = matches === 0 ? 0 : sink.pick(matches)
    }
    if (count > 0) rankPicked(work, window, count, exact, significant, sink)
  }
}

/**
 * Fills the set of the matches of a segment.
 * @returns those that may reach the page, ascending; undefined when all are to be listed
 */
function firstOfUnion(
  union: SlotUnion,
  set: Uint32Array,
  windowCount: number,
  allowed: Uint32Array | undefined,
  sink: MatchSink,
  checkDeadline: () => void,
): Uint32Array | undefined {
  let matches = 0
  for (let window = 0; window < windowCount; window++) {
    checkDeadline()
    matches += union.fill(window, allowed, wordsOf(set, window))
  }
  if (allowed !== undefined) andInto(set, allowed)
  return sink.pickOf(set, matches)
}

function wordsOf(set: Uint32Array, window: number): Uint32Array {
  const firstWord = (window << WINDOW_BITS) >>> 5
  return set.subarray(firstWord, firstWord + (WINDOW_SIZE >>> 5))
}

/** Writes the matches of a window to `sink.docs`. @returns how many there are */
function listMatches(
  { gates, counted }: SegmentWork,
  window: number,
  set: Uint32Array | undefined,
  allowed: Uint32Array | undefined,
  { docs }: MatchSink,
): number {
  const base = window << WINDOW_BITS
  if (set !== undefined) {
    const words = wordsOf(set, window)
    return listBits(words, 0, words.length, base, docs)
  }
  let touched = 0
  if (gates.length > 0) touched = passGates(gates, window)
  else for (const slot of counted) touched = slot.touch(window, scratch, touched)
  for (let i = 0; i < touched; i++) docs[i] = base + scratch.touched[i]!
  scratch.seen.fill(0)
  return allowed === undefined ? touched : keepBits(docs, touched, allowed)
}

/** Scores and ranks the first `count` of `sink.docs`, all of one window. */
function rankPicked(
  { followers }: SegmentWork,
  window: number,
  count: number,
  exact: ExactDocuments | undefined,
  significant: number,
  sink: MatchSink,
): void {
  const { docs, points } = sink
  const base = window << WINDOW_BITS
  for (let i = 0; i < count; i++) {
    const id = docs[i]! - base
    scratch.touched[i] = id
    setBit(scratch.seen, id)
  }
  for (const follower of followers) follower.follow(window, scratch, count)
  scratch.seen.fill(0)
  const { scores } = scratch
  for (let i = 0; i < count; i++) {
    const docOrd = docs[i]!
    const sum = scores[docOrd - base]!
    scores[docOrd - base] = 0
    points[i] = pointsOf(sum)
    if (significantOf(sum) !== significant) continue
    points[i]! += TIER_STEP + (exact?.has(docOrd) === true ? EXACT_VALUE_STEP : 0)
  }
  sink.rank(docs, points, count)
}

/** Puts the documents of a window that have all gates into the set. @returns how many there are */
function passGates(gates: readonly DocumentSet[], window: number): number {
  let touched = gates[0]!.touch(window, scratch, 0)
  for (let i = 1; i < gates.length && touched > 0; i++) {
    touched = gates[i]!.keep(window, scratch, touched)
  }
  return touched
}

/** Counts the matches of a window that were not ranked; `scratch.seen` holds those that were. */
function countUnranked(
  { counted, gates }: SegmentWork,
  window: number,
  allowed: Uint32Array | undefined,
  touchedCount: number,
  sink: MatchSink,
): void {
  if (allowed === undefined && !sink.needsUnranked && gates.length === 2 && counted.length === 2) {
    const [a, b] = [counted[0]!.countIfSimple(window), counted[1]!.countIfSimple(window)]
    // Both are gates, so the documents they share were ranked.
    if (a >= 0 && b >= 0) return sink.countOnly(a + b - 2 * touchedCount)
  }
  let count = 0
  for (const slot of counted) count = slot.listUnseen(window, scratch, sink.docs, count)
  if (allowed !== undefined) count = keepBits(sink.docs, count, allowed)
  if (count > 0) sink.takeUnranked(count)
}

/** How the sums of `score-kernels.ts` become matches and tiers. */
interface MatchRules {
  readonly flags: readonly SlotFlags[]
  /** Slots with HAS_MATCH that a document needs. */
  readonly matchMin: number
  /** Significant slots that lift a document into the upper tier. */
  readonly significant: number
  /** Points that the slots of a document must add up to. */
  readonly pointsMin: number
  /** Only documents of this tier are ranked; undefined: of both. */
  readonly tier: Tier | undefined
}

/** "Score" in docs/ranking.md: which slots carry, which are significant. */
function matchRules(
  run: SearchRun,
  known: readonly ResolvedSlot[],
  pointsMin: number,
  { tier }: SlotRoles,
): MatchRules {
  const { plan } = run
  const carriers = carriersOf(run, known)
  const flags = known.map((slot) => {
    const carries = carriers.includes(slot)
    const match = carries ? HAS_MATCH : 0
    const min = countedMin(slot.hasNeighbours)
    const counted = match + (slot.slot.stopword ? 0 : HAS_SIGNIFICANT)
    return { counted, uncounted: match, countedMin: min, carries }
  })
  return {
    flags,
    matchMin: plan.requireAllTerms ? known.length : 1,
    significant: known.filter(({ slot }) => !slot.stopword).length,
    pointsMin,
    tier,
  }
}

/** Hands the scored documents of a window over. */
function harvest(
  allowed: Uint32Array | undefined,
  window: number,
  touchedCount: number,
  exact: ExactDocuments | undefined,
  { matchMin, significant, pointsMin, tier }: MatchRules,
  sink: MatchSink,
): void {
  const { scores, touched } = scratch
  const { docs, points, countOnlyBelow } = sink
  const base = window << WINDOW_BITS
  let count = 0
  let countedOnly = 0
  for (let i = 0; i < touchedCount; i++) {
    const id = touched[i]!
    const sum = scores[id]!
    if (sum === 0) continue
    scores[id] = 0
    if (matchesOf(sum) < matchMin || pointsOf(sum) < pointsMin) continue
    const docOrd = base + id
    if (allowed !== undefined && !hasBit(allowed, docOrd)) continue
    let score = pointsOf(sum)
    const isUpper = significantOf(sum) === significant
    if (tier === (isUpper ? 'lower' : 'upper')) continue
    if (isUpper) {
      score += TIER_STEP + (exact?.has(docOrd) === true ? EXACT_VALUE_STEP : 0)
    }
    if (score < countOnlyBelow) {
      countedOnly++
      continue
    }
    docs[count] = docOrd
    points[count] = score
    count++
  }
  sink.countOnly(countedOnly)
  if (count > 0) sink.take(count)
}
