import type { Static, TObject, TSchema } from 'typebox'
import { Optional, Type } from './type.ts'
import { EVENT_VERDICTS } from './events.ts'
import { ExperimentRow } from './experiment-row.ts'
import {
  ANALYTICS_TAG_MAX_CHARS,
  ANALYTICS_TAGS_MAX,
  QUERY_LENGTH_MAX_CHARS,
  REPORT_ROWS_DEFAULT,
  REPORT_ROWS_MAX,
} from './limits.ts'

export const REPORT_NAMES = [
  'overview',
  'top-queries',
  'no-results',
  'no-clicks',
  'clicks',
  'conversions',
  'revenue',
  'funnel',
  'top-documents',
  'events',
  'filters',
  'rules',
  'presets',
  'latency',
  'judgments',
  'reformulations',
  'missed-searches',
  'experiments',
  'popularity-trial',
] as const
export type ReportName = (typeof REPORT_NAMES)[number]

export const REPORT_INTERVALS = ['hour', 'day', 'week'] as const
export type ReportInterval = (typeof REPORT_INTERVALS)[number]

/** Order of the documents of `top-documents`. */
export const REPORT_ORDERS = ['clicks', 'conversions', 'revenue', 'impressions'] as const
export type ReportOrder = (typeof REPORT_ORDERS)[number]

/** A date, or a date and time: more than the format `date-time` allows. */
const time = (description: string) => Type.String({ description })

export const ReportParameters = Type.Object({
  from: Type.Optional(
    time(
      'Start of the period: an ISO 8601 date or time, UTC without an offset. Default: 30 days before `to`.',
    ),
  ),
  to: Type.Optional(time('End of the period, exclusive. Default: now.')),
  tags: Optional.Array(Type.String({ minLength: 1, maxLength: ANALYTICS_TAG_MAX_CHARS }), {
    maxItems: ANALYTICS_TAGS_MAX,
    description: 'Only events with these `analytics_tags`.',
  }),
  tags_match_mode: Optional.Enum(['any', 'all'], {
    default: 'any',
    description: 'Whether one tag suffices or all are required.',
  }),
  query: Optional.String({
    maxLength: QUERY_LENGTH_MAX_CHARS,
    description:
      'Only searches for this query and their events. `*`: searches without words. Does not apply to `events`.',
  }),
  compare: Optional.Enum(['previous', 'year'], {
    description:
      'Adds `comparison`: the same figures for the previous period of equal length, or for a year (365 days) earlier.',
  }),
  interval: Optional.Enum([...REPORT_INTERVALS], {
    default: 'day',
    description:
      'Interval of the rows of `overview` and `latency`, in UTC; weeks begin on Mondays.',
  }),
  order_by: Optional.Enum([...REPORT_ORDERS], {
    default: 'clicks',
    description: 'Order of the rows of `top-documents`.',
  }),
  limit: Optional.Integer({
    minimum: 1,
    maximum: REPORT_ROWS_MAX,
    default: REPORT_ROWS_DEFAULT,
    description: 'Maximum number of rows; rows by interval and funnel steps are always complete.',
  }),
  format: Optional.Enum(['json', 'csv'], { default: 'json', description: '`csv`: only the rows.' }),
})
export type ReportParameters = Static<typeof ReportParameters>

const orNull = <T extends TSchema>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description })
const count = (description?: string) =>
  Type.Integer(description === undefined ? {} : { description })

const Money = Type.Object(
  { currency: orNull(Type.String(), '`null` if the events have none.'), amount: Type.Number() },
  { $id: 'Money' },
)
const revenue = Type.Array(Money, { description: 'One sum per currency; empty without amounts.' })

const rates = {
  click_through_rate: orNull(
    Type.Number(),
    'Click-through rate of searches; `null` without searches or without click tracking.',
  ),
  average_click_position: orNull(Type.Number(), 'Mean position of clicks that have one, from 1.'),
  conversions: count('Conversions and orders attributed to a search.'),
  conversion_rate: orNull(
    Type.Number(),
    'Conversion rate of searches; `null` without searches or without conversion tracking.',
  ),
}

const searchFigures = {
  searches: count('Keystrokes of one search count once.'),
  users: count(),
  sessions: count(),
  no_result_searches: count(),
  no_result_rate: orNull(Type.Number(), 'Only searches with a known number of results.'),
  clicks: count(),
  ...rates,
  orders: count(),
  revenue,
  revenue_per_search: orNull(
    Type.Number(),
    '`null` without searches or amounts, and when there are several currencies.',
  ),
  average_order_value: orNull(
    Type.Number(),
    '`null` without orders or amounts, and when there are several currencies.',
  ),
}
const start = Type.String({ format: 'date-time', description: 'Start of the interval.' })
const query = Type.String({ description: 'Lower case; `*` for everything.' })
const queryTotals = Type.Object({ queries: count('Distinct queries.'), searches: count() })
const queryRow = Type.Object({ query, searches: count(), users: count() })
const sales = { conversions: count(), orders: count() }
const saleTotals = Type.Object({ ...sales, revenue })
const saleRow = Type.Object({
  query: orNull(query, '`null` if not from a search.'),
  document_id: orNull(Type.String(), '`null` for the whole order.'),
  ...sales,
  revenue: orNull(Type.Number(), '`null` if no event has an amount.'),
  currency: orNull(Type.String(), '`null` if the events have none.'),
})
const documentFigures = { impressions: count(), clicks: count(), conversions: count(), revenue }
const milliseconds = (description: string) => orNull(Type.Number(), description)
const latency = {
  searches: count('Searches that the service executed; keystrokes count separately.'),
  p50_ms: milliseconds('Median latency.'),
  p75_ms: milliseconds(''),
  p90_ms: milliseconds(''),
  p95_ms: milliseconds(''),
  p99_ms: milliseconds(''),
  max_ms: milliseconds('The longest.'),
}

const useFigures = {
  searches: count('Keystrokes of one search count once.'),
  users: count(),
  no_result_rate: searchFigures.no_result_rate,
  click_through_rate: rates.click_through_rate,
  conversion_rate: rates.conversion_rate,
  last_search_at: Type.String({ format: 'date-time', description: 'Last search of the period.' }),
}

/** Why a query is missed. */
export const MissedReason = Type.Enum(['no_results', 'no_clicks'], {
  description: '`no_results`: at least half of its searches found nothing.',
})
export const missedFigures = {
  visitors_lost: count('Visitors who searched for it and clicked no result.'),
  visitors: count('Visitors who searched for it.'),
  searches: count(),
  no_result_searches: count('Searches that found nothing.'),
}

/** Totals and rows of each report. CSV has the fields of a row as columns, in this order. */
export const REPORTS = {
  overview: report('Overview', 'Searches and their outcomes', {
    totals: Type.Object(searchFigures),
    row: Type.Object({ start, ...searchFigures }),
  }),
  'top-queries': report('TopQueries', 'Top searches', {
    totals: queryTotals,
    row: Type.Object({
      query,
      searches: count(),
      users: count(),
      average_results: orNull(Type.Number(), 'Only searches with a known number of results.'),
      clicks: count(),
      ...rates,
      revenue,
    }),
  }),
  'no-results': report('NoResults', 'Searches with no results', {
    totals: queryTotals,
    row: queryRow,
  }),
  'no-clicks': report('NoClicks', 'Searches with results but no clicks', {
    totals: queryTotals,
    row: queryRow,
  }),
  clicks: report('Clicks', 'Clicks by position among the results', {
    totals: Type.Object({
      clicks: count('Including clicks without a position.'),
      average_click_position: rates.average_click_position,
    }),
    row: Type.Object({ position: Type.Integer(), clicks: count() }),
  }),
  conversions: report('Conversions', 'Conversions and orders by query and document', {
    totals: saleTotals,
    row: saleRow,
  }),
  revenue: report('Revenue', 'Revenue by query', { totals: saleTotals, row: saleRow }),
  funnel: report('Funnel', 'Searches that led to a click, an addition to the cart, an order', {
    totals: Type.Object({ journeys: count('Searches.') }),
    row: Type.Object({
      step: Type.Enum(['search', 'click', 'add', 'order']),
      journeys: count('Searches that reached this step.'),
      rate: orNull(Type.Number(), 'Share of all searches; `null` without such events.'),
    }),
  }),
  'top-documents': report('TopDocuments', 'Documents by clicks, conversions and revenue', {
    totals: Type.Object({ documents: count(), ...documentFigures }),
    row: Type.Object({ document_id: Type.String(), ...documentFigures }),
  }),
  events: report('Events', 'Received events by name and outcome', {
    totals: Type.Object(
      Object.fromEntries(EVENT_VERDICTS.map((verdict) => [verdict, Type.Integer()])) as Record<
        (typeof EVENT_VERDICTS)[number],
        ReturnType<typeof Type.Integer>
      >,
    ),
    row: Type.Object({
      event: Type.String(),
      verdict: Type.Enum([...EVENT_VERDICTS]),
      count: count(),
    }),
  }),
  filters: report('Filters', 'Filters used in searches', {
    totals: Type.Object({
      searches: count(),
      filtered_searches: count(),
      filtered_rate: orNull(Type.Number(), '`null` without searches.'),
    }),
    row: Type.Object({
      field: Type.String(),
      value: Type.String({ description: 'A value, or a test such as `>=10`.' }),
      searches: count(),
      users: count(),
      click_through_rate: useFigures.click_through_rate,
      conversion_rate: useFigures.conversion_rate,
      revenue,
    }),
  }),
  rules: report('Rules', 'Searches that rules applied to, and their outcomes', {
    totals: Type.Object({
      searches: count(),
      ruled_searches: count('Searches with at least one rule.'),
    }),
    row: Type.Object({
      rule_id: Type.String({ description: 'The rule may have been deleted since.' }),
      ...useFigures,
    }),
  }),
  presets: report('Presets', 'Searches with a preset, and their outcomes', {
    totals: Type.Object({ searches: count(), preset_searches: count('Searches with a preset.') }),
    row: Type.Object({
      preset: Type.String({ description: 'The preset may have been deleted since.' }),
      ...useFigures,
    }),
  }),
  latency: report('Latency', 'Search latency', {
    totals: Type.Object(latency),
    row: Type.Object({ start, ...latency }),
  }),
  judgments: report('Judgments', 'Attractiveness of documents for queries, from clicks', {
    totals: Type.Object({
      judgments: count('Pairs of a query and a document.'),
      sessions: count('Sessions with searches.'),
    }),
    row: Type.Object({
      query,
      document_id: Type.String(),
      sessions: count('Sessions that searched for the query.'),
      clicked_sessions: count('Of those, the ones that clicked the document.'),
      average_position: Type.Number({ description: 'Mean position of these clicks, at most 10.' }),
      attractiveness: Type.Number({
        description:
          'Estimated share of the sessions that would click it if all saw it: a click at position r counts r. At most 1.',
      }),
      low: Type.Number({ description: 'Lower end of the 95 % interval of `attractiveness`.' }),
      high: Type.Number({ description: 'Upper end of the 95 % interval of `attractiveness`.' }),
    }),
  }),
  reformulations: report('Reformulations', 'Rewritten searches that led to clicks', {
    totals: Type.Object({
      pairs: count('Pairs of a phrase and its replacement.'),
      visitors: count('Visitors who rewrote a search, with or without a click.'),
    }),
    row: Type.Object({
      from: Type.String({ description: 'The replaced words.' }),
      to: Type.String({ description: 'The replacement.' }),
      visitors: count('Visitors who replaced one by the other within minutes and then clicked.'),
      visitors_tried: count('The same, with or without a click.'),
      visitors_found_few: count('Those of `visitors` whose first search found at most 3.'),
      visitors_gave_up: count('Visitors who replaced `from` by anything.'),
      visitors_arrived: count('Visitors who replaced anything by `to`.'),
      clicks: count('Products clicked after it, once per visitor.'),
      corrected_clicks: count('The same, each weighted by its position, at most 10.'),
      corrected_clicks_shared: count('Those of them on products that others clicked for `from`.'),
      visitors_clicked_from: count('Visitors who clicked anything for the first query.'),
      contexts: count('Distinct contexts of the phrases in the queries.'),
      examples: Type.Array(Type.String(), {
        description: 'Whole queries, by number of visitors: `red couch → red sofa`.',
      }),
      documents: Type.Array(Type.String(), { description: 'Ids of the most clicked products.' }),
    }),
  }),
  'missed-searches': report('MissedSearches', 'Searches that lose visitors', {
    totals: Type.Object({
      queries: count('Distinct queries.'),
      visitors_lost: count('Sum of the rows: a visitor may be lost with several queries.'),
    }),
    row: Type.Object({
      query,
      reason: MissedReason,
      ...missedFigures,
      typed_next: Type.Array(Type.String(), {
        description: 'Queries that they typed next, those with clicks first.',
      }),
      documents: Type.Array(Type.String(), { description: 'Ids of products clicked then.' }),
    }),
  }),
  experiments: report('Experiments', 'What the visitors of each arm of an experiment did', {
    totals: Type.Object({
      searches: count(),
      experiment_searches: count('Searches answered by an arm of an experiment.'),
    }),
    row: ExperimentRow,
  }),
  'popularity-trial': report(
    'PopularityTrial',
    'Whether visitors preferred the order with popularity',
    {
      totals: Type.Object({
        sessions: count('Visitors who saw results that only one of the two orders placed.'),
        wins: count('Visitors with more clicks on what the order with popularity placed.'),
        losses: count('Visitors with more clicks on what the order without it placed.'),
        ties: count('Visitors with equally many.'),
        win_rate: orNull(Type.Number(), 'Wins / (wins + losses).'),
        low: orNull(
          Type.Number(),
          'Lower end of the 95 % interval of `win_rate`; valid on every day.',
        ),
        high: orNull(Type.Number(), 'Upper end.'),
        is_won: Type.Boolean({
          description: 'Whether enough visitors decided and the interval is above one half.',
        }),
      }),
      row: Type.Object({
        query,
        sessions: count(),
        wins: count(),
        losses: count(),
        ties: count(),
      }),
    },
  ),
} as const satisfies Readonly<Record<ReportName, ReportSchemas>>

interface ReportSchemas {
  /** Operation id. */
  readonly id: string
  readonly summary: string
  readonly row: TObject
  readonly answer: TObject
}

function report<Totals extends TObject, Row extends TObject>(
  id: string,
  summary: string,
  { totals, row }: { readonly totals: Totals; readonly row: Row },
) {
  const period = {
    from: Type.String({ format: 'date-time' }),
    to: Type.String({ format: 'date-time', description: 'Exclusive.' }),
  }
  const content = { totals, rows: Type.Array(row) }
  const answer = Type.Object(
    {
      ...period,
      tags: Type.Array(Type.String()),
      ...content,
      comparison: Optional.Object({ ...period, ...content }),
      warnings: Optional.Array(Type.String()),
    },
    { $id: `${id}Report` },
  )
  return { id: `report${id}`, summary, row, answer }
}

export type ReportAnswer<Name extends ReportName> = Static<(typeof REPORTS)[Name]['answer']>
export type ReportContent<Name extends ReportName> = Pick<ReportAnswer<Name>, 'totals' | 'rows'>

const visitorId = (description: string) => Optional.String({ minLength: 1, description })

/** Identifies the visitor whose events are erased: at least one id is required. */
export const EraseVisitorParameters = Type.Object({
  user_id: visitorId(
    'All events of this user, and of anonymous and session ids that belong to this user alone.',
  ),
  anonymous_id: visitorId('All events of this anonymous id.'),
  session_id: visitorId('All events of this session id.'),
})
export type EraseVisitorParameters = Static<typeof EraseVisitorParameters>

export const ErasedEvents = Type.Object(
  { status: Type.Literal('erased'), events_erased: Type.Integer() },
  { $id: 'ErasedEvents' },
)
export type ErasedEvents = Static<typeof ErasedEvents>

export const DropEventsParameters = Type.Object({
  before: time('Removes whole files of the log whose events all arrived before this time.'),
})
export type DropEventsParameters = Static<typeof DropEventsParameters>

export const DroppedEvents = Type.Object(
  {
    status: Type.Literal('dropped'),
    bytes_freed: Type.Integer(),
    oldest_event_at: orNull(
      Type.String({ format: 'date-time' }),
      'Arrival of the oldest remaining event.',
    ),
  },
  { $id: 'DroppedEvents' },
)
export type DroppedEvents = Static<typeof DroppedEvents>

export const RebuiltReports = Type.Object(
  {
    status: Type.Literal('rebuilt'),
    events: Type.Integer({ description: 'Log entries read.' }),
    took_ms: Type.Integer(),
  },
  { $id: 'RebuiltReports' },
)
export type RebuiltReports = Static<typeof RebuiltReports>
