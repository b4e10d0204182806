import {
  EXPERIMENT_DAYS_MAX,
  EXPERIMENT_DAYS_MIN,
  EXPERIMENT_ERROR_PERCENT,
  EXPERIMENT_VISITORS_MIN,
  type Experiment,
  type ExperimentGoal,
  type ExperimentReport,
  type ExperimentTagReport,
  type ReportAnswer,
} from '@aisle/contract'
import { compareMeans, compareVotes, type Evidence, type Sample } from './sequential-test.ts'

/** What the visitors of an arm did: a row of the report `experiments`. */
export interface ArmCounts {
  readonly visitors: number
  readonly searches: number
  readonly clickedVisitors: number
  readonly addedVisitors: number
  readonly orderedVisitors: number
  /** In units of the currency, and the sum over visitors of its square. */
  readonly revenue: number
  readonly revenueSquares: number
  readonly wins: number
  readonly losses: number
  readonly ties: number
}

/** An arm that nobody is in. */
export const NOBODY: ArmCounts = {
  visitors: 0,
  searches: 0,
  clickedVisitors: 0,
  addedVisitors: 0,
  orderedVisitors: 0,
  revenue: 0,
  revenueSquares: 0,
  wins: 0,
  losses: 0,
  ties: 0,
}

export interface CountedExperiment {
  readonly kind: Experiment['kind']
  readonly goal: ExperimentGoal
  readonly days: number
  readonly live: ArmCounts
  readonly draft: ArmCounts
  readonly interleaved: ArmCounts
  /** Whether all amounts have one currency. */
  readonly isOneCurrency: boolean
  /** Whether only visitors with some tags are counted. */
  readonly isPart: boolean
}

const ERROR = EXPERIMENT_ERROR_PERCENT / 100
/** Without a difference, visitors of either arm do the same, or votes are equal. */
const NO_DIFFERENCE = { split: 0, interleaved: 0.5 } as const

/** The report of an experiment: docs/experiments.md. */
export function experimentReport(
  counted: CountedExperiment,
): Omit<ExperimentReport, 'by_day' | 'by_tag'> {
  const { kind, goal, days, live, draft, interleaved } = counted
  const isSplit = kind === 'split'
  const samples = isSplit ? samplesOf(goal, counted) : undefined
  const votes = interleaved.wins + interleaved.losses
  /** As if `times` as many visitors had come and done the same. */
  const evidenceAt = (times: number): Evidence | undefined => {
    if (!isSplit) return votesAt(interleaved, times)
    if (samples === undefined) return undefined
    return compareMeans(repeated(samples.live, times), repeated(samples.draft, times), ERROR)
  }
  const enoughAt = (times: number): boolean =>
    EXPERIMENT_VISITORS_MIN <= times * (isSplit ? Math.min(live.visitors, draft.visitors) : votes)
  const evidence = evidenceAt(1)
  const none = NO_DIFFERENCE[kind]
  const isClear = (one: Evidence | undefined): boolean =>
    one !== undefined && (one.low > none || one.high < none)
  const reason = counted.isPart
    ? 'part'
    : evidence === undefined
      ? 'no_events'
      : days < EXPERIMENT_DAYS_MIN
        ? 'too_early'
        : !enoughAt(1)
          ? 'too_few_visitors'
          : isClear(evidence)
            ? undefined
            : 'too_close'
  const isDecided = reason === undefined && evidence !== undefined
  return {
    verdict: !isDecided ? 'undecided' : evidence.value > none ? 'draft' : 'live',
    ...(reason === undefined ? {} : { reason }),
    confidence: evidence?.confidence ?? 0,
    days,
    days_left:
      isDecided || counted.isPart || evidence === undefined
        ? null
        : daysLeft(days, (times) => enoughAt(times) && isClear(evidenceAt(times))),
    ...armFigures(counted),
  }
}

/** What the visitors of both arms did, without a verdict. */
export function armFigures(
  counted: Omit<CountedExperiment, 'goal' | 'days' | 'isPart'>,
): Omit<ExperimentTagReport, 'tag' | 'currency'> {
  const { kind, live, draft, interleaved } = counted
  const of = (figure: 'visitors' | 'searches'): ExperimentTagReport['visitors'] =>
    kind === 'split'
      ? { live: live[figure], draft: draft[figure] }
      : { live: interleaved[figure], draft: interleaved[figure] }
  return {
    visitors: of('visitors'),
    searches: of('searches'),
    ...(kind === 'split' ? { figures: figuresOf(counted) } : { votes: shownVotes(interleaved) }),
  }
}

/** The counts of all arms as they were at the end of a day. */
export interface CountedDay extends Pick<CountedExperiment, 'live' | 'draft' | 'interleaved'> {
  /** Its start. */
  readonly startMs: number
}

/** The figure of the goal as it was at the end of each day. */
export function figuresByDay(
  { kind, goal, isOneCurrency }: Pick<CountedExperiment, 'kind' | 'goal' | 'isOneCurrency'>,
  days: readonly CountedDay[],
): ExperimentReport['by_day'] {
  return days.map(({ startMs, live: liveArm, draft: draftArm, interleaved }) => {
    const day = new Date(startMs).toISOString().slice(0, 10)
    if (kind === 'interleaved') {
      const votes = votesAt(interleaved, 1)
      if (votes === undefined) return { day, live: null, draft: null, low: null, high: null }
      return { day, live: 1 - votes.value, draft: votes.value, low: votes.low, high: votes.high }
    }
    const counted = { live: liveArm, draft: draftArm, isOneCurrency }
    const { live, draft, low, high } = figureOf(goal, counted)
    const [least, most] = goal === 'revenue' ? [-Infinity, Infinity] : [0, 1]
    const shown = (end: number | null): number | null =>
      live === null || end === null ? null : Math.min(most, Math.max(least, live + end))
    return { day, live, draft, low: shown(low), high: shown(high) }
  })
}

type TrialVerdict = Pick<
  ReportAnswer<'popularity-trial'>['totals'],
  'win_rate' | 'low' | 'high' | 'is_won'
>

/** The verdict of the votes of a popularity trial, without ties. */
export function trialVerdict({ wins, losses }: Pick<ArmCounts, 'wins' | 'losses'>): TrialVerdict {
  const evidence = compareVotes(wins, losses, ERROR)
  if (evidence === undefined) return { win_rate: null, low: null, high: null, is_won: false }
  const { value, low, high } = evidence
  const is_won = wins + losses >= EXPERIMENT_VISITORS_MIN && low > NO_DIFFERENCE.interleaved
  return { win_rate: value, low, high, is_won }
}

/** The first day on which it would be decided, if visitors go on as before. */
function daysLeft(days: number, isDecided: (times: number) => boolean): number | null {
  if (days <= 0) return null
  const first = Math.max(1, Math.ceil(EXPERIMENT_DAYS_MIN - days))
  for (let more = first; days + more <= EXPERIMENT_DAYS_MAX; more++) {
    if (isDecided((days + more) / days)) return more
  }
  return null
}

function votesAt({ wins, losses }: ArmCounts, times: number): Evidence | undefined {
  return compareVotes(Math.round(wins * times), Math.round(losses * times), ERROR)
}

function shownVotes(counts: ArmCounts): NonNullable<ExperimentReport['votes']> {
  const { wins, losses, ties } = counts
  const { value = null, low = null, high = null } = votesAt(counts, 1) ?? {}
  return { draft: wins, live: losses, ties, draft_share: value, low, high }
}

/** Live and draft, and whether their amounts can be compared. */
type Compared = Pick<CountedExperiment, 'live' | 'draft' | 'isOneCurrency'>

function figuresOf(counted: Compared): NonNullable<ExperimentReport['figures']> {
  return {
    click: figureOf('click', counted),
    add_to_cart: figureOf('add_to_cart', counted),
    order: figureOf('order', counted),
    revenue: figureOf('revenue', counted),
  }
}

function figureOf(
  goal: ExperimentGoal,
  counted: Compared,
): NonNullable<ExperimentReport['figures']>['click'] {
  const samples = samplesOf(goal, counted)
  if (samples === undefined) {
    return { live: null, draft: null, difference: null, low: null, high: null }
  }
  const { live, draft } = samples
  const evidence = compareMeans(live, draft, ERROR)
  // Shares differ by 1 at most.
  const most = goal === 'revenue' ? Infinity : 1
  return {
    live: meanOf(live),
    draft: meanOf(draft),
    difference: evidence?.value ?? null,
    low: evidence === undefined ? null : Math.max(-most, evidence.low),
    high: evidence === undefined ? null : Math.min(most, evidence.high),
  }
}

/** @returns undefined if nobody in either arm did it: then it may not be reported at all */
function samplesOf(
  goal: ExperimentGoal,
  { live, draft, isOneCurrency }: Compared,
): { readonly live: Sample; readonly draft: Sample } | undefined {
  if (goal === 'revenue' && !isOneCurrency) return undefined
  const samples = { live: sampleOf(goal, live), draft: sampleOf(goal, draft) }
  return samples.live.squares + samples.draft.squares === 0 ? undefined : samples
}

function sampleOf(goal: ExperimentGoal, arm: ArmCounts): Sample {
  const count = arm.visitors
  if (goal === 'revenue') return { count, sum: arm.revenue, squares: arm.revenueSquares }
  const did = {
    click: arm.clickedVisitors,
    add_to_cart: arm.addedVisitors,
    order: arm.orderedVisitors,
  }[goal]
  return { count, sum: did, squares: did }
}

function repeated({ count, sum, squares }: Sample, times: number): Sample {
  return { count: count * times, sum: sum * times, squares: squares * times }
}

function meanOf({ count, sum }: Sample): number | null {
  return count === 0 ? null : sum / count
}
