import { compareCodePoints } from '../codec/code-points.ts'
import { boostedPoints, NEUTRAL_POINTS } from '../scoring/formula.ts'
import type { LearnedDocument } from './learning.ts'

/**
 * Why a document has its text match score, as a tree of numbers. Points and steps are integers and
 * add up exactly: `textMatchScore = tier + exactValue + points of slots + points of pairs and
 * leading words`, where the two sums of points are multiplied by boost, personal, popularity,
 * numeric and learning before they are added, and that of the slots then by purpose.
 */
export interface ScoreExplanation {
  /** TIER_STEP if the document has all significant words, otherwise 0. */
  readonly tier: number
  /** EXACT_VALUE_STEP if a value of the document equals the query, otherwise 0. */
  readonly exactValue: number
  /** In the order of the plan. */
  readonly slots: readonly SlotExplanation[]
  /** Only pairs with points. */
  readonly pairs: readonly PairExplanation[]
  /** Words that lead in the title; present if the plan has accessory marks. */
  readonly leading?: readonly LeadingExplanation[]
  /** Present if the title says that the product is for what is sought. */
  readonly purpose?: PurposeExplanation
  /** Present if the plan has boosts. */
  readonly boost?: BoostExplanation
  /** Present if the plan has the taste of a visitor. */
  readonly personal?: PersonalExplanation
  /** Present if popularity counts in the plan. */
  readonly popularity?: PopularityExplanation
  /** Present if a number of the shop counts in the plan. */
  readonly numeric?: NumericExplanation
  /** Present if the plan has something that was learned. */
  readonly learning?: LearningExplanation
  /** Present if meaning counts in the plan, and the document has a vector. */
  readonly meaning?: MeaningExplanation
}

/** What reorders documents beyond their scores. */
export interface MeaningExplanation {
  /** Of the vector of the document to that of the query. */
  readonly similarity: number
  /** The query is a question: ranks by words and by similarity are added. */
  readonly question?: true
  /** No word found the document, only its meaning. */
  readonly alone?: true
}

/** Of a document that only its meaning found: it has no score. */
export function explainAlone(meaning: MeaningExplanation): ScoreExplanation {
  return { tier: 0, exactValue: 0, slots: [], pairs: [], meaning: { ...meaning, alone: true } }
}

/** A title such as "case for iphone" in a search for "iphone". */
export interface PurposeExplanation {
  /** `PURPOSE_FACTOR` */
  readonly factor: number
}

/** `factor = 1 + weight * signal` */
export interface NumericExplanation {
  /** Factor on the points, in addition to the others. */
  readonly factor: number
  /** 0..1 */
  readonly signal: number
  /** Absent: the document has none. */
  readonly value?: number
}

/** `factor = learnedFactor(limit, lift)`; zeros for a document about which nothing was learned. */
export interface LearningExplanation extends LearnedDocument {
  readonly factor: number
}

/** `factor = popularityFactor(weight, level, levelMax, appeal)` */
export interface PopularityExplanation {
  /** Factor on the points, in addition to boosts. */
  readonly factor: number
  readonly level: number
  readonly appeal: number
}

/** `factor = personalFactor(sum of the shares of lifts, limit)` */
export interface PersonalExplanation {
  /** Factor on the points, in addition to boosts. */
  readonly factor: number
  /** Lifts of the plan that the document meets, ascending. */
  readonly lifts: readonly number[]
}

/** `factor` is the bounded product of the factors of `boosts`. */
export interface BoostExplanation {
  /** Factor on the points; 1 if the document matches no boost. */
  readonly factor: number
  /** Boosts of the plan that the document matches, ascending. */
  readonly boosts: readonly number[]
}

/** A word of the query: `points = floor(weight * quality * POINTS_PER_UNIT * saturation + 0.5)`. */
export interface SlotExplanation {
  readonly form: string
  /** Whether the catalog has an alternative of the word; if not, the word is ignored. */
  readonly known: boolean
  readonly stopword: boolean
  /** n */
  readonly docFreq: number
  /** `slotWeight(W, n, N)`; for a unit at most `unitWeightMax` of its number's */
  readonly weight: number
  /** q of the best alternative; 0 if the document does not have the word. */
  readonly quality: number
  /** T: the sum over the alternatives that count. */
  readonly evidence: number
  /** `saturate(T)` */
  readonly saturation: number
  readonly points: number
  /** The alternatives of the word in the document, best first. */
  readonly alternatives: readonly AlternativeExplanation[]
}

export type AlternativeVariant =
  | 'exact'
  | 'stem'
  | 'joined'
  | 'bare'
  | 'split'
  | 'compound'
  | 'prefix'
  | 'typo'
  | 'neighbour'
  | 'infix'
  | 'synonym'

export interface AlternativeExplanation {
  /** The kind of alternative by which the best form matches. */
  readonly variant: AlternativeVariant
  /**
   * Forms of one stem group in the document, best first; for a phrase, its words in order; for an
   * infix, all forms that contain it; empty for a prefix too short to be weighed.
   */
  readonly forms: readonly string[]
  readonly quality: number
  readonly evidence: number
  /** Cost of the edits (`editCost`), for typos and neighbours. */
  readonly cost?: number
  /** Whether it counts: a weak alternative does not count beside a strong one. */
  readonly counted: boolean
  /**
   * The searched fields with forms of the group. Their evidence sums to that of the alternative,
   * which is rounded to float32. Empty for phrases, short prefixes and infixes.
   */
  readonly fields: readonly FieldExplanation[]
}

/** `evidence = weight * termFreq / (1 - b + b * length / averageLength)` */
export interface FieldExplanation {
  /** Field ordinal. */
  readonly field: number
  readonly weight: number
  /** Occurrences of the stem group, and tokens of the field, both rounded down to a level. */
  readonly termFreq: number
  readonly length: number
  readonly averageLength: number
  /** b */
  readonly lengthNorm: number
  readonly evidence: number
}

/** Neighbouring words of the query that are side by side in the title. */
export interface PairExplanation {
  readonly left: string
  readonly right: string
  readonly points: number
}

/** A query word before the part of the title that says what the product is for. */
export interface LeadingExplanation {
  readonly form: string
  readonly points: number
}

/** The sum of the points of an explanation. */
export function scoreOf(explanation: ScoreExplanation): number {
  const { tier, exactValue, slots, pairs, leading } = explanation
  const { boost, personal, popularity, numeric, learning } = explanation
  const purpose = explanation.purpose?.factor ?? 1
  const sum = (parts: readonly { readonly points: number }[]) =>
    parts.reduce((total, { points }) => total + points, 0)
  const ofVisitor = (boost?.factor ?? 1) * (personal?.factor ?? 1)
  const factor =
    ofVisitor * (popularity?.factor ?? 1) * (numeric?.factor ?? 1) * (learning?.factor ?? 1)
  const isBoosted = boost !== undefined || personal !== undefined
  const points = slots.length === 0 && isBoosted ? NEUTRAL_POINTS : sum(slots)
  const bonus = sum(pairs) + sum(leading ?? [])
  const ofSlots = boostedPoints(boostedPoints(points, factor), purpose)
  return tier + exactValue + ofSlots + boostedPoints(bonus, factor)
}

/** The cost of an alternative that is a correction. */
export function typoCost(
  variant: AlternativeVariant,
  cost: number | undefined,
): Pick<AlternativeExplanation, 'cost'> {
  const isTypo = variant === 'typo' || variant === 'neighbour'
  return isTypo && cost !== undefined ? { cost } : {}
}

/** Orders alternatives best first. */
export function compareAlternatives(a: AlternativeExplanation, b: AlternativeExplanation): number {
  return (
    b.quality - a.quality ||
    b.evidence - a.evidence ||
    compareCodePoints(a.forms.join(' '), b.forms.join(' '))
  )
}
