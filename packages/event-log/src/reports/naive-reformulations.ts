import { POPULARITY_POSITION_MAX } from '@aisle/contract'
import { compareText, hasTags, isAbout, type Facts } from './naive-facts.ts'
import { sessionOf, type Search } from './naive-searches.ts'
import { replacedWords } from './replaced-words.ts'
import type { CountsByReport, ReformulationRow, ReportQuery } from './report-counts.ts'

/** A search with at most this number of results found little. */
export const FEW_RESULTS = 3
/** A visitor is assumed to look for the same thing within this time after the first query. */
export const REFORMULATION_MS = 5 * 60_000
/** Documents per row. */
export const EXAMPLES_MAX = 3

/** A visitor who typed `to` instead of `from`. */
interface Reformulation {
  readonly visitor: string
  readonly a: string
  readonly b: string
  readonly from: string
  readonly to: string
  readonly context: string
  readonly hasFoundFew: boolean
  readonly clicks: ReadonlyMap<string | undefined, number>
}

/** Furthest position by document, for the clicks of a session on a query. */
interface Clicked {
  readonly visitor: string | undefined
  readonly query: string
  readonly documents: Map<string | undefined, number>
}

/**
 * Counts what visitors typed instead of a query before they clicked: docs/synonym-suggestions.md,
 * section 1, in the plainest code.
 *
 * @param facts of the whole log
 * @param earlyMs start of the clicks that count
 */
export function naiveReformulations(
  { searches, personOf, acts }: Facts,
  query: ReportQuery,
  isInside: (search: Search) => boolean,
  earlyMs: number,
): Pick<CountsByReport['reformulations'], 'totals' | 'rows'> {
  const clicked = clicksByQuery(
    acts.filter(({ atMs }) => atMs >= earlyMs),
    personOf,
  )
  const isAsked = (one: Search): boolean =>
    isInside(one) && hasTags(query, one.tags) && isAbout(query, one.query)
  const all: Reformulation[] = []
  for (const [session, unordered] of Map.groupBy(searches, (one) => sessionOf(one.visitor))) {
    const inTime = unordered.toSorted((a, b) => a.atMs - b.atMs || a.key - b.key)
    for (const [i, a] of inTime.entries()) {
      const b = inTime[i + 1]
      const visitor = personOf(a.visitor)
      if (b === undefined || visitor === undefined || !isAsked(a)) continue
      const hasFoundFew = a.found !== undefined && a.found <= FEW_RESULTS
      if (!hasFoundFew && clicked.has(keyOf(session, a.query))) continue
      const words = replacedWords(a.query, b.query)
      if (words === undefined || b.atMs - a.atMs > REFORMULATION_MS) continue
      const clicks = clicked.get(keyOf(session, b.query))?.documents ?? new Map()
      all.push({ visitor, a: a.query, b: b.query, ...words, hasFoundFew, clicks })
    }
  }
  const rows = [...Map.groupBy(all, ({ from, to }) => JSON.stringify([from, to])).values()]
    .map((group) => rowOf(group, all, [...clicked.values()]))
    .filter(({ visitors }) => visitors > 0)
  return {
    totals: { pairs: rows.length, visitors: distinct(all.map(({ visitor }) => visitor)) },
    rows: rows
      .toSorted(
        (a, b) =>
          b.visitors - a.visitors ||
          b.visitorsTried - a.visitorsTried ||
          compareText(a.from, b.from) ||
          compareText(a.to, b.to),
      )
      .slice(0, query.limit),
  }
}

function clicksByQuery(acts: Facts['acts'], personOf: Facts['personOf']): Map<string, Clicked> {
  const clicked = new Map<string, Clicked>()
  for (const { kind, isOutside, search, documentId, rank } of acts) {
    if (kind !== 'click' || isOutside || search === undefined) continue
    const { query } = search
    const key = keyOf(sessionOf(search.visitor), query)
    const one = clicked.get(key) ?? {
      visitor: personOf(search.visitor),
      query,
      documents: new Map(),
    }
    clicked.set(key, one)
    const position = Math.max(1, Math.min(POPULARITY_POSITION_MAX, rank ?? 1))
    one.documents.set(documentId, Math.max(position, one.documents.get(documentId) ?? 1))
  }
  return clicked
}

function rowOf(
  group: readonly Reformulation[],
  all: readonly Reformulation[],
  clicked: readonly Clicked[],
): ReformulationRow {
  const { from, to } = group[0]!
  const content = group.filter(({ clicks }) => clicks.size > 0)
  const visitors = (rows: readonly Reformulation[]): number =>
    distinct(rows.map(({ visitor }) => visitor))
  const queries = new Set(content.map(({ a }) => a))
  const ofQueries = clicked.filter(({ query }) => queries.has(query))
  // Furthest position by visitor and document, and the queries that led there.
  const positions = new Map<string, { position: number; visitor: string; documentId: string }>()
  const origins = new Map<string, Set<string>>()
  for (const { visitor, a, clicks } of content) {
    for (const [documentId, position] of clicks) {
      if (documentId === undefined) continue
      const key = JSON.stringify([visitor, documentId])
      const before = positions.get(key)?.position ?? 0
      positions.set(key, { visitor, documentId, position: Math.max(position, before) })
      origins.set(key, (origins.get(key) ?? new Set()).add(a))
    }
  }
  const isShared = (key: string): boolean => {
    const { visitor, documentId } = positions.get(key)!
    return clicked.some(
      (one) =>
        one.visitor !== visitor &&
        origins.get(key)!.has(one.query) &&
        one.documents.has(documentId),
    )
  }
  const sum = (keys: readonly string[]): number =>
    keys.reduce((total, key) => total + positions.get(key)!.position, 0)
  const examples = [...Map.groupBy(content, ({ a, b }) => JSON.stringify([a, b])).values()]
  const documents = Map.groupBy(positions.values(), ({ documentId }) => documentId)
  return {
    from,
    to,
    visitors: visitors(content),
    visitorsTried: visitors(group),
    visitorsFoundFew: visitors(content.filter(({ hasFoundFew }) => hasFoundFew)),
    visitorsGaveUp: visitors(all.filter((one) => one.from === from)),
    visitorsArrived: visitors(all.filter((one) => one.to === to)),
    clicks: positions.size,
    positionSum: sum([...positions.keys()]),
    sharedPositionSum: sum([...positions.keys()].filter(isShared)),
    visitorsClickedFrom: distinct(ofQueries.flatMap(({ visitor }) => visitor ?? [])),
    contexts: distinct(content.map(({ context }) => context)),
    examples: examples
      .map((rows) => ({ from: rows[0]!.a, to: rows[0]!.b, visitors: visitors(rows) }))
      .toSorted(
        (a, b) => b.visitors - a.visitors || compareText(a.from, b.from) || compareText(a.to, b.to),
      )
      .slice(0, EXAMPLES_MAX),
    documentIds: [...documents]
      .map(([id, rows]) => ({ id, sum: rows.reduce((total, row) => total + row.position, 0) }))
      .toSorted((a, b) => b.sum - a.sum || compareText(a.id, b.id))
      .slice(0, EXAMPLES_MAX)
      .map(({ id }) => id),
  }
}

function keyOf(session: string, query: string): string {
  return JSON.stringify([session, query])
}

function distinct(values: readonly string[]): number {
  return new Set(values).size
}
