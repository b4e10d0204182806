import { isSearchClick } from './activity.ts'
import { compareText, type Facts } from './naive-facts.ts'
import { queryOf, sessionOf, type Search } from './naive-searches.ts'
import type { CountsByReport, TrialCounts } from './report-counts.ts'

interface View extends Pick<Facts, 'activities' | 'acts'> {
  readonly searches: readonly Search[]
}

/**
 * Counts which ranking visitors chose during a popularity trial: docs/popularity.md. It ignores a
 * document that both rankings showed to one session for one query.
 */
export function naiveTrial(
  { searches, activities, acts }: View,
  limit: number,
): Pick<CountsByReport['popularity-trial'], 'totals' | 'rows'> {
  const trials = new Map(activities.map(({ position, trial }) => [position, trial]))
  const unitOf = (search: Search): string =>
    JSON.stringify([sessionOf(search.visitor), queryOf(search)])
  const units = [...Map.groupBy(searches, unitOf).values()].flatMap((group) => {
    const shown = group.map(({ key }) => trials.get(key)!)
    const popular = new Set(shown.flatMap((trial) => trial.popular))
    const plain = new Set(shown.flatMap((trial) => trial.plain))
    const own = popular.symmetricDifference(plain)
    if (own.size === 0) return []
    const keys = new Set(group.map(({ key }) => key))
    const clicked = new Set(
      acts.flatMap((act) =>
        isSearchClick(act) && act.search !== undefined && keys.has(act.search.key)
          ? (act.documentId ?? [])
          : [],
      ),
    )
    const chosen = clicked.intersection(own)
    const difference = chosen.intersection(popular).size - chosen.intersection(plain).size
    const [first] = group as [Search]
    return [
      {
        session: sessionOf(first.visitor),
        query: queryOf(first),
        outcome: chosen.size === 0 ? 'none' : OUTCOMES[Math.sign(difference) + 1]!,
      },
    ]
  })
  const counted = (some: typeof units): TrialCounts => {
    const count = (outcome: string): number => some.filter((one) => one.outcome === outcome).length
    return {
      sessions: new Set(some.map(({ session }) => session)).size,
      wins: count('win'),
      losses: count('loss'),
      ties: count('tie'),
    }
  }
  return {
    totals: counted(units),
    rows: [...Map.groupBy(units, ({ query }) => query)]
      .map(([query, some]) => ({ query, ...counted(some) }))
      .toSorted((a, b) => b.sessions - a.sessions || compareText(a.query, b.query))
      .slice(0, limit),
  }
}

const OUTCOMES = ['loss', 'tie', 'win'] as const
