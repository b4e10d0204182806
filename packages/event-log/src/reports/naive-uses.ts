import { isConverting, isSearchClick, type Activity } from './activity.ts'
import { compareText, keysOf, type Facts } from './naive-facts.ts'
import type { Search } from './naive-searches.ts'
import type { ReportQuery, UseCounts, UseRow } from './report-counts.ts'

interface View extends Pick<Facts, 'activities' | 'acts' | 'personOf'> {
  readonly searches: readonly Search[]
  readonly query: Pick<ReportQuery, 'limit'>
}

/**
 * Searches by the rules that applied to them, or by their presets, according to the service's
 * record of each search.
 */
export function naiveUses(
  { searches, activities, acts, personOf, query }: View,
  namesOf: (activity: Activity) => readonly string[],
): { readonly totals: UseCounts; readonly rows: readonly UseRow[] } {
  const names = new Map(activities.map((one) => [one.position, namesOf(one)]))
  const uses = searches.flatMap((search) =>
    (names.get(search.key) ?? []).map((name) => ({ name, search })),
  )
  const clicked = keysOf(acts.filter(isSearchClick))
  const converted = keysOf(acts.filter(({ kind }) => isConverting(kind)))
  const rows = [...Map.groupBy(uses, ({ name }) => name)].map(([name, group]): UseRow => {
    const found = group.flatMap(({ search }) => search.found ?? [])
    const keys = group.map(({ search }) => search.key)
    return {
      name,
      searches: group.length,
      users: new Set(group.flatMap(({ search }) => personOf(search.visitor) ?? [])).size,
      countedSearches: found.length,
      noResultSearches: found.filter((one) => one === 0).length,
      clickedSearches: keys.filter((key) => clicked.has(key)).length,
      convertedSearches: keys.filter((key) => converted.has(key)).length,
      lastMs: Math.max(...group.map(({ search }) => search.atMs)),
    }
  })
  return {
    totals: {
      searches: searches.length,
      usedSearches: new Set(uses.map(({ search }) => search.key)).size,
    },
    rows: rows
      .toSorted((a, b) => b.searches - a.searches || compareText(a.name, b.name))
      .slice(0, query.limit),
  }
}
