import type { Analyzer } from '../analysis/analyzer.ts'
import type { LeadingExplanation, PairExplanation } from '../query/explanation.ts'
import { ranksLeading } from '../query/once-field.ts'
import type { SearchPlan } from '../query/plan.ts'
import { ranksBy } from '../query/ranking-parts.ts'
import { isByScore } from '../query/sort-order.ts'
import { NOWHERE, tiesByPlace } from '../query/tie-by-place.ts'
import {
  boostedPoints,
  leadingPoints,
  PAIR_CANDIDATES_MAX,
  pairPoints,
  purposeLoss,
} from '../scoring/formula.ts'
import { wordsOf } from './document-words.ts'
import { type CandidateDocument, standSideBySide, tokensOf } from './candidate-document.ts'
import { factorOf, popularityOf } from './rules.ts'
import type { RankedDocument } from './sort.ts'
import type { SlotAlternatives } from './words.ts'

/**
 * Adds a bonus to the best documents, for query words side by side in the title and for leading
 * ones, takes points from those that are for what is sought, and sorts them again by score. Ties
 * keep their order, except between documents that are otherwise equal: the one with earlier words
 * comes first. Checks only the first 200, and only if the text match score is the first sort key.
 *
 * @param documents in the order of the sort keys
 */
export function addBonus(
  plan: SearchPlan,
  slots: readonly SlotAlternatives[],
  documents: readonly RankedDocument[],
  analyzer: Analyzer,
): RankedDocument[] {
  const isTitleSearched = plan.titleField >= 0 && plan.fieldWeights[plan.titleField]! > 0
  if (!isByScore(plan.sort[0]) || !isTitleSearched) return [...documents]

  const raised = documents.slice(0, PAIR_CANDIDATES_MAX).map(({ document, textMatchScore }) => {
    const pairs = pairsInTitle(plan, slots, document)
    const leading = leadingInTitle(plan, slots, document)
    const bonus = [...pairs, ...leading].reduce((sum, { points }) => sum + points, 0)
    const factor = factorOf(plan, document, analyzer)
    const loss = isForQuery(plan, slots, document) ? purposeLoss(textMatchScore) : 0
    return {
      document,
      textMatchScore: textMatchScore + boostedPoints(bonus, factor) - loss,
      before: textMatchScore,
      level: popularityOf(plan, document).level,
      place: tiesByPlace(plan) ? placesInTitle(plan, document) : 0,
    }
  })
  raised.sort(
    (a, b) =>
      b.textMatchScore - a.textMatchScore ||
      (tiesByPlace(plan) ? b.before - a.before || b.level - a.level || a.place - b.place : 0),
  )
  return [
    ...raised.map(({ document, textMatchScore }) => ({ document, textMatchScore })),
    ...documents.slice(PAIR_CANDIDATES_MAX),
  ]
}

/** How early the query words appear in the title: lower is earlier. */
function placesInTitle(plan: SearchPlan, document: CandidateDocument): number {
  const tokens = tokensOf(document, plan.titleField)
  const { impacts } = wordsOf(document)
  let sum = 0
  for (const { stem, stopword } of plan.slots) {
    if (stopword) continue
    if (!impacts.has(stem)) return NOWHERE
    const places = tokens.filter((token) => token.stem === stem).map(({ position }) => position)
    if (places.length === 0) return NOWHERE
    sum += Math.min(...places)
  }
  return sum
}

/** Neighbouring query words that are side by side in the title. */
export function pairsInTitle(
  plan: SearchPlan,
  slots: readonly SlotAlternatives[],
  document: CandidateDocument,
): PairExplanation[] {
  const pairs: PairExplanation[] = []
  for (let i = 0; i + 1 < slots.length; i++) {
    const left = slots[i]!
    const right = slots[i + 1]!
    if (!left.known || !right.known) continue
    if (!holdsAny(document, left) || !holdsAny(document, right)) continue
    if (standSideBySide(document, plan.titleField, left.pairBonusStems, right.pairBonusStems)) {
      const points = pairPoints(left.weight, right.weight)
      pairs.push({ left: left.slot.form, right: right.slot.form, points })
    }
  }
  return pairs
}

/** Whether the document has a word of a slot anywhere: most have none. */
function holdsAny(document: CandidateDocument, { pairBonusStems }: SlotAlternatives): boolean {
  const { impacts } = wordsOf(document)
  for (const stem of pairBonusStems) if (impacts.has(stem)) return true
  return false
}

/** Whether the title has an accessory mark that is directly followed by the words of the query. */
export function isForQuery(
  plan: SearchPlan,
  slots: readonly SlotAlternatives[],
  document: CandidateDocument,
): boolean {
  const { accessoryMarks, titleField } = plan
  if (accessoryMarks === undefined || !ranksBy(plan, 'purpose')) return false
  const sought = slots.filter(({ known, slot }) => known && !slot.stopword)
  if (sought.length === 0 || !sought.every((slot) => holdsAny(document, slot))) return false
  const title = tokensOf(document, titleField)
  return title
    .filter(({ form }) => accessoryMarks.includes(form))
    .some(({ position: mark }) =>
      sought.every(({ pairBonusStems }) =>
        title.some(
          ({ stem, position }) =>
            pairBonusStems.has(stem) && position > mark && position <= mark + sought.length,
        ),
      ),
    )
}

/** Query words in the title before all accessory marks. */
export function leadingInTitle(
  plan: SearchPlan,
  slots: readonly SlotAlternatives[],
  document: CandidateDocument,
): LeadingExplanation[] {
  const { accessoryMarks = [], titleField } = plan
  if (!ranksLeading(plan)) return []
  const title = tokensOf(document, titleField)
  const marks = title.filter(({ form }) => accessoryMarks.includes(form))
  const end = Math.min(...marks.map(({ position }) => position))
  return slots
    .filter(({ known, slot }) => known && !slot.stopword)
    .filter((slot) =>
      title.some(({ stem, position }) => slot.pairBonusStems.has(stem) && position < end),
    )
    .map(({ slot, weight }) => ({ form: slot.form, points: leadingPoints(weight) }))
}
