import {
  MISSED_DECISIONS_MAX,
  MISSED_SEARCH_DAYS_DEFAULT,
  MISSED_SEARCHES_DEFAULT,
  MISSED_SEARCHES_MAX_MS,
  type MissedSearch,
  type MissedSearchList,
  type MissedSearchParameters,
} from '@aisle/contract'
import {
  shownQueryOf,
  type CountsByReport,
  type MissedSearchRow,
  type ReportQuery,
} from '@aisle/event-log'
import { ownerOf } from '../events/reports.ts'
import type { ServicePorts } from '../service-ports.ts'
import {
  changedBy,
  decisionOf,
  missedDecisions,
  stateTag,
  type MissedDecision,
} from '../store/decide-missed-search.ts'
import type { RequestPace } from './request-pace.ts'
import type { SearchPorts } from './asked-search.ts'
import { search } from './search.ts'

const DAY_MS = 86_400_000

export type MissedPorts = SearchPorts & Pick<ServicePorts, 'reports' | 'resources'>

/**
 * Lists queries that lose visitors, each with what it finds now (docs/missed-searches.md).
 *
 * @throws ApiError as reports do
 */
export async function listMissedSearches(
  ports: MissedPorts,
  storeId: string,
  given: MissedSearchParameters,
  pace: RequestPace,
): Promise<MissedSearchList> {
  const { state = 'open', days = MISSED_SEARCH_DAYS_DEFAULT } = given
  const { limit = MISSED_SEARCHES_DEFAULT, page = 1 } = given
  const start = (page - 1) * limit
  const period = periodOf(ports, days)
  // Enough for the page even if every decision is among them.
  const rowsMax = start + limit + MISSED_DECISIONS_MAX
  const counts = await countMissed(ports, storeId, { ...period, limit: rowsMax })
  const resources = ports.resources.of(storeId)
  const open = counts.rows.filter(({ query }) => decisionOf(resources, query) === undefined)
  const decisions = missedDecisions(resources)
  const one = given.query === undefined ? undefined : shownQueryOf(given.query)
  const listed: readonly Listed[] =
    one !== undefined
      ? [await listedQuery(ports, storeId, one, days)]
      : state === 'open'
        ? open.map((row) => ({ query: row.query, row, decision: undefined }))
        : decisions
            .filter((one) => one.state === state)
            .map((decision) => ({ query: decision.query, row: decision.row, decision }))
  const shown = one === undefined ? listed.slice(start, start + limit) : listed
  const finds = await findsNow(
    ports,
    storeId,
    shown.map(({ query }) => query),
    pace,
  )
  const inState = (wanted: MissedDecision['state']): number =>
    decisions.filter((one) => one.state === wanted).length
  return {
    from: new Date(period.fromMs).toISOString(),
    to: new Date(period.toMs).toISOString(),
    counts: {
      open: counts.totals.queries - (counts.rows.length - open.length),
      fixed: inState('fixed'),
      dismissed: inState('dismissed'),
    },
    searches: shown.map((one, i) => presented(one, finds[i] ?? null)),
    reports_clicks: counts.reportsClicks,
  }
}

interface Listed {
  readonly query: string
  readonly row: MissedSearchRow | undefined
  readonly decision: MissedDecision | undefined
}

async function listedQuery(
  ports: MissedPorts,
  storeId: string,
  query: string,
  days: number,
): Promise<Listed> {
  const decision = decisionOf(ports.resources.of(storeId), query)
  const row = decision?.row ?? (await missedRow(ports, storeId, query, days))
  return { query, row, decision }
}

/** What reports say of one query; undefined if it is not missed. */
export async function missedRow(
  ports: MissedPorts,
  storeId: string,
  query: string,
  days = MISSED_SEARCH_DAYS_DEFAULT,
): Promise<MissedSearchRow | undefined> {
  const only = { ...periodOf(ports, days), onlyQuery: query, limit: 1 }
  return (await countMissed(ports, storeId, only)).rows[0]
}

/** How many products each query finds; null for those that time ran out for. */
export async function findsNow(
  ports: SearchPorts,
  storeId: string,
  queries: readonly string[],
  pace: RequestPace,
): Promise<(number | null)[]> {
  const own = ownTime(pace)
  const trial = { nowMs: ports.clock.now() }
  const finds: (number | null)[] = []
  for (const q of queries) {
    await own.rest()
    if (hasEnded(own)) break
    const parameters = { q, per_page: 0, group_by: [], analytics: false }
    const { found, cutoff } = await search(ports, storeId, parameters, own, trial)
    finds.push(cutoff ? null : found)
  }
  return finds
}

/** The time of the searches of a request, which begins after its reports were counted. */
export function ownTime(pace: RequestPace): RequestPace {
  const { timeoutDefaultMs = 0 } = pace
  const timeoutMaxMs = Math.max(MISSED_SEARCHES_MAX_MS, timeoutDefaultMs)
  return { ...pace, startMs: performance.now(), timeoutMaxMs }
}

export function hasEnded({ startMs, timeoutMaxMs }: RequestPace): boolean {
  return performance.now() - startMs >= timeoutMaxMs
}

function periodOf(
  { clock }: Pick<ServicePorts, 'clock'>,
  days: number,
): { readonly fromMs: number; readonly toMs: number } {
  const toMs = clock.now()
  return { fromMs: toMs - days * DAY_MS, toMs }
}

async function countMissed(
  ports: MissedPorts,
  storeId: string,
  asked: Pick<ReportQuery, 'fromMs' | 'toMs' | 'limit' | 'onlyQuery'>,
): Promise<CountsByReport['missed-searches']> {
  const counts = await ports.reports.count(ownerOf(ports, storeId), {
    report: 'missed-searches',
    tags: [],
    needsAllTags: false,
    interval: 'day',
    orderBy: 'clicks',
    ...asked,
  })
  return counts as CountsByReport['missed-searches']
}

function presented({ query, row, decision }: Listed, finds: number | null): MissedSearch {
  const { decidedBy, mend } = decision ?? {}
  const changed = changedBy(decision?.place)
  return {
    query,
    state: decision?.state ?? 'open',
    etag: stateTag(query, decision),
    reason: row === undefined || row.findsNothing ? 'no_results' : 'no_clicks',
    visitors_lost: row?.visitorsLost ?? 0,
    visitors: row?.visitors ?? 0,
    searches: row?.searches ?? 0,
    no_result_searches: row?.noResultSearches ?? 0,
    typed_next: (row?.next ?? []).map((one) => ({
      query: one.query,
      visitors: one.visitors,
      visitors_clicked: one.visitorsClicked,
    })),
    documents: [...(row?.documentIds ?? [])],
    finds,
    ...(decision === undefined ? {} : { decided_at: decision.decidedAt }),
    ...(decidedBy === undefined ? {} : { decided_by: decidedBy }),
    ...(mend === undefined ? {} : { mend }),
    ...(changed === undefined ? {} : { changed }),
  }
}
