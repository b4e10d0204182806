/**
 * Relevance metrics, defined as for the baselines of the judged sets: gain 2^grade - 1, discount
 * log2(rank + 1), the ideal order over ALL judged documents of the query; an unjudged document has
 * no gain, a query without a positive judgment is skipped. (Järvelin, Kekäläinen, "Cumulated
 * gain-based evaluation of IR techniques", 2002; gain after Burges et al., 2005.)
 */

/** Grades of the judged documents of one query, by document id. */
export type Judgments = ReadonlyMap<string, number>

/** @returns NDCG in 0..1, or `undefined` for a query without a positive judgment */
export function ndcgAt(
  k: number,
  ranked: readonly string[],
  judgments: Judgments,
): number | undefined {
  const grades = [...judgments.values()].toSorted((a, b) => b - a)
  if ((grades[0] ?? 0) <= 0) return undefined
  const gains = distinct(ranked).map((id) => judgments.get(id) ?? 0)
  return discountedGain(k, gains) / discountedGain(k, grades)
}

/** NDCG over the judged documents of a ranking only, independent of unjudged ones. */
export function condensedNdcgAt(
  k: number,
  ranked: readonly string[],
  judgments: Judgments,
): number | undefined {
  return ndcgAt(
    k,
    ranked.filter((id) => judgments.has(id)),
    judgments,
  )
}

/**
 * Share of the documents with at least `grade` among the first k; `undefined` if there are none.
 */
export function recallAt(
  k: number,
  ranked: readonly string[],
  judgments: Judgments,
  grade: number,
): number | undefined {
  const good = [...judgments].filter(([, given]) => given >= grade).map(([id]) => id)
  if (good.length === 0) return undefined
  const first = new Set(distinct(ranked).slice(0, k))
  return good.filter((id) => first.has(id)).length / good.length
}

/** Sum of the grades of the first k, as a share of the best possible sum. */
export function gradeShareAt(
  k: number,
  ranked: readonly string[],
  judgments: Judgments,
): number | undefined {
  const sum = (grades: readonly number[]): number =>
    grades.slice(0, k).reduce((total, grade) => total + grade, 0)
  const best = sum([...judgments.values()].toSorted((a, b) => b - a))
  if (best <= 0) return undefined
  return sum(distinct(ranked).map((id) => judgments.get(id) ?? 0)) / best
}

/** Share of the first k places with a judged document; empty places count as unjudged. */
export function judgedAt(k: number, ranked: readonly string[], judgments: Judgments): number {
  return (
    distinct(ranked)
      .slice(0, k)
      .filter((id) => judgments.has(id)).length / k
  )
}

/** Mean of the existing values; NaN if there are none. */
export function mean(values: readonly (number | undefined)[]): number {
  const present = values.filter((value) => value !== undefined)
  return present.reduce((sum, value) => sum + value, 0) / present.length
}

/**
 * The value below which a share of the values lies, by the nearest rank.
 *
 * @param share 0..1
 */
export function quantile(values: readonly number[], share: number): number {
  if (values.length === 0) return Number.NaN
  const sorted = values.toSorted((a, b) => a - b)
  const at = Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1))
  return sorted[at] ?? Number.NaN
}

function discountedGain(k: number, grades: readonly number[]): number {
  return grades
    .slice(0, k)
    .reduce((sum, grade, at) => sum + (2 ** grade - 1) / Math.log2(at + 2), 0)
}

function distinct(ranked: readonly string[]): string[] {
  return [...new Set(ranked)]
}
