import { EVENT_VERDICTS, type EventVerdict, type ReportName } from '@aisle/contract'
import { isConverting, isSearchClick, shownQuery } from './activity.ts'
import {
  compareText,
  hasTags,
  isAbout,
  keysOf,
  naiveFacts,
  type Act,
  type Facts,
  type LogPlace,
} from './naive-facts.ts'
import { naiveJudgments } from './naive-judgments.ts'
import { latencyOf } from './naive-latency.ts'
import { naiveUses } from './naive-uses.ts'
import { naiveExperiments, naiveTrial } from './naive-experiments.ts'
import { currencyOf, moneyOf } from './naive-money.ts'
import { naiveMissedSearches } from './naive-missed-searches.ts'
import { naiveReformulations } from './naive-reformulations.ts'
import { queryOf, sessionOf, type Placed, type Search } from './naive-searches.ts'
import {
  FUNNEL_STEPS,
  intervalStart,
  type CountsByReport,
  type FunnelRow,
  type ReportCounts,
  type ReportQuery,
  type SaleRow,
  type SearchCounts,
} from './report-counts.ts'

/** An action this long before the period may still belong to a search in it, as clocks differ. */
export const EARLY_ACTION_MS = 3_600_000

/**
 * Reports in the plainest code, over the whole log: the definition of what they count
 * (docs/analytics.md in words). Tests compare the fast reports with it.
 */
export function naiveReport(log: readonly LogPlace[], query: ReportQuery): ReportCounts {
  const facts = naiveFacts(log)
  const isInside = ({ atMs }: { readonly atMs: number }): boolean =>
    atMs >= query.fromMs && atMs < query.toMs
  const inPeriod = facts.acts.filter(isInside)
  const view: View = {
    ...facts,
    facts,
    query,
    isInside,
    searches: facts.searches.filter(
      (one) => isInside(one) && hasTags(query, one.tags) && isAbout(query, one.query),
    ),
    acts: facts.acts.filter(
      (act) =>
        act.atMs >= query.fromMs - EARLY_ACTION_MS &&
        isAbout(query, act.ofQuery) &&
        (hasTags(query, act.tags) || hasTags(query, act.search?.tags ?? [])),
    ),
    reportsClicks: inPeriod.some(isSearchClick),
    reportsConversions: inPeriod.some(({ kind }) => isConverting(kind)),
    reportsAdds: inPeriod.some(({ kind }) => kind === 'add' || kind === 'conversion'),
    reportsOrders: inPeriod.some(({ kind }) => kind === 'purchase' || kind === 'order'),
  }
  const { reportsClicks, reportsConversions } = view
  return { reportsClicks, reportsConversions, ...REPORTS[query.report](view) } as ReportCounts
}

interface View extends Facts {
  /** Facts of the whole log, without the filters of the request. */
  readonly facts: Facts
  readonly query: ReportQuery
  readonly isInside: (one: { readonly atMs: number }) => boolean
  readonly reportsClicks: boolean
  readonly reportsConversions: boolean
  readonly reportsAdds: boolean
  readonly reportsOrders: boolean
}

type Maker<Name extends ReportName> = (
  view: View,
) => Omit<CountsByReport[Name], 'reportsClicks' | 'reportsConversions'>

const REPORTS: { readonly [Name in ReportName]: Maker<Name> } = {
  overview(view) {
    const { searches, acts, query, isInside } = view
    const startOf = ({ atMs }: { readonly atMs: number }): number =>
      intervalStart(atMs, query.interval)
    const inside = acts.filter(isInside)
    const starts = new Set([...searches, ...inside].map(startOf))
    return {
      totals: searchCounts(view, searches, inside),
      rows: [...starts]
        .toSorted((a, b) => a - b)
        .map((startMs) => {
          const isHere = (one: { readonly atMs: number }): boolean => startOf(one) === startMs
          return { startMs, ...searchCounts(view, searches.filter(isHere), inside.filter(isHere)) }
        }),
    }
  },

  'top-queries'(view) {
    const byQuery = Map.groupBy(view.searches, queryOf)
    const inside = view.acts.filter(view.isInside)
    const rows = [...byQuery].map(([query, searches]) => {
      const acts = inside.filter(
        ({ ofQuery }) => ofQuery !== undefined && shownQuery(ofQuery) === query,
      )
      return { query, ...searchCounts(view, searches, acts) }
    })
    return {
      totals: { queries: rows.length, searches: view.searches.length },
      rows: top(
        view,
        rows,
        ({ searches }) => searches,
        ({ query }) => query,
      ),
    }
  },

  'no-results': (view) =>
    queries(
      view,
      view.searches.filter(({ found }) => found === 0),
    ),

  'no-clicks'(view) {
    const clicked = keysOf(view.acts.filter(isSearchClick))
    const without = view.searches.filter(({ key, found }) => found !== 0 && !clicked.has(key))
    return queries(view, view.reportsClicks ? without : [])
  },

  clicks(view) {
    const clicks = view.acts.filter(view.isInside).filter(isSearchClick)
    const ranks = clicks.flatMap(({ rank }) => rank ?? [])
    const rows = [...Map.groupBy(ranks, (rank) => rank)].map(([position, ofRank]) => ({
      position,
      clicks: ofRank.length,
    }))
    return {
      totals: { clicks: clicks.length, rankedClicks: ranks.length, rankSum: sum(ranks) },
      rows: rows.toSorted((a, b) => a.position - b.position).slice(0, view.query.limit),
    }
  },

  conversions: (view) => sales(view, ({ conversions }) => conversions, true),
  revenue: (view) => sales(view, ({ revenue }) => revenue ?? -Infinity, false),

  funnel(view) {
    const { reportsClicks, reportsAdds, reportsOrders } = view
    const reached = [
      () => true,
      isSearchClick,
      ({ kind }: Act) => kind === 'add' || kind === 'conversion',
      ({ kind }: Act) => kind === 'purchase' || kind === 'order',
    ].map((isStep) => keysOf(view.acts.filter(isStep)))
    const reported = [true, reportsClicks, reportsAdds, reportsOrders]
    const rows = FUNNEL_STEPS.map((step, i): FunnelRow => {
      const later = reached.slice(i)
      const journeys = view.searches.filter(
        ({ key }) => i === 0 || later.some((keys) => keys.has(key)),
      ).length
      return { step, journeys, isReported: reported.slice(i).includes(true) }
    })
    return { totals: { journeys: view.searches.length }, rows }
  },

  'top-documents'(view) {
    const { activities, query, isInside, searchOf } = view
    const shown = new Map<string, Set<string | number>>()
    for (const one of activities) {
      if (one.kind !== 'shown' || !isInside(one)) continue
      const search = searchOf(one)
      if (!hasTags(query, one.tags) && !hasTags(query, search?.tags ?? [])) continue
      if (!isAbout(query, search?.query)) continue
      for (const id of one.shown) {
        shown.set(id, (shown.get(id) ?? new Set()).add(one.searchId ?? one.position))
      }
    }
    const acts = view.acts.filter(isInside)
    const clicks = acts.filter((act) => isSearchClick(act) && act.documentId !== undefined)
    const converting = acts.filter(({ kind }) => isConverting(kind))
    const ids = new Set([
      ...shown.keys(),
      ...clicks.flatMap(({ documentId }) => documentId ?? []),
      ...converting.flatMap(({ items }) => items.flatMap(({ documentId }) => documentId ?? [])),
    ])
    const rows = [...ids].map((documentId) => {
      const ofDocument = converting.filter(({ items }) =>
        items.some((item) => item.documentId === documentId),
      )
      return {
        documentId,
        impressions: shown.get(documentId)?.size ?? 0,
        clicks: clicks.filter((click) => click.documentId === documentId).length,
        conversions: ofDocument.length,
        revenue: moneyOf(ofDocument, (act) =>
          act.items.filter((item) => item.documentId === documentId),
        ),
      }
    })
    const figure = (row: (typeof rows)[number]): number =>
      query.orderBy === 'revenue'
        ? sum(row.revenue.map(({ amount }) => amount))
        : row[query.orderBy]
    return {
      totals: {
        documents: rows.length,
        impressions: sum(rows.map(({ impressions }) => impressions)),
        clicks: clicks.length,
        conversions: converting.length,
        revenue: moneyOf(converting, ({ items }) => items),
      },
      rows: top(view, rows, figure, ({ documentId }) => documentId),
    }
  },

  events({ activities, tallies, query }) {
    const isReceived = ({ receivedMs }: { readonly receivedMs: number }): boolean =>
      receivedMs >= query.fromMs && receivedMs < query.toMs
    const accepted = activities
      .filter((one) => one.source !== 'server' && isReceived(one) && hasTags(query, one.tags))
      .map(({ name }) => ({ name, verdict: 'accepted' as EventVerdict, count: 1 }))
    const refused = query.tags.length > 0 ? [] : tallies.filter(isReceived)
    const all = [...accepted, ...refused]
    const rows = [
      ...Map.groupBy(all, ({ name, verdict }) => JSON.stringify([verdict, name])).values(),
    ].map((group) => ({
      event: group[0]!.name,
      verdict: group[0]!.verdict,
      count: sum(group.map(({ count }) => count)),
    }))
    const total = (verdict: EventVerdict): number =>
      sum(rows.filter((row) => row.verdict === verdict).map(({ count }) => count))
    return {
      totals: Object.fromEntries(
        EVENT_VERDICTS.map((verdict) => [verdict, total(verdict)]),
      ) as Record<EventVerdict, number>,
      rows: rows
        .toSorted(
          (a, b) =>
            b.count - a.count || compareText(a.event, b.event) || compareText(a.verdict, b.verdict),
        )
        .slice(0, query.limit),
    }
  },

  filters(view) {
    const { activities, query, isInside, searchOf, personOf } = view
    const uses = activities.filter(isInside).flatMap((one) => {
      const search = one.filters.length === 0 ? undefined : searchOf(one)
      if (search === undefined) return []
      if (!hasTags(query, one.tags) && !hasTags(query, search.tags)) return []
      if (!isAbout(query, search.query)) return []
      return one.filters.map((filter) => ({ ...filter, search }))
    })
    const groups = Map.groupBy(uses, ({ field, value }) => JSON.stringify([field, value]))
    const clicked = keysOf(view.acts.filter(isSearchClick))
    const converting = view.acts.filter(({ kind }) => isConverting(kind))
    const converted = keysOf(converting)
    const rows = [...groups.values()].map((group) => {
      const [{ field, value }] = group as [(typeof group)[number]]
      const keys = new Set(group.map(({ search }) => search.key))
      const sales = converting.filter(({ search }) => search !== undefined && keys.has(search.key))
      return {
        field,
        value,
        searches: keys.size,
        users: distinct(group.flatMap(({ search }) => personOf(search.visitor) ?? [])),
        clickedSearches: keys.intersection(clicked).size,
        convertedSearches: keys.intersection(converted).size,
        revenue: moneyOf(sales, ({ amount }) => [{ amount }]),
      }
    })
    return {
      totals: {
        searches: view.searches.length,
        filteredSearches: distinct(uses.map(({ search }) => search.key)),
      },
      rows: top(
        view,
        rows,
        ({ searches }) => searches,
        ({ field, value }) => `${field}\0${value}`,
      ),
    }
  },

  rules: (view) => naiveUses(view, ({ rules }) => rules),
  presets: (view) => naiveUses(view, ({ preset }) => (preset === undefined ? [] : [preset])),

  judgments: ({ searches, acts, query }) =>
    naiveJudgments(searches, acts.filter(isSearchClick), query.limit),

  experiments: naiveExperiments,
  'popularity-trial': naiveTrial,

  reformulations: ({ facts, query, isInside }) =>
    naiveReformulations(facts, query, isInside, query.fromMs - EARLY_ACTION_MS),

  'missed-searches': ({ facts, query, isInside, reportsClicks }) =>
    naiveMissedSearches(facts, query, isInside, query.fromMs - EARLY_ACTION_MS, reportsClicks),

  latency({ activities, query, isInside }) {
    const timed = activities.filter(
      (one) =>
        one.tookMs !== undefined &&
        isInside(one) &&
        hasTags(query, one.tags) &&
        isAbout(query, one.query),
    )
    const byStart = Map.groupBy(timed, ({ atMs }) => intervalStart(atMs, query.interval))
    return {
      totals: latencyOf(timed),
      rows: [...byStart]
        .toSorted(([a], [b]) => a - b)
        .map(([startMs, ofInterval]) => ({ startMs, ...latencyOf(ofInterval) })),
    }
  },
}

/** @param inside actions in the period */
function searchCounts(
  { acts, personOf }: View,
  searches: readonly Search[],
  inside: readonly Act[],
): SearchCounts {
  const counted = searches.flatMap(({ found }) => found ?? [])
  const clicked = keysOf(acts.filter(isSearchClick))
  const converted = keysOf(acts.filter(({ kind }) => isConverting(kind)))
  const clicks = inside.filter(isSearchClick)
  const ranks = clicks.flatMap(({ rank }) => rank ?? [])
  const fromSearch = inside.filter(
    ({ kind, ofQuery }) => isConverting(kind) && ofQuery !== undefined,
  )
  return {
    searches: searches.length,
    users: distinct(searches.flatMap(({ visitor }) => personOf(visitor) ?? [])),
    sessions: distinct(searches.map(({ visitor }) => sessionOf(visitor))),
    countedSearches: counted.length,
    foundSum: sum(counted),
    noResultSearches: counted.filter((found) => found === 0).length,
    clickedSearches: searches.filter(({ key }) => clicked.has(key)).length,
    convertedSearches: searches.filter(({ key }) => converted.has(key)).length,
    clicks: clicks.length,
    rankedClicks: ranks.length,
    rankSum: sum(ranks),
    conversions: fromSearch.length,
    orders: distinct(fromSearch.flatMap(orderKey)),
    revenue: moneyOf(fromSearch, ({ amount }) => [{ amount }]),
  }
}

function queries(view: View, searches: readonly Search[]): ReturnType<Maker<'no-results'>> {
  const rows = [...Map.groupBy(searches, queryOf)].map(([query, group]) => ({
    query,
    searches: group.length,
    users: distinct(group.flatMap(({ visitor }) => view.personOf(visitor) ?? [])),
  }))
  return {
    totals: { queries: rows.length, searches: searches.length },
    rows: top(
      view,
      rows,
      (row) => row.searches,
      ({ query }) => query,
    ),
  }
}

function sales(
  view: View,
  figure: (row: SaleRow) => number,
  byDocument: boolean,
): ReturnType<Maker<'conversions'>> {
  const converting = view.acts.filter(view.isInside).filter(({ kind }) => isConverting(kind))
  const items = converting.flatMap((act) => {
    const query = act.ofQuery === undefined ? null : shownQuery(act.ofQuery)
    const currency = currencyOf(act)
    if (!byDocument) return [{ act, query, documentId: null, currency, amount: act.amount }]
    return act.items.map(({ documentId = null, amount }) => ({
      act,
      query,
      documentId,
      currency,
      amount,
    }))
  })
  const keyOf = ({ query, documentId, currency }: (typeof items)[number]): string =>
    JSON.stringify([query, documentId, currency])
  const rows = [...Map.groupBy(items, keyOf).values()].map((group): SaleRow => {
    const [{ query, documentId, currency }] = group as [(typeof group)[number]]
    const amounts = group.flatMap(({ amount }) => amount ?? [])
    return {
      query,
      documentId,
      conversions: distinct(group.map(({ act }) => act.position)),
      orders: distinct(group.flatMap(({ act }) => orderKey(act))),
      revenue: amounts.length === 0 ? null : sum(amounts),
      currency,
    }
  })
  const name = ({ query, documentId, currency }: SaleRow): string =>
    [query, documentId, currency].map((text) => text ?? '\u{10FFFF}').join('\0')
  return {
    totals: {
      conversions: converting.length,
      orders: distinct(converting.flatMap(orderKey)),
      revenue: moneyOf(converting, ({ amount }) => [{ amount }]),
    },
    rows: top(view, rows, figure, name),
  }
}

function orderKey({ kind, orderId, position }: Placed): (string | number)[] {
  return kind === 'purchase' || kind === 'order' ? [orderId ?? position] : []
}

function top<Row>(
  { query }: View,
  rows: readonly Row[],
  figure: (row: Row) => number,
  name: (row: Row) => string,
): Row[] {
  return rows
    .toSorted((a, b) => figure(b) - figure(a) || compareText(name(a), name(b)))
    .slice(0, query.limit)
}

function distinct(values: readonly (string | number)[]): number {
  return new Set(values).size
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
