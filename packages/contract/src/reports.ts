import type { Static, TObject, TSchema } from 'typebox'
import { Type } from './type.ts'
import { EVENT_VERDICTS } from './events.ts'
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
  'popularity-trial',
] as const
export type ReportName = (typeof REPORT_NAMES)[number]

export const REPORT_INTERVALS = ['hour', 'day', 'week'] as const
export type ReportInterval = (typeof REPORT_INTERVALS)[number]

/** What the documents of `top-documents` are ordered by. */
export const REPORT_ORDERS = ['clicks', 'conversions', 'revenue', 'impressions'] as const
export type ReportOrder = (typeof REPORT_ORDERS)[number]

/** A date, or a date and time: wider than the format `date-time`. */
const time = (description: string) => Type.String({ description })

export const ReportParameters = Type.Object({
  from: Type.Optional(
    time(
      'Start of the period: an ISO 8601 date or time, UTC without an offset. Default: 30 days before `to`.',
    ),
  ),
  to: Type.Optional(time('Its end, exclusive. Default: now.')),
  tags: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: ANALYTICS_TAG_MAX_CHARS }), {
      maxItems: ANALYTICS_TAGS_MAX,
      description: 'Only what has these `analytics_tags`.',
    }),
  ),
  tags_match_mode: Type.Optional(
    Type.Enum(['any', 'all'], { default: 'any', description: 'One of the tags, or each of them.' }),
  ),
  query: Type.Optional(
    Type.String({
      maxLength: QUERY_LENGTH_MAX_CHARS,
      description:
        'Only searches for this query, and what belongs to them. `*`: searches without words. Does not apply to `events`.',
    }),
  ),
  compare: Type.Optional(
    Type.Enum(['previous', 'year'], {
      description:
        'Adds `comparison`: the same of the period of equal length before, or of a year (365 days) before.',
    }),
  ),
  interval: Type.Optional(
    Type.Enum([...REPORT_INTERVALS], {
      default: 'day',
      description: 'Length of the rows of `overview` and `latency`, UTC; weeks begin on Mondays.',
    }),
  ),
  order_by: Type.Optional(
    Type.Enum([...REPORT_ORDERS], {
      default: 'clicks',
      description: 'Order of the rows of `top-documents`.',
    }),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: REPORT_ROWS_MAX,
      default: REPORT_ROWS_DEFAULT,
      description: 'Rows at most; rows by interval and the steps of the funnel are always all.',
    }),
  ),
  format: Type.Optional(
    Type.Enum(['json', 'csv'], { default: 'json', description: '`csv`: the rows alone.' }),
  ),
})
export type ReportParameters = Static<typeof ReportParameters>

const orNull = <T extends TSchema>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description })
const count = (description?: string) =>
  Type.Integer(description === undefined ? {} : { description })

const Money = Type.Object(
  { currency: orNull(Type.String(), '`null`: the events name none.'), amount: Type.Number() },
  { $id: 'Money' },
)
const revenue = Type.Array(Money, { description: 'A sum per currency; empty without any amount.' })

const rates = {
  click_through_rate: orNull(
    Type.Number(),
    'Share of the searches that led to a click; `null` without searches, and where nobody reports clicks.',
  ),
  average_click_position: orNull(Type.Number(), 'Of the clicks that name a position, from 1.'),
  conversions: count('Conversions and orders that came from a search.'),
  conversion_rate: orNull(
    Type.Number(),
    'Share of the searches that led to a conversion; `null` without searches, and where nobody reports conversions.',
  ),
}

const searchFigures = {
  searches: count('Typing bursts count once.'),
  users: count(),
  sessions: count(),
  no_result_searches: count(),
  no_result_rate: orNull(Type.Number(), 'Of the searches whose number of results is known.'),
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
const start = Type.String({ format: 'date-time', description: 'Of the interval.' })
const query = Type.String({ description: 'In lower case; `*` for everything.' })
const queryTotals = Type.Object({ queries: count('Different ones.'), searches: count() })
const queryRow = Type.Object({ query, searches: count(), users: count() })
const sales = { conversions: count(), orders: count() }
const saleTotals = Type.Object({ ...sales, revenue })
const saleRow = Type.Object({
  query: orNull(query, '`null`: not from a search.'),
  document_id: orNull(Type.String(), '`null`: of the order as a whole.'),
  ...sales,
  revenue: orNull(Type.Number(), '`null`: no event names an amount.'),
  currency: orNull(Type.String(), '`null`: the events name none.'),
})
const documentFigures = { impressions: count(), clicks: count(), conversions: count(), revenue }
const milliseconds = (description: string) => orNull(Type.Number(), description)
const latency = {
  searches: count('Searches that the service executed, each by itself.'),
  p50_ms: milliseconds('Half of the searches took no longer.'),
  p75_ms: milliseconds(''),
  p90_ms: milliseconds(''),
  p95_ms: milliseconds(''),
  p99_ms: milliseconds(''),
  max_ms: milliseconds('The longest.'),
}

const useFigures = {
  searches: count('Typing bursts count once.'),
  users: count(),
  no_result_rate: searchFigures.no_result_rate,
  click_through_rate: rates.click_through_rate,
  conversion_rate: rates.conversion_rate,
  last_search_at: Type.String({ format: 'date-time', description: 'The last one of the period.' }),
}

/** Totals and rows of each report; the columns of CSV are the fields of a row, in this order. */
export const REPORTS = {
  overview: report('Overview', 'Searches and what came of them', {
    totals: Type.Object(searchFigures),
    row: Type.Object({ start, ...searchFigures }),
  }),
  'top-queries': report('TopQueries', 'What is searched for most', {
    totals: queryTotals,
    row: Type.Object({
      query,
      searches: count(),
      users: count(),
      average_results: orNull(Type.Number(), 'Of the searches whose number of results is known.'),
      clicks: count(),
      ...rates,
      revenue,
    }),
  }),
  'no-results': report('NoResults', 'Searches that found nothing', {
    totals: queryTotals,
    row: queryRow,
  }),
  'no-clicks': report('NoClicks', 'Searches that found something, of which nothing was clicked', {
    totals: queryTotals,
    row: queryRow,
  }),
  clicks: report('Clicks', 'Clicks by position among the results', {
    totals: Type.Object({
      clicks: count('Those without a position included.'),
      average_click_position: rates.average_click_position,
    }),
    row: Type.Object({ position: Type.Integer(), clicks: count() }),
  }),
  conversions: report('Conversions', 'Conversions and orders by query and document', {
    totals: saleTotals,
    row: saleRow,
  }),
  revenue: report('Revenue', 'Revenue by query', { totals: saleTotals, row: saleRow }),
  funnel: report('Funnel', 'How many searches led to a click, to the cart, to an order', {
    totals: Type.Object({ journeys: count('Searches.') }),
    row: Type.Object({
      step: Type.Enum(['search', 'click', 'add', 'order']),
      journeys: count('Searches that came so far, or further.'),
      rate: orNull(Type.Number(), 'Of all searches; `null` where nobody reports such events.'),
    }),
  }),
  'top-documents': report('TopDocuments', 'Documents by what visitors do with them', {
    totals: Type.Object({ documents: count(), ...documentFigures }),
    row: Type.Object({ document_id: Type.String(), ...documentFigures }),
  }),
  events: report('Events', 'Received events by name and by what became of them', {
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
  filters: report('Filters', 'Filters that searches were narrowed with', {
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
    }),
  }),
  rules: report('Rules', 'Searches that rules applied to, and what came of them', {
    totals: Type.Object({ searches: count(), ruled_searches: count('Searches with any rule.') }),
    row: Type.Object({
      rule_id: Type.String({ description: 'Also of a rule that is deleted by now.' }),
      ...useFigures,
    }),
  }),
  presets: report('Presets', 'Searches that named a preset, and what came of them', {
    totals: Type.Object({ searches: count(), preset_searches: count('Searches with any preset.') }),
    row: Type.Object({
      preset: Type.String({ description: 'Also a preset that is deleted by now.' }),
      ...useFigures,
    }),
  }),
  latency: report('Latency', 'How long the service took for searches', {
    totals: Type.Object(latency),
    row: Type.Object({ start, ...latency }),
  }),
  judgments: report('Judgments', 'How good documents are for queries, as clicks tell', {
    totals: Type.Object({
      judgments: count('Pairs of a query and a document.'),
      sessions: count('That searched.'),
    }),
    row: Type.Object({
      query,
      document_id: Type.String(),
      sessions: count('That searched for the query.'),
      clicked_sessions: count('Of these, those that clicked the document.'),
      average_position: Type.Number({ description: 'Of these clicks, 10 at most.' }),
      attractiveness: Type.Number({
        description:
          'Share of the sessions that would have clicked it, had all looked at it: a click at position r counts r. At most 1.',
      }),
      low: Type.Number({ description: 'The 95 % interval of `attractiveness` begins here,' }),
      high: Type.Number({ description: 'and ends here.' }),
    }),
  }),
  reformulations: report(
    'Reformulations',
    'What visitors typed in place of what, and clicked then',
    {
      totals: Type.Object({
        pairs: count('Of a phrase and what replaced it.'),
        visitors: count('Who typed something else after giving up a search, clicked or not.'),
      }),
      row: Type.Object({
        from: Type.String({ description: 'The words that were given up.' }),
        to: Type.String({ description: 'The words that replaced them.' }),
        visitors: count('Who replaced one by the other within minutes, and clicked then.'),
        visitors_tried: count('The same, clicked or not.'),
        visitors_found_few: count('Of `visitors`, those whose first search found at most 3.'),
        visitors_gave_up: count('Who gave up `from`, for whatever.'),
        visitors_arrived: count('Who came to `to`, from whatever.'),
        clicks: count('Products clicked then, once for each visitor.'),
        corrected_clicks: count('The same, each counting its position, 10 at most.'),
        corrected_clicks_shared: count('Of these, on products that others clicked for `from`.'),
        visitors_clicked_from: count('Who clicked anything for the first query.'),
        contexts: count('Different surroundings of the phrases in the queries.'),
        examples: Type.Array(Type.String(), {
          description: 'Whole queries, those of most visitors first: `red couch → red sofa`.',
        }),
        documents: Type.Array(Type.String(), { description: 'Ids of products clicked most.' }),
      }),
    },
  ),
  'popularity-trial': report('PopularityTrial', 'Whether visitors chose what popularity brought', {
    totals: Type.Object({
      sessions: count('That saw results which one of the two orders brought.'),
      wins: count('Of a session and a query: popularity brought more of what was clicked.'),
      losses: count('The order without it did.'),
      ties: count('Both brought as much of it.'),
      win_rate: orNull(Type.Number(), 'Wins of wins and losses.'),
      low: orNull(Type.Number(), 'The 95 % interval of `win_rate` begins here,'),
      high: orNull(Type.Number(), 'and ends here.'),
      is_won: Type.Boolean({ description: 'Enough chose, and the interval is above one half.' }),
    }),
    row: Type.Object({
      query,
      sessions: count(),
      wins: count(),
      losses: count(),
      ties: count(),
    }),
  }),
} as const satisfies Readonly<Record<ReportName, ReportSchemas>>

interface ReportSchemas {
  /** Of the operation. */
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
      comparison: Type.Optional(Type.Object({ ...period, ...content })),
      warnings: Type.Optional(Type.Array(Type.String())),
    },
    { $id: `${id}Report` },
  )
  return { id: `report${id}`, summary, row, answer }
}

export type ReportAnswer<Name extends ReportName> = Static<(typeof REPORTS)[Name]['answer']>
export type ReportContent<Name extends ReportName> = Pick<ReportAnswer<Name>, 'totals' | 'rows'>

const visitorId = (description: string) => Type.Optional(Type.String({ minLength: 1, description }))

/** Whose events are erased; one of them at least. */
export const EraseVisitorParameters = Type.Object({
  user_id: visitorId(
    'All events of this user, and those of anonymous and session ids that were only ever this user.',
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
  before: time('Whole files of the log whose events all arrived before this time are removed.'),
})
export type DropEventsParameters = Static<typeof DropEventsParameters>

export const DroppedEvents = Type.Object(
  {
    status: Type.Literal('dropped'),
    bytes_freed: Type.Integer(),
    oldest_event_at: orNull(
      Type.String({ format: 'date-time' }),
      'Arrival of the oldest event that is left.',
    ),
  },
  { $id: 'DroppedEvents' },
)
export type DroppedEvents = Static<typeof DroppedEvents>

export const RebuiltReports = Type.Object(
  {
    status: Type.Literal('rebuilt'),
    events: Type.Integer({ description: 'Entries of the log that were read.' }),
    took_ms: Type.Integer(),
  },
  { $id: 'RebuiltReports' },
)
export type RebuiltReports = Static<typeof RebuiltReports>
