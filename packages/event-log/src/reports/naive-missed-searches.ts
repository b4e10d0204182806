import { isSearchClick } from './activity.ts'
import { compareText, hasTags, isAbout, keysOf, type Facts } from './naive-facts.ts'
import { EXAMPLES_MAX, REFORMULATION_MS } from './naive-reformulations.ts'
import { queryOf, sessionOf, type Search } from './naive-searches.ts'
import type { CountsByReport, MissedSearchRow, ReportQuery } from './report-counts.ts'

/** A query is missed if at most one in this many visitors clicked a result. */
export const MISSED_VISITORS_PER_CLICKED = 10
/** Fewer visitors who saw results and clicked none of them say nothing. */
export const UNCLICKED_VISITORS_MIN = 3

/** A visitor who typed another query soon after a search that led to no click. */
interface NextSearch {
  readonly visitor: string
  readonly query: string
  /** What the session clicked for it. */
  readonly clicked: ReadonlySet<string | undefined>
}

/**
 * Counts queries that lose visitors, with what they typed next: docs/missed-searches.md, section 1,
 * in the plainest code.
 *
 * @param facts of the whole log
 * @param earlyMs start of the clicks that count
 */
export function naiveMissedSearches(
  { searches, acts, personOf }: Facts,
  query: ReportQuery,
  isInside: (search: Search) => boolean,
  earlyMs: number,
  reportsClicks: boolean,
): Pick<CountsByReport['missed-searches'], 'totals' | 'rows'> {
  const clicks = acts.filter((act) => act.atMs >= earlyMs && isSearchClick(act))
  const clickedKeys = keysOf(clicks)
  const clickedBySession = Map.groupBy(
    clicks.filter(({ search }) => search !== undefined),
    ({ search }) => sessionQuery(search!),
  )
  const nextOf = nextSearches(searches)
  const isAsked = (one: Search): boolean =>
    isInside(one) && hasTags(query, one.tags) && isAbout(query, one.query) && queryOf(one) !== '*'
  const rows: MissedSearchRow[] = []
  for (const [text, group] of Map.groupBy(searches.filter(isAsked), queryOf)) {
    const persons = (some: readonly Search[]): string[] =>
      some.flatMap(({ visitor }) => personOf(visitor) ?? [])
    const unclicked = group.filter(({ key }) => !clickedKeys.has(key))
    const visitors = new Set(persons(group))
    const content = new Set(persons(group.filter(({ key }) => clickedKeys.has(key))))
    const lost = visitors.size - content.size
    const noResults = group.filter(({ found }) => found === 0).length
    const counted = group.filter(({ found }) => found !== undefined).length
    const findsNothing = noResults > 0 && 2 * noResults >= counted
    if (lost < (findsNothing ? 1 : UNCLICKED_VISITORS_MIN)) continue
    if (content.size * MISSED_VISITORS_PER_CLICKED > visitors.size) continue
    if (!findsNothing && !reportsClicks) continue
    const next = unclicked.flatMap((one): NextSearch[] => {
      const visitor = personOf(one.visitor)
      const other = nextOf(one)
      if (visitor === undefined || other === undefined) return []
      const acted = clickedBySession.get(sessionQuery(other)) ?? []
      const clicked = new Set(acted.map(({ documentId }) => documentId))
      return [{ visitor, query: queryOf(other), clicked }]
    })
    rows.push({
      query: text,
      findsNothing,
      searches: group.length,
      noResultSearches: noResults,
      visitors: visitors.size,
      visitorsLost: lost,
      next: typedNext(next),
      documentIds: clickedNext(next),
    })
  }
  return {
    totals: {
      queries: rows.length,
      visitorsLost: rows.reduce((sum, row) => sum + row.visitorsLost, 0),
    },
    rows: rows
      .toSorted(
        (a, b) =>
          b.visitorsLost - a.visitorsLost ||
          b.searches - a.searches ||
          compareText(a.query, b.query),
      )
      .slice(0, query.limit),
  }
}

/** The next search of the session, if it has other words and comes soon. */
function nextSearches(searches: readonly Search[]): (one: Search) => Search | undefined {
  const sessions = Map.groupBy(searches, ({ visitor }) => sessionOf(visitor))
  return (one) => {
    const later = sessions
      .get(sessionOf(one.visitor))!
      .filter(({ atMs, key }) => atMs > one.atMs || (atMs === one.atMs && key > one.key))
    const [next] = later.toSorted((a, b) => a.atMs - b.atMs || a.key - b.key)
    if (next === undefined || next.atMs - one.atMs > REFORMULATION_MS) return undefined
    return queryOf(next) === '*' || next.query === one.query ? undefined : next
  }
}

function typedNext(all: readonly NextSearch[]): MissedSearchRow['next'] {
  return [...Map.groupBy(all, ({ query }) => query)]
    .map(([query, group]) => ({
      query,
      visitors: new Set(group.map(({ visitor }) => visitor)).size,
      visitorsClicked: new Set(
        group.filter(({ clicked }) => clicked.size > 0).map(({ visitor }) => visitor),
      ).size,
    }))
    .toSorted(
      (a, b) =>
        b.visitorsClicked - a.visitorsClicked ||
        b.visitors - a.visitors ||
        compareText(a.query, b.query),
    )
    .slice(0, EXAMPLES_MAX)
}

function clickedNext(all: readonly NextSearch[]): string[] {
  const visitors = new Map<string, Set<string>>()
  for (const { visitor, clicked } of all) {
    for (const id of clicked) {
      if (id !== undefined) visitors.set(id, (visitors.get(id) ?? new Set()).add(visitor))
    }
  }
  return [...visitors]
    .toSorted(([a, x], [b, y]) => y.size - x.size || compareText(a, b))
    .slice(0, EXAMPLES_MAX)
    .map(([id]) => id)
}

function sessionQuery({ visitor, query }: Search): string {
  return JSON.stringify([sessionOf(visitor), query])
}
