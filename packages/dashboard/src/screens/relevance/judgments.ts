import type { QuerySet, ReportAnswer } from '@aisle/contract'
import { gradeGain, type Gains } from './metrics.ts'

export type ClickRow = ReportAnswer<'judgments'>['rows'][number]
export type SetQuery = QuerySet['queries'][number]

const NONE: Gains = new Map()

/** Queries of reports are in lower case. */
function queryKey(q: string): string {
  return q.trim().toLowerCase()
}

/** Grades by people for the results of each query. */
export function gainsOfPeople(queries: readonly SetQuery[]): (q: string) => Gains {
  const byQuery = new Map(
    queries.map(({ q, judgments = [] }) => [
      queryKey(q),
      new Map(judgments.map(({ id, grade }) => [id, gradeGain(grade)])),
    ]),
  )
  return (q) => byQuery.get(queryKey(q)) ?? NONE
}

/** Judgments derived from clicks. */
export function gainsOfClicks(rows: readonly ClickRow[]): (q: string) => Gains {
  const byQuery = new Map<string, Map<string, number>>()
  for (const { query, document_id: id, attractiveness } of rows) {
    const gains = byQuery.get(query) ?? new Map<string, number>()
    byQuery.set(query, gains.set(id, attractiveness))
  }
  return (q) => byQuery.get(queryKey(q)) ?? NONE
}

/** Sessions behind the judgments of some queries. */
export function sessionsBehind(rows: readonly ClickRow[], queries: readonly string[]): number {
  const wanted = new Set(queries.map(queryKey))
  const sessions = new Map(rows.map(({ query, sessions: count }) => [query, count]))
  let total = 0
  for (const [query, count] of sessions) if (wanted.has(query)) total += count
  return total
}

/** The grade of a document, or undefined to remove it. */
export function withGrade(
  queries: readonly SetQuery[],
  q: string,
  id: string,
  grade: number | undefined,
): SetQuery[] {
  return queries.map((query) => {
    if (query.q !== q) return query
    const others = (query.judgments ?? []).filter((one) => one.id !== id)
    const judgments = grade === undefined ? others : [...others, { id, grade }]
    const { judgments: _, ...rest } = query
    return judgments.length === 0 ? rest : { ...rest, judgments }
  })
}

export function gradeOf({ judgments = [] }: SetQuery, id: string): number | undefined {
  return judgments.find((one) => one.id === id)?.grade
}
