import {
  ApiError,
  REPORT_INTERVALS_MAX,
  REPORT_ROWS_DEFAULT,
  ReportParameters,
  REPORTS,
  type ReportAnswer,
  type ReportContent,
  type ReportName,
} from '@aisle/contract'
import { parameterReader, unknownParameters } from '@aisle/contract/check'
import { intervalMs, parseTime, shownQueryOf, type ReportQuery } from '@aisle/event-log'
import { csvText } from '../../domain/values/csv.ts'
import type { StoreRecord } from '../../ports/catalog/store-registry.ts'
import type { ServicePorts } from '../service-ports.ts'
import { presentReport } from './present-report.ts'

const DAY_MS = 86_400_000
const PERIOD_DEFAULT_MS = 30 * DAY_MS
const YEAR_MS = 365 * DAY_MS

type ReportPorts = Pick<ServicePorts, 'reports' | 'registry' | 'clock'>

const readParameters = parameterReader<ReportParameters>(ReportParameters)

/** @param given the unchecked parameters of the request. @throws ApiError */
export async function makeReport<Name extends ReportName>(
  ports: ReportPorts,
  storeId: string,
  report: Name,
  given: object,
): Promise<{ readonly answer: ReportAnswer<Name>; readonly format: 'json' | 'csv' }> {
  const owner = ownerOf(ports, storeId)
  const parameters = readParameters(given)
  const query = queryOf(report, parameters, ports.clock.now())
  const content = await contentOf(ports, owner, query)
  const earlier = comparedPeriod(query, parameters.compare)
  const comparison =
    earlier === undefined
      ? {}
      : { comparison: { ...shownPeriod(earlier), ...(await contentOf(ports, owner, earlier)) } }
  const warnings = [
    ...(parameters.limit === undefined ? [] : (LIMITLESS[report] ?? [])),
    ...(parameters.query !== undefined && report === 'events' ? [EVENTS_WITHOUT_QUERY] : []),
    ...unknownParameters(ReportParameters, given).map(
      (name) => `Unknown parameter \`${name.slice(0, 100).toWellFormed()}\` is ignored`,
    ),
  ]
  const answer = {
    ...shownPeriod(query),
    tags: [...query.tags],
    ...content,
    ...comparison,
    ...(warnings.length === 0 ? {} : { warnings }),
  }
  return { answer: answer as ReportAnswer<Name>, format: parameters.format ?? 'json' }
}

const EVENTS_WITHOUT_QUERY = '`query` does not apply: events are counted as they arrived'
const BY_INTERVAL = ['`limit` does not apply: there is a row for every interval']

/** Reports that always return all rows. */
const LIMITLESS: Partial<Record<ReportName, readonly string[]>> = {
  funnel: ['`limit` does not apply: the funnel has its four steps'],
  overview: BY_INTERVAL,
  latency: BY_INTERVAL,
}

/**
 * The rows as CSV, with the columns of the contract; in a comparison, one column names the period.
 */
export function reportCsv(report: ReportName, answer: ReportAnswer<ReportName>): string {
  const columns = Object.keys(REPORTS[report].row.properties)
  const cells = (row: object): unknown[] =>
    columns.map((column) => cellOf((row as Readonly<Record<string, unknown>>)[column]))
  const { comparison } = answer
  if (comparison === undefined) return csvText(columns, answer.rows.map(cells))
  return csvText(
    ['period', ...columns],
    [
      ...answer.rows.map((row) => ['current', ...cells(row)]),
      ...comparison.rows.map((row) => ['comparison', ...cells(row)]),
    ],
  )
}

export function ownerOf(
  { registry }: Pick<ServicePorts, 'registry'>,
  storeId: string,
): StoreRecord {
  const owner = registry.find(storeId)
  if (owner === undefined) throw new ApiError('store_not_found', 'There is no store with this id')
  return owner
}

async function contentOf(
  { reports }: ReportPorts,
  owner: StoreRecord,
  query: ReportQuery,
): Promise<ReportContent<ReportName>> {
  return presentReport(await reports.count(owner, query), query)
}

function queryOf(report: ReportName, parameters: ReportParameters, nowMs: number): ReportQuery {
  const { fromMs, toMs } = periodOf(parameters, nowMs)
  const { interval = 'day' } = parameters
  if ((toMs - fromMs) / intervalMs(interval) > REPORT_INTERVALS_MAX) {
    throw new ApiError(
      'invalid_parameter',
      `Parameter \`interval\` is too short: the period may have at most ${REPORT_INTERVALS_MAX} intervals`,
      { param: 'interval' },
    )
  }
  return {
    report,
    fromMs,
    toMs,
    tags: [...new Set(parameters.tags)],
    needsAllTags: parameters.tags_match_mode === 'all',
    ...(parameters.query === undefined ? {} : { onlyQuery: shownQueryOf(parameters.query) }),
    interval,
    orderBy: parameters.order_by ?? 'clicks',
    limit: parameters.limit ?? REPORT_ROWS_DEFAULT,
  }
}

/** `fromMs <= time < toMs`, the last 30 days by default. @throws ApiError invalid_parameter */
export function periodOf(
  { from, to }: Pick<ReportParameters, 'from' | 'to'>,
  nowMs: number,
): { readonly fromMs: number; readonly toMs: number } {
  const toMs = timeOf('to', to) ?? nowMs
  const fromMs = timeOf('from', from) ?? toMs - PERIOD_DEFAULT_MS
  if (fromMs < toMs) return { fromMs, toMs }
  throw new ApiError('invalid_parameter', 'Parameter `from` must be before `to`', { param: 'from' })
}

/** @throws ApiError invalid_parameter */
export function timeOf(param: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  const ms = parseTime(value)
  if (ms !== undefined && ms >= 0) return ms
  throw new ApiError(
    'invalid_parameter',
    `Parameter \`${param}\` must be an ISO 8601 time such as \`2026-01-31T00:00:00Z\`, received ${JSON.stringify(value.slice(0, 60))}`,
    { param },
  )
}

function comparedPeriod(
  query: ReportQuery,
  compare: ReportParameters['compare'],
): ReportQuery | undefined {
  if (compare === undefined) return undefined
  const backMs = compare === 'year' ? YEAR_MS : query.toMs - query.fromMs
  return { ...query, fromMs: query.fromMs - backMs, toMs: query.toMs - backMs }
}

function shownPeriod({ fromMs, toMs }: ReportQuery): {
  readonly from: string
  readonly to: string
} {
  return { from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() }
}

/** Formats lists as text, including sums of money: `12.5 EUR; 3 USD`. */
function cellOf(value: unknown): unknown {
  if (!Array.isArray(value)) return value
  return (value as (string | { currency: string | null; amount: number })[])
    .map((one) => {
      if (typeof one === 'string') return one
      return one.currency === null ? `${one.amount}` : `${one.amount} ${one.currency}`
    })
    .join('; ')
}
