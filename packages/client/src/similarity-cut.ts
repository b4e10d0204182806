/** What a person said about a query and a product. */
export interface JudgedPair {
  readonly similarity: number
  /** The product fits the query. */
  readonly isRight: boolean
}

export interface SimilarityCut {
  /** For `min_similarity`; undefined: no value is good enough, or too few pairs were judged. */
  readonly cut: number | undefined
  /** Judged pairs from there on, and the right ones among them. */
  readonly judged: number
  readonly right: number
}

/** Of the judged pairs from the cut on, at least this share is right ... */
export const CUT_SHARE_MIN = 0.8
/** ... and there are at least this many. */
export const CUT_PAIRS_MIN = 5

/**
 * The least similarity from which on at least 8 in 10 judged pairs are right, and at least five
 * were judged; rounded down to hundredths.
 */
export function similarityCut(pairs: readonly JudgedPair[]): SimilarityCut {
  const sorted = pairs.toSorted((a, b) => b.similarity - a.similarity)
  let best: SimilarityCut = { cut: undefined, judged: 0, right: 0 }
  let right = 0
  for (const [i, { similarity, isRight }] of sorted.entries()) {
    if (isRight) right++
    const judged = i + 1
    // A pair that is as similar counts too.
    if (sorted[judged]?.similarity === similarity) continue
    if (judged < CUT_PAIRS_MIN || right < CUT_SHARE_MIN * judged) continue
    best = { cut: Math.floor(similarity * 100 + 1e-9) / 100, judged, right }
  }
  return best
}
