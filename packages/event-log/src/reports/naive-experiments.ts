import { EXPERIMENT_REPORT_TAGS_MAX, POPULARITY_TRIAL_ID } from '@aisle/contract'
import type { ExperimentFacts } from '../model/event-facts.ts'
import type { Visitor } from '../model/visitor-event.ts'
import { isSearchClick } from './activity.ts'
import { compareText, type Act, type Facts } from './naive-facts.ts'
import { queryOf, type Search } from './naive-searches.ts'
import type {
  ArmCounts,
  CountsByReport,
  ExperimentDay,
  ExperimentRow,
  ExperimentTagRow,
  ReportQuery,
  TrialCounts,
} from './report-counts.ts'

interface View extends Pick<Facts, 'activities' | 'acts'> {
  readonly searches: readonly Search[]
  readonly query: Pick<ReportQuery, 'limit' | 'toMs' | 'experimentId' | 'tagPrefix'>
}

interface ArmSearch {
  readonly experiment: ExperimentFacts
  readonly atMs: number
  /** As shown. */
  readonly query: string
  readonly tags: readonly string[]
  readonly visitor: string
  readonly acts: readonly Act[]
}

/** Millionths in a hundredth: squares of hundredths still fit a double exactly. */
const MICROS_PER_CENT = 10_000
const DAY_MS = 86_400_000

/**
 * Who is assigned to an arm, and counted: an anonymous id, else a user id, else a session id, else
 * the client of the day.
 */
export function experimentVisitor({ anonymousId, userId, sessionId, client }: Visitor): string {
  if (anonymousId !== undefined) return `a${anonymousId}`
  if (userId !== undefined) return `u${userId}`
  return sessionId === undefined ? `c${client ?? ''}` : `s${sessionId}`
}

/** Counts what the visitors of each arm did: docs/experiments.md. */
export function naiveExperiments(
  view: View,
): Pick<CountsByReport['experiments'], 'totals' | 'rows' | 'days' | 'byTag'> {
  const { searches, query } = view
  const { experimentId: only } = query
  const own = armSearches(view).filter(
    ({ experiment: { id } }) => only === undefined || id === only,
  )
  const groups = Map.groupBy(own, ({ experiment: { id, arm } }) => JSON.stringify([id, arm]))
  return {
    totals: { searches: searches.length, experimentSearches: own.length },
    rows: [...groups.values()]
      .map((group) => ({
        experimentId: group[0]!.experiment.id,
        arm: group[0]!.experiment.arm,
        ...countArm(group),
        ...currenciesOf(group),
      }))
      .toSorted(
        (a, b) =>
          b.searches - a.searches ||
          compareText(a.experimentId, b.experimentId) ||
          compareText(a.arm, b.arm),
      )
      .slice(0, query.limit),
    days:
      only === undefined
        ? []
        : [...groups.values()]
            .flatMap((group) => daysOf(group, query.toMs))
            .toSorted((a, b) => compareText(a.arm, b.arm) || a.startMs - b.startMs),
    byTag: only === undefined || query.tagPrefix === undefined ? [] : tagRows(own, query.tagPrefix),
  }
}

/** Counts which order visitors chose during a popularity trial: docs/popularity.md. */
export function naiveTrial(
  view: View,
): Pick<CountsByReport['popularity-trial'], 'totals' | 'rows'> {
  const own = armSearches(view).filter(
    ({ experiment: { id, live, draft } }) =>
      id === POPULARITY_TRIAL_ID && live.length + draft.length > 0,
  )
  const counted = (some: readonly ArmSearch[]): TrialCounts => {
    const { visitors: sessions, wins, losses, ties } = countArm(some)
    return { sessions, wins, losses, ties }
  }
  return {
    totals: counted(own),
    rows: [...Map.groupBy(own, ({ query }) => query)]
      .map(([query, some]) => ({ query, ...counted(some) }))
      .toSorted((a, b) => b.sessions - a.sessions || compareText(a.query, b.query))
      .slice(0, view.query.limit),
  }
}

function armSearches({ searches, activities, acts }: View): ArmSearch[] {
  const experiments = new Map(activities.map((one) => [one.position, one.experiment]))
  const bySearch = Map.groupBy(acts, ({ search }) => search?.key)
  return searches.flatMap((search): ArmSearch[] => {
    const experiment = experiments.get(search.key)
    if (experiment === undefined) return []
    const { key, atMs, tags, visitor } = search
    return [
      {
        experiment,
        atMs,
        query: queryOf(search),
        tags,
        visitor: experimentVisitor(visitor),
        acts: bySearch.get(key) ?? [],
      },
    ]
  })
}

/** Each arm by tag: a search with several tags counts for each of them. */
function tagRows(searches: readonly ArmSearch[], prefix: string): ExperimentTagRow[] {
  const tags = new Set(searches.flatMap((one) => one.tags))
  tags.delete('')
  return [...tags]
    .filter((tag) => tag.startsWith(prefix))
    .map((tag) => ({ tag, own: searches.filter((one) => one.tags.includes(tag)) }))
    .toSorted((a, b) => b.own.length - a.own.length || compareText(a.tag, b.tag))
    .slice(0, EXPERIMENT_REPORT_TAGS_MAX)
    .flatMap(({ tag, own }) =>
      [...Map.groupBy(own, ({ experiment: { arm } }) => arm)]
        .map(([arm, some]) => ({ tag, arm, ...countArm(some), ...currenciesOf(some) }))
        .toSorted((a, b) => compareText(a.arm, b.arm)),
    )
}

/** As it was counted at the end of each day; what follows the last day counts on that. */
function daysOf(searches: readonly ArmSearch[], toMs: number): ExperimentDay[] {
  const dayOf = (ms: number): number => DAY_MS * Math.floor(Math.min(ms, toMs - 1) / DAY_MS)
  const dayOfAct = (search: ArmSearch, { atMs }: Act): number => dayOf(Math.max(search.atMs, atMs))
  const days = new Set(
    searches.flatMap((search) => [
      dayOf(search.atMs),
      ...search.acts
        .filter((act) => isSearchClick(act) || isAdd(act) || isSale(act))
        .map((act) => dayOfAct(search, act)),
    ]),
  )
  return [...days].map((startMs) => {
    const soFar = searches
      .filter(({ atMs }) => dayOf(atMs) <= startMs)
      .map((search) => ({
        ...search,
        acts: search.acts.filter((act) => dayOfAct(search, act) <= startMs),
      }))
    return { arm: searches[0]!.experiment.arm, startMs, ...countArm(soFar) }
  })
}

function countArm(searches: readonly ArmSearch[]): ArmCounts {
  const visitors = [...Map.groupBy(searches, ({ visitor }) => visitor).values()]
  const visitorsWho = (did: (act: Act) => boolean): number =>
    visitors.filter((own) => own.some(({ acts }) => acts.some(did))).length
  const revenues = visitors.map((own) =>
    sum(own.flatMap(({ acts }) => acts.filter(isSale).map(({ amount = 0 }) => amount))),
  )
  const leads = visitors.flatMap((own) => {
    const votes = own.flatMap(votesOf)
    return votes.length === 0 ? [] : [Math.sign(sum(votes))]
  })
  return {
    visitors: visitors.length,
    searches: searches.length,
    clickedVisitors: visitorsWho(isSearchClick),
    addedVisitors: visitorsWho(isAdd),
    orderedVisitors: visitorsWho(isSale),
    revenue: sum(revenues),
    revenueSquares: sum(revenues.map((one) => Math.floor(one / MICROS_PER_CENT) ** 2)),
    wins: leads.filter((lead) => lead > 0).length,
    losses: leads.filter((lead) => lead < 0).length,
    ties: leads.filter((lead) => lead === 0).length,
  }
}

function currenciesOf(
  searches: readonly ArmSearch[],
): Pick<ExperimentRow, 'currency' | 'currencies'> {
  const sales = searches.flatMap(({ acts }) => acts.filter(isSale))
  const currencies = [
    ...new Set(sales.flatMap((act) => (act.amount === undefined ? [] : (act.currency ?? '')))),
  ].toSorted(compareText)
  return { currency: currencies[0] ?? null, currencies: currencies.length }
}

/** 1 for each clicked document that the draft placed, -1 for each that the live order placed. */
function votesOf({ experiment: { arm, live, draft }, acts }: ArmSearch): number[] {
  if (arm !== 'interleaved') return []
  const clicked = new Set(acts.filter(isSearchClick).flatMap(({ documentId }) => documentId ?? []))
  return [...clicked].flatMap((id) => [
    ...(draft.includes(id) ? [1] : []),
    ...(live.includes(id) ? [-1] : []),
  ])
}

function isAdd({ kind }: Act): boolean {
  return kind === 'add' || kind === 'conversion'
}

function isSale({ kind }: Act): boolean {
  return kind === 'purchase' || kind === 'order'
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
