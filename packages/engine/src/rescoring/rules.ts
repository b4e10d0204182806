import type { Analyzer } from '../analysis/analyzer.ts'
import type {
  BoostExplanation,
  LearningExplanation,
  NumericExplanation,
  PersonalExplanation,
  PopularityExplanation,
} from '../query/explanation.ts'
import type { SearchPlan } from '../query/plan.ts'
import { type Scalar, fieldValue } from '../schema/schema.ts'
import { boostFactor, popularityFactor } from '../scoring/formula.ts'
import { learnedFactor } from '../scoring/learned-factor.ts'
import { personalFactor } from '../scoring/personal.ts'
import { numericFactor, numericSignal } from '../scoring/numeric-signal.ts'
import type { CandidateDocument } from './candidate-document.ts'
import { matches } from './filter.ts'

export function isPinned({ pins }: SearchPlan, document: CandidateDocument): boolean {
  return pins.some(({ id }) => id === document.id)
}

/** A pinned document that matches, as returned. */
export function pinnedDocument<T extends { readonly id: string }>(
  { pins }: Pick<SearchPlan, 'pins'>,
  document: T,
): { document: T; textMatchScore: 0; pinned: true; byId?: true } {
  const byId = pins.find(({ id }) => id === document.id)?.byId
  const pinned = { document, textMatchScore: 0, pinned: true } as const
  return byId === true ? { ...pinned, byId } : pinned
}

/**
 * Inserts pinned documents at their positions among the others, or at the end if their position is
 * past it.
 *
 * @param ranked the other documents, in order
 */
export function placePins<T>(
  { pins }: SearchPlan,
  ranked: readonly T[],
  pinned: ReadonlyMap<string, T>,
): T[] {
  const others = [...ranked]
  const waiting = pins.filter(({ id }) => pinned.has(id))
  const placed: T[] = []
  while (others.length > 0 || waiting.length > 0) {
    const position = waiting[0]?.position ?? Infinity
    const isTurn = others.length === 0 || position <= placed.length + 1
    placed.push(isTurn ? pinned.get(waiting.shift()!.id)! : others.shift()!)
  }
  return placed
}

/** "Boosts" in docs/ranking.md. */
export function boostOf(
  { boosts }: SearchPlan,
  document: CandidateDocument,
  analyzer: Analyzer,
): BoostExplanation {
  if (boosts.length === 0) return { factor: 1, boosts: [] }
  const met = [...boosts.keys()].filter((i) => matches(document, boosts[i]!.filter, analyzer))
  const product = met.reduce((factor, i) => factor * boosts[i]!.factor, 1)
  return { factor: boostFactor(product), boosts: met }
}

/** "Personal" in docs/ranking.md. */
export function personalOf(
  { personal }: SearchPlan,
  document: CandidateDocument,
  analyzer: Analyzer,
): PersonalExplanation {
  if (personal === undefined) return { factor: 1, lifts: [] }
  const { lifts, limit } = personal
  const met = [...lifts.keys()].filter((i) => matches(document, lifts[i]!.filter, analyzer))
  const share = met.reduce((sum, i) => sum + lifts[i]!.share, 0)
  return { factor: personalFactor(share, limit), lifts: met }
}

/** "Popularity" in docs/ranking.md. */
export function popularityOf(
  { popularity }: SearchPlan,
  { docKey }: CandidateDocument,
): PopularityExplanation {
  if (popularity === undefined) return { factor: 1, level: 0, appeal: 0 }
  const { documents, weight } = popularity
  const level = levelsOf(documents).get(docKey) ?? 0
  const appeal = level === 0 ? 0 : (popularity.appeal.get(docKey) ?? 0)
  const factor = popularityFactor(weight, level, documents.levelMax, appeal)
  return { factor, level, appeal }
}

type PopularDocuments = NonNullable<SearchPlan['popularity']>['documents']

const knownLevels = new WeakMap<PopularDocuments, ReadonlyMap<number, number>>()

/** By docKey, shared by many searches. */
function levelsOf(documents: PopularDocuments): ReadonlyMap<number, number> {
  let levels = knownLevels.get(documents)
  if (levels === undefined) {
    const { docKeys } = documents
    levels = new Map([...docKeys].map((docKey, at) => [docKey, documents.levels[at]!]))
    knownLevels.set(documents, levels)
  }
  return levels
}

/** "A shop's own number" in docs/ranking.md. */
export function numericOf(
  { numeric }: SearchPlan,
  { values }: CandidateDocument,
): NumericExplanation {
  if (numeric === undefined) return { factor: 1, signal: 0 }
  const value = fieldValue(values, numeric.field) as Scalar | undefined
  const signal = numericSignal(numeric, value)
  const factor = numericFactor(numeric, signal)
  if (value === undefined) return { factor, signal }
  // -0 is 0, as in a column.
  return { factor, signal, value: Number(value) + 0 }
}

/** "Learning" in docs/ranking.md. */
export function learningOf(
  { learning }: SearchPlan,
  { docKey }: CandidateDocument,
): LearningExplanation {
  const { lift = 0, clicks = 0, expected = 0 } = learning?.documents.get(docKey) ?? {}
  return { factor: learnedFactor(learning?.limit ?? 0, lift), lift, clicks, expected }
}

/** The factor on the points of a document. */
export function factorOf(
  plan: SearchPlan,
  document: CandidateDocument,
  analyzer: Analyzer,
): number {
  const boost = boostOf(plan, document, analyzer).factor
  const factor = boost * personalOf(plan, document, analyzer).factor
  if (plan.slots.length === 0) return factor
  return (
    factor *
    popularityOf(plan, document).factor *
    numericOf(plan, document).factor *
    learningOf(plan, document).factor
  )
}
