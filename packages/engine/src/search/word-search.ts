import { hasBit, setBit } from '../codec/bitset.ts'
import { WINDOW_BITS } from '../postings/postings-format.ts'
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
import type { MatchingWords } from './words/matching-words.ts'
import type { ResolvedSlot } from './words/resolved-slot.ts'
import {
  HAS_MATCH,
  HAS_SIGNIFICANT,
  matchesOf,
  pointsOf,
  significantOf,
} from './ranking/score-kernels.ts'
import { TierPartIterator, type Tier } from './ranking/tier-parts.ts'
import type { MatchStrategy } from './ranking/match-strategy.ts'
import { SlotScorer } from './ranking/slot-scorer.ts'
import type { SlotFlags } from './ranking/slot-tables.ts'
import { maskTables } from './ranking/slot-tables.ts'
import { WindowScratch } from './ranking/window-scratch.ts'
import type { WordSets } from './ranking/word-sets.ts'
import { shortPrefixBits } from './filters/word-bits.ts'

/** Scratch memory of this thread. One is enough, because a search never waits. */
const scratch = new WindowScratch()

/**
 * Ranks or counts the documents that match the words of a plan, term at a time within windows of
 * 65,536 documents, and passes the live ones to the sink. Accounts for every posting of every slot,
 * which makes `found` exact.
 *
 * @param words which documents match; with `pointsMin` above 0, every match must be ranked
 * @param sets of the search; earlier strategies may have made some
 * @param exactValues of the plan, with a cache
 * @param pinned documents to leave out
 * @param strategy which documents are ranked
 */
export function searchWords(
  run: SearchRun,
  words: MatchingWords,
  sets: WordSets,
  exactValues: ExactValues,
  pinned: Pick<PinnedDocuments, 'takenOut'>,
  strategy: MatchStrategy,
  sink: MatchSink,
): void {
  const { view, plan, tables, checkDeadline } = run
  const { known, pointsMin } = words
  const rules = matchRules(words, strategy)
  const tablesBySlot = maskTables(known.length)
  // With boosts or popularity, documents of equal score differ.
  const isPopular = plan.popularity !== undefined
  const scoresAlike =
    known.length === 1 && !sink.needsUnranked && plan.boosts.length === 0 && !isPopular
  const isAlike = scoresAlike && pointsMin === 0 && strategy.essential === undefined
  const rankAlike = isAlike ? sink.ranksNeeded : undefined
  view.segments.forEach((segment, segmentIndex) => {
    const table = tables.of(segment)
    const { docCount } = segment.reader
    const allowed = pinned.takenOut(segmentIndex, docCount, allowedDocuments(run, segment))
    if (allowed?.every((bits) => bits === 0) === true) return
    const gates = strategy.gates.map((i) => sets.of(known[i]!, segmentIndex))
    const gated = gates.length > 0 ? sets.inAll(gates, segmentIndex) : undefined
    if (gated?.count === 0) return
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
        tablesBySlot[i]!,
        segment,
        segmentIndex,
        table,
        prefixBits,
        infix,
        strategy.mainGroups[i],
      )
    })
    const isHeld = (slot: ResolvedSlot) => !scorers[known.indexOf(slot)]!.isEmpty
    const { demanded } = words
    if (!(words.count === 'all' ? demanded.every(isHeld) : demanded.some(isHeld))) return
    sink.countOnly(leftOut)
    const exact = exactValues.in(segment)
    const work = shareWork(
      segment,
      segmentIndex,
      run,
      words,
      sets,
      gated?.set,
      strategy,
      rules,
      scorers,
      exact,
    )
    sink.beginSegment(segmentIndex, segment)
    try {
      if (strategy.byKey) {
        pickSegment(work, sets, segment, allowed, exact, rules, sink, checkDeadline)
        return
      }
      for (let window = 0; window < segment.reader.windowCount; window++) {
        checkDeadline()
        const touched = scoreWindow(work, sets, window, sink.countOnlyBelow)
        if (touched > 0) harvest(allowed, window, touched, exact, rules, sink)
        if (strategy.part !== undefined) sink.tighten()
        if (!strategy.countedApart) countUnranked(work, sets, window, allowed, touched, sink)
        if (touched > 0 && work.followers.length > 0) scratch.seen.fill(0)
      }
    } catch (error) {
      scratch.clear()
      throw error
    }
  })
}

/** The role of each slot in one segment (match-strategy.ts). Following slots have sets. */
interface SegmentWork {
  readonly segmentIndex: number
  readonly leaders: readonly SlotScorer[]
  readonly followers: readonly SlotScorer[]
  /** The documents with all gates. Undefined without gates. */
  readonly gated: number | undefined
  /** Sets of the essential lists. Undefined: see `MatchStrategy`. */
  readonly essential: readonly number[] | undefined
  readonly bestOfLong: BestOfList | undefined
  readonly part: TierPartIterator | undefined
  /** Sets of following slots that make a match alone. */
  readonly counted: readonly number[]
}

function shareWork(
  segment: SegmentView,
  segmentIndex: number,
  run: SearchRun,
  { known, count }: MatchingWords,
  sets: WordSets,
  gated: number | undefined,
  { mainGroups, essential, part, countedApart }: MatchStrategy,
  { flags }: MatchRules,
  scorers: readonly SlotScorer[],
  exact: ExactDocuments | undefined,
): SegmentWork {
  const setOf = (slot: ResolvedSlot) => sets.of(slot, segmentIndex)
  const isCounted = (i: number) =>
    count === 'one' && flags[i]!.carries && mainGroups[i] !== undefined
  return {
    segmentIndex,
    leaders: scorers.filter((_, i) => mainGroups[i] === undefined),
    followers: scorers.filter((_, i) => mainGroups[i] !== undefined),
    gated,
    essential: essential?.slots.map(({ slot }) => setOf(slot)),
    bestOfLong:
      essential?.long && new BestOfList(essential.long, segment, run.tables.of(segment), exact),
    part: part && new TierPartIterator(sets, segmentIndex, part),
    counted: countedApart ? [] : known.filter((_, i) => isCounted(i)).map(setOf),
  }
}

/**
 * Scores the ranked documents of a window.
 *
 * @param scoreMin documents with a lower score need not be ranked
 * @returns the length of `scratch.touched`
 */
function scoreWindow(work: SegmentWork, sets: WordSets, window: number, scoreMin: number): number {
  const { leaders, followers, gated, essential, bestOfLong, part } = work
  let touched = 0
  for (const scorer of leaders) touched = scorer.scoreWindow(window, scratch, touched)
  if (followers.length === 0) return touched
  if (gated !== undefined) {
    const bytes = sets.bytesOf(work.segmentIndex, window)
    touched = sets.touch(sets.inWindow(gated, window), bytes, scratch)
  } else if (part !== undefined) touched = part.touch(window, scratch, scoreMin)
  else if (essential !== undefined) {
    touched = touchUnion(essential, work, sets, window)
    if (bestOfLong !== undefined) touched = bestOfLong.touch(window, scratch, touched, scoreMin)
  } else touched = markTouched(scratch.touched, touched, scratch.seen)
  for (const follower of followers) follower.follow(window, scratch, touched)
  return touched
}

/**
 * Makes the union of these sets in a window the set of the scratch memory.
 * @returns number of documents
 */
function touchUnion(
  united: readonly number[],
  { segmentIndex }: SegmentWork,
  sets: WordSets,
  window: number,
): number {
  const bytes = sets.bytesOf(segmentIndex, window)
  const out = sets.scratch(0)
  sets.unite(united, window, out, bytes)
  return sets.touch(out, bytes, scratch)
}

/**
 * Finds the matches of a segment without scoring them, then scores those whose first sort key may
 * reach the page.
 *
 * @param exact documents of the segment with a value equal to the query
 */
function pickSegment(
  work: SegmentWork,
  sets: WordSets,
  { reader }: SegmentView,
  allowed: Uint32Array | undefined,
  exact: ExactDocuments | undefined,
  { significant }: MatchRules,
  sink: MatchSink,
  checkDeadline: () => void,
): void {
  const matches = matchesOfSegment(work, sets, allowed)
  const first = sink.needsUnranked
    ? undefined
    : sink.pickOf(matches.words, sets.kernels.count(matches.set, matches.bytes))
  let next = 0
  for (let window = 0; window < reader.windowCount; window++) {
    checkDeadline()
    let count = 0
    if (first !== undefined) {
      while (next < first.length && first[next]! >>> WINDOW_BITS === window) {
        sink.docs[count++] = first[next++]!
      }
    } else {
      const bytes = sets.bytesOf(work.segmentIndex, window)
      const listed = sets.list(sets.inWindow(matches.set, window), bytes)
      for (let i = 0; i < listed.length; i++) sink.docs[i] = (window << WINDOW_BITS) + listed[i]!
      count = listed.length === 0 ? 0 : sink.pick(listed.length)
    }
    if (count > 0) rankPicked(work, window, count, exact, significant, sink)
  }
}

/**
 * The allowed documents of a segment that have all gates, or one of the words that make a match.
 */
function matchesOfSegment(
  { gated, counted, segmentIndex }: SegmentWork,
  sets: WordSets,
  allowed: Uint32Array | undefined,
): { readonly set: number; readonly bytes: number; readonly words: Uint32Array } {
  const { set, bytes } = sets.room(segmentIndex)
  if (gated !== undefined) sets.kernels.and(set, gated, gated, bytes)
  else sets.unite(counted, 0, set, bytes)
  if (allowed !== undefined) sets.kernels.and(set, set, sets.copyOf(allowed, segmentIndex), bytes)
  return { set, bytes, words: sets.words(set, bytes) }
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

/** Counts the matches of a window that were not ranked; `scratch.seen` has those that were. */
function countUnranked(
  { counted, segmentIndex }: SegmentWork,
  sets: WordSets,
  window: number,
  allowed: Uint32Array | undefined,
  touchedCount: number,
  sink: MatchSink,
): void {
  if (counted.length === 0) return
  const bytes = sets.bytesOf(segmentIndex, window)
  const [out, ranked] = [sets.scratch(0), sets.scratch(1)]
  sets.unite(counted, window, out, bytes)
  if (touchedCount > 0) {
    sets.words(ranked, bytes).set(scratch.seen.subarray(0, bytes >>> 2))
    sets.kernels.andNot(out, out, ranked, bytes)
  }
  const listed = sets.list(out, bytes)
  for (let i = 0; i < listed.length; i++) sink.docs[i] = (window << WINDOW_BITS) + listed[i]!
  const count = allowed === undefined ? listed.length : keepBits(sink.docs, listed.length, allowed)
  if (count > 0) sink.takeUnranked(count)
}

/** How the sums of `score-kernels.ts` determine matches and tiers. */
interface MatchRules {
  readonly flags: readonly SlotFlags[]
  /** Slots with HAS_MATCH that a document needs. */
  readonly matchMin: number
  /** Significant slots that a document of the upper tier needs. */
  readonly significant: number
  /** Minimum sum of the points of a document's slots. */
  readonly pointsMin: number
  /** Only documents of this tier are ranked; undefined: both. */
  readonly tier: Tier | undefined
}

/** "Score" in docs/ranking.md: which slots make a match, and which are significant. */
function matchRules(
  { known, demanded, count, pointsMin }: MatchingWords,
  { tier }: MatchStrategy,
): MatchRules {
  const flags = known.map((slot) => {
    const carries = demanded.includes(slot)
    const match = carries ? HAS_MATCH : 0
    const min = countedMin(slot.hasNeighbours)
    const counted = match + (slot.slot.stopword ? 0 : HAS_SIGNIFICANT)
    return { counted, uncounted: match, countedMin: min, carries }
  })
  return {
    flags,
    matchMin: count === 'all' ? demanded.length : 1,
    significant: known.filter(({ slot }) => !slot.stopword).length,
    pointsMin,
    tier,
  }
}

/** Passes the scored documents of a window to the sink. */
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
