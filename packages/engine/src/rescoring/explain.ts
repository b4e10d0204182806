import type { Analyzer } from '../analysis/analyzer.ts'
import { compareCodePoints } from '../codec/code-points.ts'
import type {
  AlternativeExplanation,
  FieldExplanation,
  ScoreExplanation,
  SlotExplanation,
} from '../query/explanation.ts'
import { compareAlternatives, scoreOf, typoCost } from '../query/explanation.ts'
import { variantOf } from '../query/alternative-variant.ts'
import { onceField, ranksLeading } from '../query/once-field.ts'
import type { SearchPlan } from '../query/plan.ts'
import {
  EXACT_VALUE_STEP,
  countedImpact,
  fieldEvidence,
  impactLength,
  impactTermFreq,
  PURPOSE_FACTOR,
  saturate,
  slotPoints,
  TIER_STEP,
} from '../scoring/formula.ts'
import type { CandidateDocument } from './candidate-document.ts'
import { boostOf, learningOf, numericOf, personalOf, popularityOf } from './rules.ts'
import type { FoundAlternative } from './score.ts'
import { isForQuery, leadingInTitle, pairsInTitle } from './bonus.ts'
import { impactsOf, matchSlot, scoreDocument, type WordDemand } from './score.ts'
import type { SlotAlternatives } from './words.ts'
import type { WordCatalog } from './word-catalog.ts'

/**
 * The score of a hit as a tree.
 * @param textMatchScore of the hit; shows whether it was among the best and earned a bonus
 */
export function explainScore(
  plan: SearchPlan,
  slots: readonly SlotAlternatives[],
  document: CandidateDocument,
  textMatchScore: number,
  catalog: WordCatalog,
  analyzer: Analyzer,
): ScoreExplanation {
  const boost = {
    ...(plan.boosts.length === 0 ? {} : { boost: boostOf(plan, document, analyzer) }),
    ...(plan.personal === undefined ? {} : { personal: personalOf(plan, document, analyzer) }),
  }
  const none = { tier: 0, exactValue: 0, slots: [], pairs: [] }
  if (slots.length === 0) return { ...none, ...boost }
  const { upperTier, exactValue } = scoreDocument(plan, slots, document, catalog, MATCHING)!
  const isPopularityInScore = (plan.popularity?.weight ?? 0) > 0
  const hasLeading = ranksLeading(plan)
  const explanation = {
    tier: upperTier ? TIER_STEP : 0,
    exactValue: exactValue ? EXACT_VALUE_STEP : 0,
    slots: slots.map((slot) => explainSlot(plan, slot, document, catalog)),
    pairs: [],
    ...(hasLeading ? { leading: [] } : {}),
    ...boost,
    ...(isPopularityInScore ? { popularity: popularityOf(plan, document) } : {}),
    ...(plan.numeric === undefined ? {} : { numeric: numericOf(plan, document) }),
    ...(plan.learning === undefined ? {} : { learning: learningOf(plan, document) }),
  }
  if (scoreOf(explanation) === textMatchScore) return explanation
  const isPurpose = upperTier && isForQuery(plan, slots, document)
  return {
    ...explanation,
    pairs: pairsInTitle(plan, slots, document),
    ...(hasLeading ? { leading: leadingInTitle(plan, slots, document) } : {}),
    ...(isPurpose ? { purpose: { factor: PURPOSE_FACTOR } } : {}),
  }
}

/** An explained document has already been found. */
const MATCHING: WordDemand = { slots: [], count: 'all' }

function explainSlot(
  plan: SearchPlan,
  slot: SlotAlternatives,
  document: CandidateDocument,
  catalog: WordCatalog,
): SlotExplanation {
  const { evidence, quality, found, counted } = matchSlot(plan, slot, document, catalog)
  const alternatives = found.map((alternative): AlternativeExplanation => ({
    ...explainAlternative(plan, slot, document, alternative, catalog),
    quality: alternative.quality,
    evidence: alternative.evidence,
    counted: counted.includes(alternative),
  }))
  const saturation = saturate(evidence)
  return {
    form: slot.slot.form,
    known: slot.known,
    stopword: slot.slot.stopword,
    docFreq: slot.docFreq,
    weight: slot.weight,
    quality,
    evidence,
    saturation,
    points: slotPoints(slot.weight, quality, saturation),
    alternatives: alternatives.toSorted(compareAlternatives),
  }
}

function explainAlternative(
  plan: SearchPlan,
  slot: SlotAlternatives,
  document: CandidateDocument,
  { stem, phrase, infixForms, quality }: FoundAlternative,
  { averageLengths }: WordCatalog,
): Pick<AlternativeExplanation, 'variant' | 'forms' | 'fields' | 'cost'> {
  if (phrase !== undefined) return { variant: phrase.variant, forms: phrase.words, fields: [] }
  if (infixForms !== undefined) {
    const forms = [...new Set(infixForms)].toSorted(compareCodePoints)
    return { variant: 'infix', forms, fields: [] }
  }
  if (stem === undefined) return { variant: 'prefix', forms: [], fields: [] }
  const { qualityOf } = slot
  const tokens = document.tokens.flat().filter((token) => token.stem === stem)
  const forms = [...new Set(tokens.map(({ form }) => form))]
    .filter((form) => qualityOf(form) > 0)
    .toSorted((a, b) => qualityOf(b) - qualityOf(a) || compareCodePoints(a, b))
  const best = { form: forms[0]!, stem }
  const fields = impactsOf(plan, document, stem).flatMap((stored, field): FieldExplanation[] => {
    const impact = countedImpact(stored, field === onceField(plan))
    const weight = plan.fieldWeights[field]!
    const lengthNorm = plan.lengthNorms[field]!
    const averageLength = averageLengths[field]!
    if (impact === 0 || weight === 0) return []
    return [
      {
        field,
        weight,
        termFreq: impactTermFreq(impact),
        length: impactLength(impact),
        averageLength,
        lengthNorm,
        evidence: fieldEvidence(impact, weight, lengthNorm, averageLength),
      },
    ]
  })
  const variant = variantOf(slot.slot, best, quality, slot.hasNeighbours)
  return {
    variant,
    ...typoCost(variant, slot.typoCosts.get(stem)),
    forms,
    fields,
  }
}
