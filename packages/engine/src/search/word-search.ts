import { hasBit } from '../codec/bitset.ts'
import { WINDOW_BITS } from '../postings/postings-format.ts'
import type { SearchPlan } from '../query/plan.ts'
import { FREQUENT_DOCS_MIN, TIER_STEP } from '../scoring/formula.ts'
import type { EvidenceTables } from './evidence-tables.ts'
import type { IndexView, SegmentView } from './index-view.ts'
import type { MatchSink } from './match-sink.ts'
import type { ResolvedSlot } from './resolved-slot.ts'
import { HAS_MATCH, HAS_SIGNIFICANT, matchesOf, pointsOf, significantOf } from './score-kernels.ts'
import { SlotScorer } from './slot-scorer.ts'
import type { SlotFlags } from './slot-tables.ts'
import { MaskTables } from './slot-tables.ts'
import { WindowScratch } from './window-scratch.ts'
import { shortPrefixBits } from './word-bits.ts'

/** Scratch space of this thread: a search never waits, so one is enough. */
const scratch = new WindowScratch()

/**
 * Scores the documents that match the words of a plan, term at a time within windows of 65,536 documents,
 * and hands the live ones to the sink. Every posting of every slot is read, which is what makes
 * `found` exact.
 */
export function searchWords(
  view: IndexView,
  plan: SearchPlan,
  slots: readonly ResolvedSlot[],
  tables: EvidenceTables,
  sink: MatchSink,
  checkDeadline: () => void,
): void {
  const known = slots.filter((slot) => slot.known)
  if (plan.requireAllTerms && known.length < slots.length) return
  const rules = matchRules(view, plan, known)
  const maskTables = known.map(() => new MaskTables())
  view.segments.forEach((segment, segmentIndex) => {
    const table = tables.of(segment)
    const scorers = known.map((slot, i) => {
      const prefix = slot.shortPrefix?.prefix
      const prefixBits =
        prefix === undefined
          ? undefined
          : shortPrefixBits(view, segment, prefix, slot.slot.stem, plan.fieldWeights, checkDeadline)
      const flags = rules.flags[i]!
      return new SlotScorer(slot, flags, maskTables[i]!, segment, segmentIndex, table, prefixBits)
    })
    const mayMatch = plan.requireAllTerms
      ? scorers.every((scorer) => !scorer.isEmpty)
      : scorers.some((scorer) => !scorer.isEmpty)
    if (!mayMatch) return
    sink.beginSegment(segmentIndex, segment)
    try {
      for (let window = 0; window < segment.reader.windowCount; window++) {
        checkDeadline()
        let touched = 0
        for (const scorer of scorers) touched = scorer.scoreWindow(window, scratch, touched)
        if (touched > 0) harvest(segment, window, touched, rules, sink)
      }
    } catch (error) {
      scratch.clear()
      throw error
    }
  })
}

/** What turns the sums of `score-kernels.ts` into matches and tiers. */
interface MatchRules {
  readonly flags: readonly SlotFlags[]
  /** Slots with HAS_MATCH that a document needs. */
  readonly matchMin: number
  /** Significant slots that lift a document into the upper tier. */
  readonly significant: number
}

/** "Score" in docs/ranking.md: which slots carry, which are significant. */
function matchRules(
  { docCount }: IndexView,
  plan: SearchPlan,
  known: readonly ResolvedSlot[],
): MatchRules {
  const isStrong = ({ slot, docFreq }: ResolvedSlot) =>
    !slot.stopword && !(docCount >= FREQUENT_DOCS_MIN && docFreq > docCount / 2)
  const someStrong = known.some(isStrong)
  const flags = known.map((slot) => {
    const carries = plan.requireAllTerms || !someStrong || isStrong(slot)
    const match = carries ? HAS_MATCH : 0
    return { counted: match + (slot.slot.stopword ? 0 : HAS_SIGNIFICANT), uncounted: match }
  })
  return {
    flags,
    matchMin: plan.requireAllTerms ? known.length : 1,
    significant: known.filter(({ slot }) => !slot.stopword).length,
  }
}

function harvest(
  { live }: SegmentView,
  window: number,
  touchedCount: number,
  { matchMin, significant }: MatchRules,
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
    if (matchesOf(sum) < matchMin) continue
    const docOrd = base + id
    if (live !== undefined && !hasBit(live, docOrd)) continue
    const score = pointsOf(sum) + (significantOf(sum) === significant ? TIER_STEP : 0)
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
