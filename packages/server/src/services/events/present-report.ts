import type { ReportContent, ReportName } from '@aisle/contract'
import { intervalMs, intervalStart, MICROS, NO_SEARCHES } from '@aisle/event-log'
import { judgment } from '../../domain/values/judgment.ts'
import { trialVerdict } from '../../domain/values/experiment-verdict.ts'
import type {
  Counts,
  CountsByReport,
  Latency,
  Money,
  ReportCounts,
  ReportQuery,
  SaleCounts,
  SearchCounts,
  UseRow,
} from '@aisle/event-log'

/**
 * Turns the counts of a report into its figures. A rate is `null`, not 0, where the divisor is 0 or
 * where nobody reports the events that it counts.
 */
export function presentReport(counts: ReportCounts, query: ReportQuery): ReportContent<ReportName> {
  const present = PRESENTERS[query.report] as (
    counts: ReportCounts,
    query: ReportQuery,
  ) => ReportContent<ReportName>
  return present(counts, query)
}

const PRESENTERS: {
  readonly [Name in ReportName]: (
    counts: CountsByReport[Name],
    query: ReportQuery,
  ) => ReportContent<Name>
} = {
  overview: ({ totals, rows, ...reported }, query) => ({
    totals: searchFigures(totals, reported),
    rows: everyInterval(rows, query, NO_SEARCHES).map(({ startMs, ...counts }) => ({
      start: isoTime(startMs),
      ...searchFigures(counts, reported),
    })),
  }),
  'top-queries': ({ totals, rows, ...reported }) => ({
    totals,
    rows: rows.map(({ query, ...counts }) => {
      const { searches, users, clicks, revenue, ...figures } = searchFigures(counts, reported)
      return {
        query,
        searches,
        users,
        average_results: share(counts.foundSum, counts.countedSearches),
        clicks,
        click_through_rate: figures.click_through_rate,
        average_click_position: figures.average_click_position,
        conversions: figures.conversions,
        conversion_rate: figures.conversion_rate,
        revenue,
      }
    }),
  }),
  'no-results': ({ totals, rows }) => ({ totals, rows: [...rows] }),
  'no-clicks': ({ totals, rows }) => ({ totals, rows: [...rows] }),
  clicks: ({ totals: { clicks, rankSum, rankedClicks }, rows }) => ({
    totals: { clicks, average_click_position: share(rankSum, rankedClicks) },
    rows: [...rows],
  }),
  conversions: saleContent,
  revenue: saleContent,
  funnel: ({ totals, rows }) => ({
    totals,
    rows: rows.map(({ step, journeys, isReported }) => ({
      step,
      journeys,
      rate: isReported ? share(journeys, totals.journeys) : null,
    })),
  }),
  'top-documents': ({ totals, rows }) => ({
    totals: { ...totals, revenue: money(totals.revenue) },
    rows: rows.map(({ documentId, revenue, ...counts }) => ({
      document_id: documentId,
      ...counts,
      revenue: money(revenue),
    })),
  }),
  events: ({ totals, rows }) => ({ totals, rows: [...rows] }),
  filters: ({ totals: { searches, filteredSearches }, rows, ...reported }) => ({
    totals: {
      searches,
      filtered_searches: filteredSearches,
      filtered_rate: share(filteredSearches, searches),
    },
    rows: rows.map((row) => ({
      field: row.field,
      value: row.value,
      searches: row.searches,
      users: row.users,
      ...ratesOf(row, reported),
      revenue: money(row.revenue),
    })),
  }),
  rules: ({ totals: { searches, usedSearches }, rows, ...reported }) => ({
    totals: { searches, ruled_searches: usedSearches },
    rows: rows.map((row) => ({ rule_id: row.name, ...useFigures(row, reported) })),
  }),
  presets: ({ totals: { searches, usedSearches }, rows, ...reported }) => ({
    totals: { searches, preset_searches: usedSearches },
    rows: rows.map((row) => ({ preset: row.name, ...useFigures(row, reported) })),
  }),
  judgments: ({ totals, rows }) => ({ totals, rows: rows.map(judgment) }),
  experiments: ({ totals, rows }) => ({
    totals: { searches: totals.searches, experiment_searches: totals.experimentSearches },
    rows: rows.map((row) => ({
      experiment_id: row.experimentId,
      arm: row.arm,
      visitors: row.visitors,
      searches: row.searches,
      visitors_clicked: row.clickedVisitors,
      visitors_added: row.addedVisitors,
      visitors_ordered: row.orderedVisitors,
      revenue_per_visitor: row.currencies === 1 ? share(row.revenue / MICROS, row.visitors) : null,
      wins: row.wins,
      losses: row.losses,
      ties: row.ties,
    })),
  }),
  'popularity-trial': ({ totals, rows }) => ({
    totals: { ...totals, ...trialVerdict(totals) },
    rows: [...rows],
  }),
  reformulations: ({ totals, rows }) => ({
    totals,
    rows: rows.map((row) => ({
      from: row.from,
      to: row.to,
      visitors: row.visitors,
      visitors_tried: row.visitorsTried,
      visitors_found_few: row.visitorsFoundFew,
      visitors_gave_up: row.visitorsGaveUp,
      visitors_arrived: row.visitorsArrived,
      clicks: row.clicks,
      corrected_clicks: row.positionSum,
      corrected_clicks_shared: row.sharedPositionSum,
      visitors_clicked_from: row.visitorsClickedFrom,
      contexts: row.contexts,
      examples: row.examples.map(({ from, to }) => `${from} → ${to}`),
      documents: [...row.documentIds],
    })),
  }),
  'missed-searches': ({ totals, rows }) => ({
    totals: { queries: totals.queries, visitors_lost: totals.visitorsLost },
    rows: rows.map((row) => ({
      query: row.query,
      reason: row.findsNothing ? 'no_results' : 'no_clicks',
      visitors_lost: row.visitorsLost,
      visitors: row.visitors,
      searches: row.searches,
      no_result_searches: row.noResultSearches,
      typed_next: row.next.map(({ query }) => query),
      documents: [...row.documentIds],
    })),
  }),
  latency: ({ totals, rows }, query) => ({
    totals: latencyFigures(totals),
    rows: everyInterval(rows, query, NO_LATENCY).map(({ startMs, ...latency }) => ({
      start: isoTime(startMs),
      ...latencyFigures(latency),
    })),
  }),
}

const NO_LATENCY: Latency = { searches: 0, percentiles: [], maxMs: null }

type Reported = Pick<Counts<unknown, unknown>, 'reportsClicks' | 'reportsConversions'>

function searchFigures(
  counts: SearchCounts,
  { reportsClicks, reportsConversions }: Reported,
): ReportContent<'overview'>['totals'] {
  const { searches, orders } = counts
  const revenue = money(counts.revenue)
  const [sum, ...otherCurrencies] = revenue
  const amount = otherCurrencies.length === 0 ? sum?.amount : undefined
  return {
    searches,
    users: counts.users,
    sessions: counts.sessions,
    no_result_searches: counts.noResultSearches,
    no_result_rate: share(counts.noResultSearches, counts.countedSearches),
    clicks: counts.clicks,
    click_through_rate: reportsClicks ? share(counts.clickedSearches, searches) : null,
    average_click_position: share(counts.rankSum, counts.rankedClicks),
    conversions: counts.conversions,
    conversion_rate: reportsConversions ? share(counts.convertedSearches, searches) : null,
    orders,
    revenue,
    revenue_per_search: amount === undefined ? null : share(amount, searches),
    average_order_value: amount === undefined ? null : share(amount, orders),
  }
}

function useFigures(
  row: UseRow,
  reported: Reported,
): Omit<ReportContent<'rules'>['rows'][number], 'rule_id'> {
  return {
    searches: row.searches,
    users: row.users,
    no_result_rate: share(row.noResultSearches, row.countedSearches),
    ...ratesOf(row, reported),
    last_search_at: isoTime(row.lastMs),
  }
}

function ratesOf(
  row: Pick<UseRow, 'searches' | 'clickedSearches' | 'convertedSearches'>,
  { reportsClicks, reportsConversions }: Reported,
): Pick<ReportContent<'rules'>['rows'][number], 'click_through_rate' | 'conversion_rate'> {
  return {
    click_through_rate: reportsClicks ? share(row.clickedSearches, row.searches) : null,
    conversion_rate: reportsConversions ? share(row.convertedSearches, row.searches) : null,
  }
}

function saleContent({
  totals,
  rows,
}: Counts<SaleCounts, CountsByReport['revenue']['rows'][number]>): ReportContent<'revenue'> {
  return {
    totals: { ...totals, revenue: money(totals.revenue) },
    rows: rows.map(({ documentId, revenue, ...row }) => ({
      query: row.query,
      document_id: documentId,
      conversions: row.conversions,
      orders: row.orders,
      revenue: revenue === null ? null : revenue / MICROS,
      currency: row.currency,
    })),
  }
}

function latencyFigures({
  searches,
  percentiles: [p50 = null, p75 = null, p90 = null, p95 = null, p99 = null],
  maxMs,
}: Latency): ReportContent<'latency'>['totals'] {
  const values = { p50_ms: p50, p75_ms: p75, p90_ms: p90, p95_ms: p95, p99_ms: p99 }
  return { searches, ...values, max_ms: maxMs }
}

/** Rows by interval, including intervals without events. */
function everyInterval<Row extends { readonly startMs: number }>(
  rows: readonly Row[],
  { fromMs, toMs, interval }: ReportQuery,
  empty: Omit<Row, 'startMs'>,
): readonly (Omit<Row, 'startMs'> & { readonly startMs: number })[] {
  const known = new Map(rows.map((row) => [row.startMs, row]))
  const all: (Omit<Row, 'startMs'> & { readonly startMs: number })[] = []
  for (let at = intervalStart(fromMs, interval); at < toMs; at += intervalMs(interval)) {
    all.push(known.get(at) ?? { ...empty, startMs: at })
  }
  return all
}

function money(sums: readonly Money[]): { currency: string | null; amount: number }[] {
  return sums.map(({ currency, amount }) => ({ currency, amount: amount / MICROS }))
}

function share(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString()
}
