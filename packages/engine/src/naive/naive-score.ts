import type { SearchPlan } from '../query/plan.ts'
import {
  encodeImpact,
  evidence,
  FREQUENT_DOCS_MIN,
  INFIX_EVIDENCE,
  PAIR_CANDIDATES_MAX,
  pairPoints,
  saturate,
  SHORT_PREFIX_EVIDENCE,
  slotPoints,
  textMatchScore,
  WEIGHT_COUNTED_MIN,
  WEIGHT_INFIX,
  WEIGHT_STRONG_MIN,
} from '../scoring/formula.ts'
import type { NaiveDocument } from './naive-document.ts'
import { fieldLength, standSideBySide, tokensOf } from './naive-document.ts'
import type { RankedDocument } from './naive-sort.ts'
import type { NaiveStatistics } from './naive-statistics.ts'
import type { SlotAlternatives } from './naive-words.ts'

/** A document that matches the words of the query. */
export interface ScoredDocument {
  readonly document: NaiveDocument
  /** It has all significant words. */
  readonly upperTier: boolean
  /** What its words are worth, an integer. */
  readonly points: number
}

/** "Score" in docs/ranking.md, up to the pair bonus. `undefined`: the words do not match. */
export function scoreDocument(
  plan: SearchPlan,
  slots: readonly SlotAlternatives[],
  document: NaiveDocument,
  statistics: NaiveStatistics,
): ScoredDocument | undefined {
  if (plan.slots.length === 0) return { document, upperTier: true, points: 0 }
  const carriers = slots.filter((slot) => carries(slot, slots, statistics.docCount))

  let points = 0
  let upperTier = true
  let hasCarrier = false
  let hasAll = true
  for (const slot of slots) {
    const found = matchSlot(plan, slot, document, statistics)
    const isSignificant = slot.known && !slot.slot.stopword
    if (isSignificant && found.quality < WEIGHT_COUNTED_MIN) upperTier = false
    if (found.evidence === 0) {
      hasAll = false
      continue
    }
    if (carriers.includes(slot)) hasCarrier = true
    points += slotPoints(slot.weight, found.quality, saturate(found.evidence))
  }
  const matches = plan.requireAllTerms ? hasAll : hasCarrier
  return matches ? { document, upperTier, points } : undefined
}

/** May this slot make a match by itself? Little words may only when there is nothing else. */
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

/** T and q of a slot in a document; evidence 0 and quality 0 when the document does not have it. */
function matchSlot(
  plan: SearchPlan,
  slot: SlotAlternatives,
  document: NaiveDocument,
  statistics: NaiveStatistics,
): { evidence: number; quality: number } {
  const evidenceOf = (stem: string) => groupEvidence(plan, document, stem, statistics)
  const found: { readonly evidence: number; readonly quality: number }[] = []

  // The best quality of each stem group, by the forms that the document holds anywhere ...
  const qualityByStem = new Map<string, number>()
  for (const { form, stem } of document.tokens.flat()) {
    const q = slot.quality.get(form)
    if (q !== undefined && q > 0) qualityByStem.set(stem, Math.max(q, qualityByStem.get(stem) ?? 0))
  }
  // ... counts when the group stands in a searched field.
  for (const [stem, q] of qualityByStem) {
    const evidence = evidenceOf(stem)
    if (evidence > 0) found.push({ evidence, quality: q })
  }
  for (const { stems, quality, docKeys } of slot.phrases) {
    if (!docKeys.has(document.docKey)) continue
    found.push({ evidence: Math.min(...stems.map(evidenceOf)), quality })
  }
  const hasShortPrefix = plan.fieldWeights.some(
    (weight, field) =>
      weight > 0 &&
      tokensOf(document, field).some((token) => slot.shortPrefix.forms.has(token.form)),
  )
  if (hasShortPrefix) {
    found.push({ evidence: SHORT_PREFIX_EVIDENCE, quality: slot.shortPrefix.quality })
  }

  // Inside of words, only where nothing else stands for the word.
  const holdsInside = document.tokens
    .flat()
    .some(({ form, stem }) => slot.infixForms.has(form) && evidenceOf(stem) > 0)
  if (found.length === 0 && holdsInside) {
    found.push({ evidence: INFIX_EVIDENCE, quality: WEIGHT_INFIX })
  }

  const quality = Math.max(0, ...found.map((alternative) => alternative.quality))
  // Weak alternatives count only where there is no strong one.
  const counted =
    quality < WEIGHT_STRONG_MIN
      ? found
      : found.filter((alternative) => alternative.quality >= WEIGHT_STRONG_MIN)
  return { evidence: counted.reduce((sum, { evidence }) => sum + evidence, 0), quality }
}

/** Evidence of a stem group in a document: all forms of the group, in the searched fields. */
function groupEvidence(
  plan: SearchPlan,
  document: NaiveDocument,
  stem: string,
  statistics: NaiveStatistics,
): number {
  const impacts = plan.fieldWeights.map((_, field) => {
    const termFreq = tokensOf(document, field).filter((token) => token.stem === stem).length
    return termFreq === 0 ? 0 : encodeImpact(termFreq, fieldLength(document, field))
  })
  return evidence(impacts, 0, plan.fieldWeights, plan.lengthNorms, statistics.averageLengths)
}

/**
 * Raises the best documents for query words that stand side by side in the title, and orders them anew by
 * score; ties stay as they were. Only the first 200 are looked at, and only when the text match score comes first.
 *
 * @param documents in the order of the sort keys
 */
export function addPairBonus(
  plan: SearchPlan,
  slots: readonly SlotAlternatives[],
  documents: readonly RankedDocument[],
): RankedDocument[] {
  const firstKey = plan.sort[0] ?? { kind: 'textMatch', descending: true }
  const isByTextMatch = firstKey.kind === 'textMatch' && firstKey.descending
  const isTitleSearched = plan.titleField >= 0 && plan.fieldWeights[plan.titleField]! > 0
  if (!isByTextMatch || !isTitleSearched) return [...documents]

  const raised = documents.slice(0, PAIR_CANDIDATES_MAX).map(({ document, textMatchScore }) => {
    let score = textMatchScore
    for (let i = 0; i + 1 < slots.length; i++) {
      const left = slots[i]!
      const right = slots[i + 1]!
      if (!left.known || !right.known) continue
      if (standSideBySide(document, plan.titleField, left.pairBonusStems, right.pairBonusStems)) {
        score += pairPoints(left.weight, right.weight)
      }
    }
    return { document, textMatchScore: score }
  })
  raised.sort((a, b) => b.textMatchScore - a.textMatchScore)
  return [...raised, ...documents.slice(PAIR_CANDIDATES_MAX)]
}

/** The integer that ranks: 0 for all when the query has no words. */
export function rankingScore(plan: SearchPlan, scored: ScoredDocument): number {
  return plan.slots.length === 0 ? 0 : textMatchScore(scored.upperTier, scored.points)
}
