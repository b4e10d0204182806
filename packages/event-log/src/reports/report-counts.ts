import type { EventVerdict, ReportInterval, ReportName, ReportOrder } from '@aisle/contract'
import type { ExperimentArm } from '../model/event-facts.ts'

/** A request for a report. Its period is `fromMs <= time < toMs`. */
export interface ReportQuery {
  readonly report: ReportName
  readonly fromMs: number
  readonly toMs: number
  /** Empty: everything. */
  readonly tags: readonly string[]
  readonly needsAllTags: boolean
  /**
   * Restricts the report to searches for this query, as shown, and what belongs to them. Absent:
   * all. `events` ignores it.
   */
  readonly onlyQuery?: string
  /** Only this experiment, and day by day, for the report `experiments`. */
  readonly experimentId?: string
  /** Also each tag of its searches that starts with this, for the report `experiments`. */
  readonly tagPrefix?: string
  readonly interval: ReportInterval
  readonly orderBy: ReportOrder
  /** Maximum rows of a list; rows by interval are complete. */
  readonly limit: number
}

/** Millionths of a currency unit; `null` if the events name none. */
export interface Money {
  readonly currency: string | null
  readonly amount: number
}

export interface SearchCounts {
  readonly searches: number
  readonly users: number
  readonly sessions: number
  /**
   * Searches with a known number of results, the sum of that number, and searches without results.
   */
  readonly countedSearches: number
  readonly foundSum: number
  readonly noResultSearches: number
  /** Searches of the period that led to a click or a conversion at any time. */
  readonly clickedSearches: number
  readonly convertedSearches: number
  /** Clicks and sales in the period. */
  readonly clicks: number
  readonly rankedClicks: number
  readonly rankSum: number
  readonly conversions: number
  readonly orders: number
  readonly revenue: readonly Money[]
}

/** Counts without searches. */
export const NO_SEARCHES: SearchCounts = {
  searches: 0,
  users: 0,
  sessions: 0,
  countedSearches: 0,
  foundSum: 0,
  noResultSearches: 0,
  clickedSearches: 0,
  convertedSearches: 0,
  clicks: 0,
  rankedClicks: 0,
  rankSum: 0,
  conversions: 0,
  orders: 0,
  revenue: [],
}

export interface QueryCounts {
  readonly queries: number
  readonly searches: number
}

export interface SaleCounts {
  readonly conversions: number
  readonly orders: number
  readonly revenue: readonly Money[]
}

export interface SaleRow {
  readonly query: string | null
  readonly documentId: string | null
  readonly conversions: number
  readonly orders: number
  /** `null`: no event named an amount. */
  readonly revenue: number | null
  readonly currency: string | null
}

export const FUNNEL_STEPS = ['search', 'click', 'add', 'order'] as const

export interface FunnelRow {
  readonly step: (typeof FUNNEL_STEPS)[number]
  readonly journeys: number
  /** Whether any event reports this step, or a later one. */
  readonly isReported: boolean
}

export interface DocumentCounts {
  readonly impressions: number
  readonly clicks: number
  readonly conversions: number
  readonly revenue: readonly Money[]
}

/** Milliseconds that searches took; `null` if there are none. */
export interface Latency {
  readonly searches: number
  /** Percentiles in the order of LATENCY_SHARES. */
  readonly percentiles: readonly (number | null)[]
  readonly maxMs: number | null
}

export const LATENCY_SHARES = [0.5, 0.75, 0.9, 0.95, 0.99] as const

interface InInterval {
  readonly startMs: number
}

/** The counts of each report, from which rates are computed. */
export interface CountsByReport {
  overview: Counts<SearchCounts, SearchCounts & InInterval>
  'top-queries': Counts<QueryCounts, SearchCounts & { readonly query: string }>
  'no-results': Counts<QueryCounts, QueryRow>
  'no-clicks': Counts<QueryCounts, QueryRow>
  clicks: Counts<
    { readonly clicks: number; readonly rankedClicks: number; readonly rankSum: number },
    { readonly position: number; readonly clicks: number }
  >
  conversions: Counts<SaleCounts, SaleRow>
  revenue: Counts<SaleCounts, SaleRow>
  funnel: Counts<{ readonly journeys: number }, FunnelRow>
  'top-documents': Counts<
    DocumentCounts & { readonly documents: number },
    DocumentCounts & { readonly documentId: string }
  >
  events: Counts<
    Readonly<Record<EventVerdict, number>>,
    { readonly event: string; readonly verdict: EventVerdict; readonly count: number }
  >
  filters: Counts<{ readonly searches: number; readonly filteredSearches: number }, FilterRow>
  rules: Counts<UseCounts, UseRow>
  presets: Counts<UseCounts, UseRow>
  latency: Counts<Latency, Latency & InInterval>
  judgments: Counts<{ readonly judgments: number; readonly sessions: number }, JudgmentRow>
  experiments: Counts<
    { readonly searches: number; readonly experimentSearches: number },
    ExperimentRow
  > & {
    /** Of one experiment: days with searches or what they led to, in order. Empty for all. */
    readonly days: readonly ExperimentDay[]
    /** Of one experiment, if asked for: the tags of most searches first. */
    readonly byTag: readonly ExperimentTagRow[]
  }
  'popularity-trial': Counts<TrialCounts, TrialCounts & { readonly query: string }>
  reformulations: Counts<{ readonly pairs: number; readonly visitors: number }, ReformulationRow>
  'missed-searches': Counts<
    { readonly queries: number; readonly visitorsLost: number },
    MissedSearchRow
  >
}

/** What the visitors of one arm of an experiment did. */
export interface ArmCounts {
  readonly visitors: number
  readonly searches: number
  /** Visitors who clicked a result, added one to the cart, ordered. */
  readonly clickedVisitors: number
  readonly addedVisitors: number
  readonly orderedVisitors: number
  /** Of their orders, in millionths. */
  readonly revenue: number
  /** Sum over visitors of the square of the revenue, in whole hundredths. */
  readonly revenueSquares: number
  /** Visitors with more clicks on what the draft placed, fewer, equally many; if interleaved. */
  readonly wins: number
  readonly losses: number
  readonly ties: number
}

export interface ExperimentRow extends ArmCounts {
  readonly experimentId: string
  readonly arm: ExperimentArm
  /** The first by name; `null` without amounts. */
  readonly currency: string | null
  /** How many currencies are added up in `revenue`. */
  readonly currencies: number
}

/** An arm of one experiment, in searches with a tag. */
export interface ExperimentTagRow extends Omit<ExperimentRow, 'experimentId'> {
  readonly tag: string
}

/** The counts of an arm as they were at the end of a day. */
export interface ExperimentDay extends ArmCounts {
  readonly arm: ExperimentArm
  readonly startMs: number
}

/** The searches with a filter, and what followed from them at any time. */
export interface FilterRow extends Pick<
  SearchCounts,
  'searches' | 'users' | 'clickedSearches' | 'convertedSearches' | 'revenue'
> {
  readonly field: string
  readonly value: string
}

/** Searches, and those with a rule or a preset. */
export interface UseCounts {
  readonly searches: number
  readonly usedSearches: number
}

/** Searches with one rule, or one preset. */
export interface UseRow extends Pick<
  SearchCounts,
  | 'searches'
  | 'users'
  | 'countedSearches'
  | 'noResultSearches'
  | 'clickedSearches'
  | 'convertedSearches'
> {
  /** Id of the rule, name of the preset. */
  readonly name: string
  /** Time of the last search. */
  readonly lastMs: number
}

export interface QueryRow {
  readonly query: string
  readonly searches: number
  readonly users: number
}

/** The judgments of sessions on a document that they found with a query. */
export interface JudgmentRow {
  readonly query: string
  readonly documentId: string
  /** Sessions that searched for the query. */
  readonly sessions: number
  /** Sessions that then clicked the document. */
  readonly clickedSessions: number
  /**
   * Sum over these of the furthest clicked position: 1 (also if unknown) to
   * POPULARITY_POSITION_MAX.
   */
  readonly positionSum: number
}

/**
 * A query that visitors typed instead of another; docs/synonym-suggestions.md defines each count.
 */
export interface ReformulationRow {
  readonly from: string
  readonly to: string
  readonly visitors: number
  readonly visitorsTried: number
  readonly visitorsFoundFew: number
  readonly visitorsGaveUp: number
  readonly visitorsArrived: number
  readonly clicks: number
  readonly positionSum: number
  readonly sharedPositionSum: number
  readonly visitorsClickedFrom: number
  readonly contexts: number
  /** Whole queries, those of most visitors first. */
  readonly examples: readonly {
    readonly from: string
    readonly to: string
    readonly visitors: number
  }[]
  readonly documentIds: readonly string[]
}

/** A query that loses visitors; docs/missed-searches.md defines each count. */
export interface MissedSearchRow {
  readonly query: string
  /** Half of its searches or more found no product; otherwise they led to no click. */
  readonly findsNothing: boolean
  readonly searches: number
  readonly noResultSearches: number
  readonly visitors: number
  /** Those of them who clicked nothing for it. */
  readonly visitorsLost: number
  /** What they typed next, those with clicks first. */
  readonly next: readonly {
    readonly query: string
    readonly visitors: number
    readonly visitorsClicked: number
  }[]
  /** What they clicked then. */
  readonly documentIds: readonly string[]
}

/** The order that visitors chose during a popularity trial. */
export interface TrialCounts extends Pick<ArmCounts, 'wins' | 'losses' | 'ties'> {
  /** Visitors who saw what only one order placed. */
  readonly sessions: number
}

export interface Counts<Totals, Row> {
  /**
   * Whether clicks and conversions are reported in the period: without them, a rate of 0 would be
   * false.
   */
  readonly reportsClicks: boolean
  readonly reportsConversions: boolean
  readonly totals: Totals
  readonly rows: readonly Row[]
}

export type ReportCounts = CountsByReport[ReportName]

const DAY_MS = 86_400_000
const INTERVAL_MS: Readonly<Record<ReportInterval, number>> = {
  hour: 3_600_000,
  day: DAY_MS,
  week: 7 * DAY_MS,
}
/** The first Monday of the epoch was its fifth day. */
const WEEK_OFFSET_MS = 4 * DAY_MS

/** Start of the interval (UTC; weeks from Monday) that contains a time. */
export function intervalStart(atMs: number, interval: ReportInterval): number {
  const lengthMs = INTERVAL_MS[interval]
  const offsetMs = interval === 'week' ? WEEK_OFFSET_MS : 0
  return Math.floor((atMs - offsetMs) / lengthMs) * lengthMs + offsetMs
}

export function intervalMs(interval: ReportInterval): number {
  return INTERVAL_MS[interval]
}
