/**
 * How two rankings of a query differ, and how good each is. NDCG as for the judged sets of the
 * repository: discount log2(rank + 1), the ideal order over all judged documents, no gain for
 * documents without judgment (Järvelin, Kekäläinen, "Cumulated gain-based evaluation of IR
 * techniques", 2002).
 */

/** Ranks that are compared: those of a page of results. */
export const DEPTH = 10

/** Gain of a document, by its id: 0..1. */
export type Gains = ReadonlyMap<string, number>

/** @returns 0..1; undefined if no good document is known for the query */
export function ndcg(ids: readonly string[], gains: Gains): number | undefined {
  const ideal = [...gains.values()].toSorted((a, b) => b - a)
  if ((ideal[0] ?? 0) <= 0) return undefined
  return discounted(ids.map((id) => gains.get(id) ?? 0)) / discounted(ideal)
}

function discounted(gains: readonly number[]): number {
  let total = 0
  for (let rank = 0; rank < Math.min(DEPTH, gains.length); rank++) {
    total += gains[rank]! / Math.log2(rank + 2)
  }
  return total
}

/** Gain of a grade 0..3 by people: `2^grade - 1`, relative to the best (Burges et al., 2005). */
export function gradeGain(grade: number): number {
  return (2 ** grade - 1) / 7
}

/** Share of documents that two pages have in common (Jaccard); 1 if both are empty. */
export function overlap(a: readonly string[], b: readonly string[]): number {
  const all = new Set([...a, ...b])
  if (all.size === 0) return 1
  const second = new Set(b)
  return a.filter((id) => second.has(id)).length / all.size
}

/** A query of a run, with the results of both sides. */
export interface ComparedQuery {
  readonly q: string
  /** How much it counts. */
  readonly weight: number
  readonly live: SideResult
  readonly draft: SideResult
}

export interface SideResult {
  readonly ids: readonly string[]
  readonly found: number
  /** Why there is no answer. */
  readonly error?: string
}

export interface QueryFigures {
  readonly overlap: number
  readonly isChanged: boolean
  readonly liveNdcg: number | undefined
  readonly draftNdcg: number | undefined
}

export function queryFigures({ live, draft }: ComparedQuery, gains: Gains): QueryFigures {
  return {
    overlap: overlap(live.ids, draft.ids),
    isChanged: live.ids.join('\0') !== draft.ids.join('\0'),
    liveNdcg: ndcg(live.ids, gains),
    draftNdcg: ndcg(draft.ids, gains),
  }
}

export interface RunSummary {
  readonly queries: number
  /** Shares of the queries, by weight. */
  readonly changedShare: number
  readonly overlap: number
  /** Queries with no results. */
  readonly liveEmpty: number
  readonly draftEmpty: number
  /** Weighted means over the queries with a known good document; undefined if there are none. */
  readonly liveNdcg: number | undefined
  readonly draftNdcg: number | undefined
  readonly judgedQueries: number
}

/** @param gainsOf what is known of the results of a query */
export function runSummary(
  run: readonly ComparedQuery[],
  gainsOf: (q: string) => Gains,
): RunSummary {
  const figures = run.map((query) => ({
    weight: query.weight,
    ...queryFigures(query, gainsOf(query.q)),
  }))
  const judged = figures.filter(({ liveNdcg }) => liveNdcg !== undefined)
  return {
    queries: run.length,
    changedShare: mean(figures, ({ isChanged }) => (isChanged ? 1 : 0)) ?? 0,
    overlap: mean(figures, (one) => one.overlap) ?? 1,
    liveEmpty: run.filter(({ live }) => live.found === 0).length,
    draftEmpty: run.filter(({ draft }) => draft.found === 0).length,
    liveNdcg: mean(judged, (one) => one.liveNdcg ?? 0),
    draftNdcg: mean(judged, (one) => one.draftNdcg ?? 0),
    judgedQueries: judged.length,
  }
}

/** By weight; undefined when nothing has any. */
export function mean<One extends { readonly weight: number }>(
  all: readonly One[],
  value: (one: One) => number,
): number | undefined {
  let total = 0
  let weights = 0
  for (const one of all) {
    total += one.weight * value(one)
    weights += one.weight
  }
  return weights > 0 ? total / weights : undefined
}
