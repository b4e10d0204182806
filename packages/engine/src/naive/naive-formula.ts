import type {
  AlternativeExplanation,
  ScoreExplanation,
  SlotExplanation,
} from '../query/explanation.ts'
import type { SearchPlan } from '../query/plan.ts'
import { QUALITIES, SCORE } from './constants.ts'

/**
 * The formulas of docs/ranking.md with separate constants. The naive index ranks with those of
 * `scoring/`, as the fast one does, so the two would agree on a wrong one; this does not.
 */

const K1 = 0.8
const FULL_MATCH = K1 + 1

export function saturation(evidence: number): number {
  return Math.fround((FULL_MATCH * evidence) / (evidence + K1))
}

export function inPoints(score: number): number {
  return Math.floor(score * SCORE.POINTS_PER_UNIT + 0.5)
}

export function wordWeight(weight: number, docFreq: number, docCount: number): number {
  return weight * Math.log(1 + (docCount - docFreq + 0.5) / (docFreq + 0.5)) ** 0.75
}

/** What a number of an explanation should be, and what it is. */
export interface FormulaProblem {
  readonly what: string
  readonly wanted: unknown
  readonly received: number
}

/** The numbers of an explanation that do not follow from the page. */
export function formulaProblems(explanation: ScoreExplanation, plan: SearchPlan): FormulaProblem[] {
  const { tier, exactValue, slots, pairs, leading = [] } = explanation
  const { boost, personal, popularity, numeric, learning, purpose } = explanation
  const problems: FormulaProblem[] = []
  const check = (what: string, wanted: number, received: number): void => {
    if (Math.abs(wanted - received) > 1e-9 * Math.abs(wanted))
      problems.push({ what, wanted, received })
  }
  const allow = (what: string, wanted: readonly number[], received: number): void => {
    if (!wanted.includes(received)) problems.push({ what, wanted, received })
  }
  const weightOf = (form: string): number[] =>
    slots.filter((slot) => slot.form === form).map(({ weight }) => weight)
  allow('tier', [0, SCORE.TIER_STEP], tier)
  allow('exact value', [0, SCORE.EXACT_VALUE_STEP], exactValue)
  for (const slot of slots) {
    const { form, weight, quality, evidence } = slot
    check(`saturation of ${form}`, saturation(evidence), slot.saturation)
    const points = Math.floor(weight * quality * SCORE.POINTS_PER_UNIT * slot.saturation + 0.5)
    check(`points of ${form}`, points, slot.points)
    for (const one of slot.alternatives) checkAlternative(slot, one, check, allow)
  }
  for (const { left, right, points } of pairs) {
    const means = weightOf(left).flatMap((a) => weightOf(right).map((b) => (a + b) / 2))
    const wanted = means.map((mean) => inPoints(0.25 * FULL_MATCH * mean))
    allow(`points of ${left} ${right}`, wanted, points)
  }
  for (const { form, points } of leading) {
    const wanted = weightOf(form).map((weight) => inPoints(0.17 * FULL_MATCH * weight))
    allow(`points of leading ${form}`, wanted, points)
  }
  if (purpose !== undefined) allow('purpose', [SCORE.PURPOSE_FACTOR], purpose.factor)
  if (boost !== undefined) {
    const product = boost.boosts.reduce((all, i) => all * plan.boosts[i]!.factor, 1)
    check('boost', Math.min(1_000, Math.max(1 / 1_000, product)), boost.factor)
  }
  if (personal !== undefined && plan.personal !== undefined) {
    const { lifts, limit } = plan.personal
    let share = 0
    for (const i of personal.lifts) share += lifts[i]!.share
    check('personal', 1 + (share < limit ? share : limit), personal.factor)
  }
  if (popularity !== undefined && plan.popularity !== undefined) {
    const { weight, documents } = plan.popularity
    const level = popularity.level / documents.levelMax
    const isKnown = popularity.level > 0
    const share = isKnown ? 0.25 * level + 0.75 * popularity.appeal : 0
    check('popularity', 1 + weight * share, popularity.factor)
  }
  if (numeric !== undefined && plan.numeric !== undefined) {
    const { value } = numeric
    const { weight, shape, scale, origin } = plan.numeric
    let signal = 0
    if (value !== undefined && shape === 'linear') signal = value <= 0 ? 0 : value / scale
    if (value !== undefined && shape === 'log' && value > 0)
      signal = Math.log(1 + value) / Math.log(1 + scale)
    if (value !== undefined && shape === 'decay') signal = 0.5 ** (Math.abs(value - origin) / scale)
    check('numeric', 1 + weight * Math.min(1, signal), numeric.factor)
  }
  if (learning !== undefined && plan.learning !== undefined) {
    check('learning', 1 + plan.learning.limit * learning.lift, learning.factor)
  }
  return problems
}

function checkAlternative(
  slot: SlotExplanation,
  { variant, forms, quality, evidence, fields }: AlternativeExplanation,
  check: (what: string, wanted: number, received: number) => void,
  allow: (what: string, wanted: readonly number[], received: number) => void,
): void {
  const name = `${variant} ${forms.join(' ')} of ${slot.form}`
  const fixed = FIXED_QUALITIES[variant]
  if (fixed !== undefined) allow(`quality of ${name}`, fixed, quality)
  const most = LARGEST_QUALITIES[variant]
  if (most !== undefined) check(`quality of ${name}`, Math.min(most, quality), quality)
  for (const { weight, termFreq, length, averageLength, lengthNorm: b, evidence: own } of fields) {
    const wanted = (weight * termFreq) / (1 - b + (b * length) / averageLength)
    check(`evidence of ${name}`, wanted, own)
  }
  if (variant === 'infix') check(`evidence of ${name}`, SCORE.INFIX_EVIDENCE, evidence)
  if (variant === 'prefix' && forms.length === 0) {
    check(`evidence of ${name}`, SCORE.SHORT_PREFIX_EVIDENCE, evidence)
  }
}

const Q = QUALITIES
/** Of the kinds that have a few. */
const FIXED_QUALITIES: Readonly<Record<string, readonly number[]>> = {
  exact: [Q.WEIGHT_EXACT],
  stem: [Q.WEIGHT_STEM, Q.WEIGHT_STEM_WEAK],
  joined: [Q.WEIGHT_JOINED],
  bare: [Q.WEIGHT_BARE, Q.WEIGHT_JOINED],
  split: [Q.WEIGHT_SPLIT, Q.WEIGHT_CORRECTION],
  compound: [Q.WEIGHT_COMPOUND_HEAD, Q.WEIGHT_COMPOUND_ALONE, Q.WEIGHT_COMPOUND_MODIFIER],
  prefix: [Q.WEIGHT_PREFIX_UNKNOWN, Q.WEIGHT_PREFIX_KNOWN],
  infix: [Q.WEIGHT_INFIX],
}
/** Of the kinds that have any up to one. */
const LARGEST_QUALITIES: Readonly<Record<string, number>> = {
  typo: Q.WEIGHT_CORRECTION,
  neighbour: Q.WEIGHT_NEIGHBOUR,
  synonym: Q.WEIGHT_SYNONYM,
}
