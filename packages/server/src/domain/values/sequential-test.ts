/**
 * Tests that may be looked at every day: at any moment, and at all of them together, they err with
 * at most the stated probability (docs/experiments.md).
 */
export interface Evidence {
  /** The estimate, and the interval that contains the truth at all times with 1 - `error`. */
  readonly value: number
  readonly low: number
  readonly high: number
  /** 1 - the always-valid p-value. */
  readonly confidence: number
}

/** What visitors of an arm did, as a sample of one number each. */
export interface Sample {
  readonly count: number
  readonly sum: number
  readonly squares: number
}

/**
 * The standard deviation of the effects that the test is tuned for, in standard deviations of one
 * visitor: 5 %. Other effects are found too, later.
 */
const EFFECT = 0.05
/** The prior of the share of wins is Beta(50, 50): standard deviation 5 %. */
const PRIOR = 50

/**
 * Compares the means of two samples by the mixture sequential probability ratio test, with
 * estimated variances (Robbins, "Statistical methods related to the law of the iterated logarithm",
 * 1970; Johari, Koomen, Pekelis, Walsh, "Peeking at A/B tests", 2017).
 *
 * @returns the difference; undefined if a sample is too small, or nothing varies
 */
export function compareMeans(live: Sample, draft: Sample, error: number): Evidence | undefined {
  if (live.count < 2 || draft.count < 2) return undefined
  const both = plus(live, draft)
  const spread = varianceOf(both)
  if (!(spread > 0)) return undefined
  const value = draft.sum / draft.count - live.sum / live.count
  // At least what the two together suggest: a small arm may have seen no sale yet.
  const noise =
    Math.max(varianceOf(live), spread * LEAST) / live.count +
    Math.max(varianceOf(draft), spread * LEAST) / draft.count
  const mixing = EFFECT * EFFECT * spread
  const scale = (noise * (noise + mixing)) / mixing
  const half = Math.sqrt(scale * (2 * Math.log(1 / error) + Math.log1p(mixing / noise)))
  const ratio = -Math.log1p(mixing / noise) / 2 + (value * value) / (2 * scale)
  return { value, low: value - half, high: value + half, confidence: confidenceOf(ratio) }
}

const LEAST = 0.5

/**
 * Whether visitors prefer a side more often than a fair coin would: the binomial test mixed over a
 * beta prior (Robbins, 1970), exact at any number of votes.
 *
 * @returns the share of wins; undefined without votes
 */
export function compareVotes(wins: number, losses: number, error: number): Evidence | undefined {
  const votes = wins + losses
  if (votes === 0) return undefined
  const mixed = lnBeta(PRIOR + wins, PRIOR + losses) - lnBeta(PRIOR, PRIOR)
  const ratioOf = (share: number): number =>
    mixed -
    (wins === 0 ? 0 : wins * Math.log(share)) -
    (losses === 0 ? 0 : losses * Math.log(1 - share))
  const limit = Math.log(1 / error)
  const value = wins / votes
  return {
    value,
    low: boundary((share) => ratioOf(share) >= limit, value, 0),
    high: boundary((share) => ratioOf(share) >= limit, value, 1),
    confidence: confidenceOf(ratioOf(0.5)),
  }
}

/** Between a share that is possible and an end of the scale, the furthest that still is. */
function boundary(isExcluded: (share: number) => boolean, inside: number, end: number): number {
  if (inside === end || !isExcluded(end)) return end
  let outside = end
  for (let i = 0; i < 50; i++) {
    const middle = (inside + outside) / 2
    if (isExcluded(middle)) outside = middle
    else inside = middle
  }
  return outside
}

function confidenceOf(logRatio: number): number {
  return logRatio <= 0 ? 0 : 1 - Math.exp(-logRatio)
}

function plus(a: Sample, b: Sample): Sample {
  return { count: a.count + b.count, sum: a.sum + b.sum, squares: a.squares + b.squares }
}

function varianceOf({ count, sum, squares }: Sample): number {
  const mean = sum / count
  return Math.max(0, squares / count - mean * mean)
}

function lnBeta(a: number, b: number): number {
  return lnGamma(a) + lnGamma(b) - lnGamma(a + b)
}

/** Stirling's series; its error is below 1e-12 for x >= 50. */
function lnGamma(x: number): number {
  const square = x * x
  const series = (1 / 12 - (1 / 360 - 1 / (1260 * square)) / square) / x
  return (x - 0.5) * Math.log(x) - x + Math.log(2 * Math.PI) / 2 + series
}
