import { POPULARITY_POSITION_MAX } from '@aisle/contract'
import { compareText, type Act } from './naive-facts.ts'
import { queryOf, sessionOf, type Search } from './naive-searches.ts'
import type { CountsByReport, JudgmentRow } from './report-counts.ts'

/**
 * The documents that sessions clicked, by query: a session counts once for a document of a query,
 * at the furthest position that it clicked.
 *
 * @param searches of the period
 * @param clicks on results, of any time
 */
export function naiveJudgments(
  searches: readonly Search[],
  clicks: readonly Act[],
  limit: number,
): Pick<CountsByReport['judgments'], 'totals' | 'rows'> {
  const rows: JudgmentRow[] = []
  for (const [query, group] of Map.groupBy(searches, queryOf)) {
    const sessions = new Set(group.map(({ visitor }) => sessionOf(visitor)))
    const sessionOfKey = new Map(group.map(({ key, visitor }) => [key, sessionOf(visitor)]))
    /** Positions by document, then by session. */
    const positions = new Map<string, Map<string, number>>()
    for (const { search, documentId, rank } of clicks) {
      const session = search === undefined ? undefined : sessionOfKey.get(search.key)
      if (session === undefined || documentId === undefined) continue
      const ofDocument = positions.get(documentId) ?? new Map<string, number>()
      positions.set(documentId, ofDocument)
      const position = Math.max(1, Math.min(POPULARITY_POSITION_MAX, rank ?? 1))
      ofDocument.set(session, Math.max(position, ofDocument.get(session) ?? 1))
    }
    for (const [documentId, ofDocument] of positions) {
      const positionSum = [...ofDocument.values()].reduce((total, one) => total + one, 0)
      const clickedSessions = ofDocument.size
      rows.push({ query, documentId, sessions: sessions.size, clickedSessions, positionSum })
    }
  }
  return {
    totals: {
      judgments: rows.length,
      sessions: new Set(searches.map(({ visitor }) => sessionOf(visitor))).size,
    },
    rows: rows
      .toSorted(
        (a, b) =>
          b.sessions - a.sessions ||
          compareText(a.query, b.query) ||
          b.positionSum - a.positionSum ||
          compareText(a.documentId, b.documentId),
      )
      .slice(0, limit),
  }
}
