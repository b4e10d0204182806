import type { Match } from './find-matches.ts'

/**
 * The best stretch of a text to show: most query terms, then the heaviest, then the shortest, then
 * the earliest. One pass over the matches: the stretch that ends with a match reaches back to the
 * last positions of the other terms, as far as the limit allows.
 *
 * @param matches in order of position
 * @param weights by term
 * @param limit tokens of the window, >= 1
 * @returns token positions [from, to) of the best stretch, at most `limit` unless one match is
 * longer; undefined without matches
 */
export function bestStretch(
  matches: readonly Match[],
  weights: readonly number[],
  limit: number,
): { readonly from: number; readonly to: number } | undefined {
  // By term: its last position.
  const last = weights.map(() => -Infinity)
  let best: { from: number; to: number; terms: number; weight: number } | undefined
  for (const match of matches) {
    const to = match.positionEnd
    for (let term = 0; term < weights.length; term++) {
      if ((match.terms & (1 << term)) !== 0) last[term] = match.position
    }
    let from = match.position
    let terms = 0
    let weight = 0
    for (let term = 0; term < weights.length; term++) {
      const position = last[term]!
      if (position < to - limit && (match.terms & (1 << term)) === 0) continue
      terms++
      weight += weights[term]!
      if (position < from) from = position
    }
    const isBetter =
      best === undefined ||
      terms > best.terms ||
      (terms === best.terms &&
        (weight > best.weight || (weight === best.weight && to - from < best.to - best.from)))
    if (isBetter) best = { from, to, terms, weight }
  }
  return best
}

/**
 * The window of `limit` tokens around a stretch. The rest of the limit goes to both sides, and from
 * a side where the text ends to the other.
 */
export function windowAround(
  stretch: { readonly from: number; readonly to: number },
  tokenCount: number,
  limit: number,
): { readonly from: number; readonly to: number } {
  if (tokenCount <= limit) return { from: 0, to: tokenCount }
  const spare = Math.max(0, limit - (stretch.to - stretch.from))
  const from = Math.min(Math.max(0, stretch.from - (spare >> 1)), tokenCount - limit)
  return { from, to: from + limit }
}
