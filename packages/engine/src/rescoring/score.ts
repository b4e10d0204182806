import type { Analyzer } from '../analysis/analyzer.ts'
import { onceField } from '../query/once-field.ts'
import { hasBoosts } from '../query/personal.ts'
import type { SearchOutcome, SearchPlan } from '../query/plan.ts'
import {
  ALL_TERMS_DOCS_MIN,
  boostedPoints,
  countedMin,
  evidence,
  EXACT_VALUE_STEP,
  FREQUENT_DOCS_MIN,
  INFIX_EVIDENCE,
  NEUTRAL_POINTS,
  saturate,
  SHORT_PREFIX_EVIDENCE,
  slotPoints,
  textMatchScore,
  WEIGHT_INFIX,
  WEIGHT_STRONG_MIN,
} from '../scoring/formula.ts'
import { hasExactValue, meetsConditions } from './conditions.ts'
import { impactsIn, wordsOf } from './document-words.ts'
import { type CandidateDocument, holdsRow, tokensOf } from './candidate-document.ts'
import { factorOf } from './rules.ts'
import type { PhraseAlternative } from './splits.ts'
import type { SlotAlternatives } from './words.ts'
import type { WordCatalog } from './word-catalog.ts'

/** A document that matches the query words. */
export interface ScoredDocument {
  readonly document: CandidateDocument
  /** Whether it has all significant words. */
  readonly upperTier: boolean
  /** Whether it is in the upper tier and one of its values equals the query. */
  readonly exactValue: boolean
  /** Points of its words, an integer. */
  readonly points: number
}

/**
 * "Score" in docs/ranking.md, up to the pair bonus. `undefined`: the words do not match.
 * @param demand which of the slots the document must have
 */
export function scoreDocument(
  plan: SearchPlan,
  slots: readonly SlotAlternatives[],
  document: CandidateDocument,
  catalog: WordCatalog,
  demand: WordDemand,
): ScoredDocument | undefined {
  if (!meetsConditions(plan, document)) return undefined
  if (plan.slots.length === 0) return { document, upperTier: true, exactValue: false, points: 0 }

  let points = 0
  let upperTier = true
  const held = new Set<SlotAlternatives>()
  for (const slot of slots) {
    const found = matchSlot(plan, slot, document, catalog)
    if (isSignificant(slot) && found.quality < countedMin(slot.hasNeighbours)) upperTier = false
    if (found.evidence === 0) continue
    held.add(slot)
    points += slotPoints(slot.weight, found.quality, saturate(found.evidence))
  }
  const { slots: demanded, count } = demand
  const matches =
    count === 'all'
      ? demanded.every((slot) => held.has(slot))
      : demanded.some((slot) => held.has(slot))
  if (!matches) return undefined
  const exactValue = upperTier && hasExactValue(plan, document)
  return { document, upperTier, exactValue, points }
}

/** Whether a document must have all of these slots, or one of them: "Which words must match". */
export interface WordDemand {
  readonly slots: readonly SlotAlternatives[]
  readonly count: 'all' | 'one'
}

/**
 * What a plan demands of a document.
 *
 * @param documentsWithAll counts documents within `plan.scope` that have all of these slots; called
 * only for `auto`
 */
export function demandOf(
  plan: SearchPlan,
  slots: readonly SlotAlternatives[],
  catalog: Pick<WordCatalog, 'docCount'>,
  documentsWithAll: (demand: WordDemand) => number,
): WordDemand {
  const one: WordDemand = { slots: carriersOf(slots, catalog), count: 'one' }
  if (plan.requireAllTerms === false) return one
  if (plan.requireAllTerms === true) return { slots, count: 'all' }
  const all: WordDemand = { slots: slots.filter(isSignificant), count: 'all' }
  if (all.slots.length === 0) return one
  return documentsWithAll(all) >= ALL_TERMS_DOCS_MIN ? all : one
}

/** `SearchOutcome.matchedTerms` of a search with this demand. */
export function matchedTerms(
  slots: readonly SlotAlternatives[],
  { count }: WordDemand,
): SearchOutcome['matchedTerms'] {
  return count === 'all' || slots.filter(isSignificant).length <= 1 ? 'all' : 'any'
}

/** The slots that make a match alone. */
function carriersOf(
  slots: readonly SlotAlternatives[],
  { docCount }: Pick<WordCatalog, 'docCount'>,
): SlotAlternatives[] {
  return slots.filter((slot) => carries(slot, slots, docCount))
}

/** Whether this slot makes a match alone. Stopwords do so only without other words. */
function carries(
  slot: SlotAlternatives,
  slots: readonly SlotAlternatives[],
  docCount: number,
): boolean {
  const isStrong = ({ slot, docFreq }: SlotAlternatives) =>
    !slot.stopword && !(docCount >= FREQUENT_DOCS_MIN && docFreq > docCount / 2)
  const known = slots.filter((other) => other.known)
  return slot.known && (isStrong(slot) || !known.some(isStrong))
}

/** Whether a document without this word is in the lower tier. */
export function isSignificant({ known, slot }: SlotAlternatives): boolean {
  return known && !slot.stopword
}

/** An alternative of a word in a document. */
export interface FoundAlternative {
  readonly evidence: number
  readonly quality: number
  /** One of these three, or a prefix that is too short to be weighed. */
  readonly stem?: string
  readonly phrase?: PhraseAlternative
  /** The forms that contain the word. */
  readonly infixForms?: readonly string[]
}

/** The match of a document and a slot: T and q are 0 if it has no alternative. */
export interface MatchedSlot {
  readonly evidence: number
  readonly quality: number
  readonly found: readonly FoundAlternative[]
  /** The alternatives in `found` that count: weak ones only without a strong one. */
  readonly counted: readonly FoundAlternative[]
}

export function matchSlot(
  plan: SearchPlan,
  slot: SlotAlternatives,
  document: CandidateDocument,
  catalog: WordCatalog,
): MatchedSlot {
  const evidenceOf = (stem: string) => groupEvidence(plan, document, stem, catalog)
  const found: FoundAlternative[] = []

  // The best quality of each stem group, by the forms anywhere in the document ...
  const qualityByStem = new Map<string, number>()
  for (const { form, stem } of slot.formsIn(wordsOf(document))) {
    const q = slot.qualityOf(form)
    if (q > 0) qualityByStem.set(stem, Math.max(q, qualityByStem.get(stem) ?? 0))
  }
  // ... counts if the group is in a searched field.
  for (const [stem, q] of qualityByStem) {
    const evidence = evidenceOf(stem)
    if (evidence > 0) found.push({ evidence, quality: q, stem })
  }
  for (const phrase of slot.phrases) {
    if (!holdsRow(document, phrase.row)) continue
    const evidence = Math.min(...phrase.row.stems.map(evidenceOf))
    found.push({ evidence, quality: phrase.quality, phrase })
  }
  const hasShortPrefix =
    slot.shortPrefix.forms.size > 0 &&
    plan.fieldWeights.some(
      (weight, field) =>
        weight > 0 &&
        tokensOf(document, field).some((token) => slot.shortPrefix.forms.has(token.form)),
    )
  if (hasShortPrefix) {
    found.push({ evidence: SHORT_PREFIX_EVIDENCE, quality: slot.shortPrefix.quality })
  }

  // Inside words, only if nothing else matches the word.
  const infixForms =
    slot.infixForms.size === 0
      ? []
      : document.tokens
          .flat()
          .filter(({ form, stem }) => slot.infixForms.has(form) && evidenceOf(stem) > 0)
          .map(({ form }) => form)
  if (found.length === 0 && infixForms.length > 0) {
    found.push({ evidence: INFIX_EVIDENCE, quality: WEIGHT_INFIX, infixForms })
  }

  // Weak alternatives count only without a strong one.
  const quality = Math.max(0, ...found.map((alternative) => alternative.quality))
  const counted =
    quality < WEIGHT_STRONG_MIN
      ? found
      : found.filter((alternative) => alternative.quality >= WEIGHT_STRONG_MIN)
  const total = counted.reduce((sum, { evidence }) => sum + evidence, 0)
  return { evidence: total, quality, found, counted }
}

/** Evidence of a stem group in a document: all forms of the group, in the searched fields. */
function groupEvidence(
  plan: SearchPlan,
  document: CandidateDocument,
  stem: string,
  catalog: WordCatalog,
): number {
  const impacts = impactsOf(plan, document, stem)
  const { fieldWeights, lengthNorms } = plan
  return evidence(impacts, 0, fieldWeights, lengthNorms, catalog.averageLengths, onceField(plan))
}

/** Impacts of a stem group by field ordinal, 0 if the field does not have it. */
export function impactsOf(
  plan: SearchPlan,
  document: CandidateDocument,
  stem: string,
): readonly number[] {
  return impactsIn(wordsOf(document), stem, plan.fieldWeights.length)
}

/** The integer that ranks. Without query words, only boosts and taste distinguish documents. */
export function rankingScore(
  plan: SearchPlan,
  { document, upperTier, exactValue, points }: ScoredDocument,
  analyzer: Analyzer,
): number {
  const factor = factorOf(plan, document, analyzer)
  if (plan.slots.length === 0) {
    return hasBoosts(plan) ? boostedPoints(NEUTRAL_POINTS, factor) : 0
  }
  const step = exactValue ? EXACT_VALUE_STEP : 0
  return step + textMatchScore(upperTier, boostedPoints(points, factor))
}
