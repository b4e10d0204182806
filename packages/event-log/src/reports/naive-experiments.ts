import type { ExperimentFacts } from '../model/event-facts.ts'
import type { Visitor } from '../model/visitor-event.ts'
import { isSearchClick } from './activity.ts'
import { compareText, type Act, type Facts } from './naive-facts.ts'
import type { Search } from './naive-searches.ts'
import type { CountsByReport, ExperimentRow, ReportQuery } from './report-counts.ts'

interface View extends Pick<Facts, 'activities' | 'acts'> {
  readonly searches: readonly Search[]
  readonly query: Pick<ReportQuery, 'limit'>
}

interface ArmSearch {
  readonly experiment: ExperimentFacts
  readonly visitor: string
  readonly acts: readonly Act[]
}

/** Millionths in a hundredth: squares of hundredths still fit a double exactly. */
const MICROS_PER_CENT = 10_000

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
export function naiveExperiments({
  searches,
  activities,
  acts,
  query,
}: View): Pick<CountsByReport['experiments'], 'totals' | 'rows'> {
  const experiments = new Map(activities.map((one) => [one.position, one.experiment]))
  const bySearch = Map.groupBy(acts, ({ search }) => search?.key)
  const own = searches.flatMap(({ key, visitor }): ArmSearch[] => {
    const experiment = experiments.get(key)
    if (experiment === undefined) return []
    return [{ experiment, visitor: experimentVisitor(visitor), acts: bySearch.get(key) ?? [] }]
  })
  const groups = Map.groupBy(own, ({ experiment: { id, arm } }) => JSON.stringify([id, arm]))
  return {
    totals: { searches: searches.length, experimentSearches: own.length },
    rows: [...groups.values()]
      .map(countArm)
      .toSorted(
        (a, b) =>
          b.searches - a.searches ||
          compareText(a.experimentId, b.experimentId) ||
          compareText(a.arm, b.arm),
      )
      .slice(0, query.limit),
  }
}

function countArm(searches: readonly ArmSearch[]): ExperimentRow {
  const { id, arm } = searches[0]!.experiment
  const visitors = [...Map.groupBy(searches, ({ visitor }) => visitor).values()]
  const count = (isIt: (searches: readonly ArmSearch[]) => boolean): number =>
    visitors.filter(isIt).length
  const visitorsWho = (did: (act: Act) => boolean): number =>
    count((own) => own.some(({ acts }) => acts.some(did)))
  const sales = searches.flatMap(({ acts }) => acts.filter(isSale))
  const currencies = [
    ...new Set(sales.flatMap((act) => (act.amount === undefined ? [] : (act.currency ?? '')))),
  ].toSorted(compareText)
  const revenues = visitors.map((own) =>
    sum(own.flatMap(({ acts }) => acts.filter(isSale).map(({ amount = 0 }) => amount))),
  )
  const leads = visitors.flatMap((own) => {
    const votes = arm === 'interleaved' ? own.flatMap(votesOf) : []
    return votes.length === 0 ? [] : [Math.sign(sum(votes))]
  })
  return {
    experimentId: id,
    arm,
    visitors: visitors.length,
    searches: searches.length,
    clickedVisitors: visitorsWho(isSearchClick),
    addedVisitors: visitorsWho(({ kind }) => kind === 'add' || kind === 'conversion'),
    orderedVisitors: visitorsWho(isSale),
    revenue: sum(revenues),
    revenueSquares: sum(revenues.map((one) => Math.floor(one / MICROS_PER_CENT) ** 2)),
    currency: currencies[0] ?? null,
    currencies: currencies.length,
    wins: leads.filter((lead) => lead > 0).length,
    losses: leads.filter((lead) => lead < 0).length,
    ties: leads.filter((lead) => lead === 0).length,
  }
}

/** 1 for each clicked document that the draft placed, -1 for each that the live order placed. */
function votesOf({ experiment: { live, draft }, acts }: ArmSearch): number[] {
  const clicked = new Set(acts.filter(isSearchClick).flatMap(({ documentId }) => documentId ?? []))
  return [...clicked].flatMap((id) => [
    ...(draft.includes(id) ? [1] : []),
    ...(live.includes(id) ? [-1] : []),
  ])
}

function isSale({ kind }: Act): boolean {
  return kind === 'purchase' || kind === 'order'
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
