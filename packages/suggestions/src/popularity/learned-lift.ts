import {
  POPULARITY_NETWORKS_MIN as NETWORKS_MIN,
  POPULARITY_POSITION_MAX as POSITION_MAX,
} from '@aisle/contract'
import type { LearnedDocument } from '@aisle/engine'
import type { Choice } from './choice.ts'
import { fading } from './worth.ts'

/**
 * "What is learned" in docs/learning.md: how much more often visitors choose a document than its
 * place explains, as clicks over expected clicks (Zhang, Jones, "Comparing click logs and editorial
 * labels for training query rewriting", 2007).
 */

/** Clicks of the model in `PRIOR`, added to those of the store. */
const PRIOR_CLICKS = 50
/** Clicks that are added to both the observed and the expected ones: the prior is a ratio of 1. */
const SHRINKAGE_CLICKS = 2
/** The lower bound of the ratio is this many standard deviations below its mean. */
const DEVIATIONS = 1.5
/** Doublings of the ratio above 1 that give the whole lift. */
const DOUBLINGS_FULL = 2

/** Before a store has clicks, visitors look at rank r with a probability of about 1/r. */
const PRIOR = normed(Array.from({ length: POSITION_MAX }, (_, i) => 1 / (i + 1)))

/**
 * The share of clicks that each position gets, with any documents.
 * @param clicks of the store by position, from 1
 */
export function positionShares(clicks: readonly number[]): number[] {
  const shares = normed(PRIOR.map((share, i) => PRIOR_CLICKS * share + (clicks[i] ?? 0)))
  const least = shares[0]! / POSITION_MAX
  // Visitors look from top to bottom: a position gets at least what a later one gets.
  for (let i = shares.length - 1; i >= 0; i--) {
    shares[i] = Math.max(shares[i]!, shares[i + 1] ?? 0, least)
  }
  return shares
}

/**
 * What the clicks of a query teach about one document; undefined if they come from too few
 * networks.
 *
 * @param total clicks of the query on all documents, as of today
 * @param shares by position
 */
export function learnedFrom(
  choice: Choice,
  total: number,
  shares: readonly number[],
  today: number,
): LearnedDocument | undefined {
  const { squares, shares: networks } = choice
  if (networks.length < 2 * NETWORKS_MIN) return undefined
  const factor = fading(today - choice.day)
  const places = withoutBusiest(choice)
  /** Clicks as if all positions were clicked alike: inverse propensity weighting. */
  let weighted = 0
  let weightedSquares = 0
  for (let i = 0; i < places.length; i++) {
    weighted += places[i]! / shares[i]!
    weightedSquares += places[i]! / shares[i]! ** 2
  }
  if (weighted === 0) return { lift: 0, clicks: 0, expected: total * shares[0]! }
  const ratio = (weighted * factor) / total
  const clicks = sumOf(places) * factor
  // Of heavy clicks, and of few that stand for many, fewer are as certain (Kish, "Survey sampling",
  // 1965).
  const heaviness = sumOf(choice.places) / squares
  const effective = (weighted ** 2 / weightedSquares) * factor * heaviness
  return { lift: liftOf(effective, ratio), clicks, expected: clicks / ratio }
}

/**
 * The clicks by position without as many as the busiest network has, from the last position up:
 * whatever positions one network claims, it proves nothing.
 */
function withoutBusiest({ places, shares: networks }: Choice): number[] {
  let busiest = 0
  for (let i = 1; i < networks.length; i += 2) busiest = Math.max(busiest, networks[i]!)
  const others = [...places]
  for (let i = others.length - 1; i >= 0 && busiest > 0; i--) {
    const dropped = Math.min(others[i]!, busiest)
    others[i]! -= dropped
    busiest -= dropped
  }
  return others
}

/**
 * The lift of a document, from the lower bound of a gamma-Poisson posterior of its ratio
 * (DuMouchel, "Bayesian data mining in large frequency tables", 1999).
 *
 * @param clicks observed
 * @param ratio of these to the expected ones
 */
function liftOf(clicks: number, ratio: number): number {
  const observed = clicks + SHRINKAGE_CLICKS
  const lower = observed - DEVIATIONS * Math.sqrt(observed)
  const certain = lower / (clicks / ratio + SHRINKAGE_CLICKS)
  return certain <= 1 ? 0 : Math.min(1, Math.log2(certain) / DOUBLINGS_FULL)
}

/** The clicks of a choice at known positions, as of today. */
export function placedClicks({ places, day }: Choice, today: number): number {
  return sumOf(places) * fading(today - day)
}

function sumOf(numbers: readonly number[]): number {
  let sum = 0
  for (const one of numbers) sum += one
  return sum
}

function normed(numbers: readonly number[]): number[] {
  const sum = sumOf(numbers)
  return numbers.map((one) => one / sum)
}
