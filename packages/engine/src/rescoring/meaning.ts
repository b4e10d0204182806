import { matches } from './filter.ts'
import type { Analyzer } from '../analysis/analyzer.ts'
import type { MeaningExplanation } from '../query/explanation.ts'
import type { PlannedMeaning, SearchPlan } from '../query/plan.ts'
import { PAIR_CANDIDATES_MAX } from '../scoring/formula.ts'
import { MEANING_CANDIDATES, orderByMeaning } from '../scoring/meaning.ts'
import { insertedAs } from '../schema/document.ts'
import type { CandidateDocument } from './candidate-document.ts'
import { meetsConditions } from './conditions.ts'
import { similarityOf } from './similarity.ts'
import type { RankedDocument } from './sort.ts'

/**
 * The documents that no word found and whose meaning is near enough, most similar first.
 *
 * @param others documents that neither words nor pins found
 */
export function foundByMeaning(
  plan: SearchPlan,
  others: readonly CandidateDocument[],
  analyzer: Analyzer,
): CandidateDocument[] {
  const meaning = meaningOf(plan)
  if (meaning?.least === undefined) return []
  const { field, vector, least } = meaning
  return others
    .filter((document) => meetsConditions(plan, document))
    .filter((document) => matches(document, { kind: 'near', field, vector, least }, analyzer))
    .toSorted(
      (a, b) =>
        similarityOf(b, field, vector)! - similarityOf(a, field, vector)! ||
        insertedAs(b) - insertedAs(a),
    )
}

/** The part of a document's explanation that its vector has. */
export function explainMeaning(
  plan: SearchPlan,
  document: CandidateDocument,
): MeaningExplanation | undefined {
  const meaning = meaningOf(plan)
  if (meaning === undefined) return undefined
  const similarity = similarityOf(document, meaning.field, meaning.vector)
  if (similarity === undefined) return undefined
  return meaning.isQuestion ? { similarity, question: true } : { similarity }
}

/**
 * The order of all matches by words and meaning.
 *
 * @param byWords in their order
 * @param byMeaning most similar first
 */
export function rankByMeaning(
  plan: SearchPlan,
  byWords: readonly RankedDocument[],
  byMeaning: readonly CandidateDocument[],
): RankedDocument[] {
  const meaning = meaningOf(plan)
  if (meaning === undefined) return [...byWords]
  const added = byMeaning.map((document): RankedDocument => ({
    document,
    textMatchScore: 0,
    byMeaning: true,
  }))
  const candidates = [
    ...byWords.slice(0, PAIR_CANDIDATES_MAX),
    ...added.slice(0, MEANING_CANDIDATES),
  ]
  const order = orderByMeaning(
    candidates.map(({ document, textMatchScore }) => ({
      score: textMatchScore,
      similarity: similarityOf(document, meaning.field, meaning.vector),
    })),
    meaning,
  )
  return [
    ...order.map((i) => candidates[i]!),
    ...byWords.slice(PAIR_CANDIDATES_MAX),
    ...added.slice(MEANING_CANDIDATES),
  ]
}

/** Without words, there is nothing that meaning could add to. */
function meaningOf({ slots, meaning }: SearchPlan): PlannedMeaning | undefined {
  return slots.length === 0 ? undefined : meaning
}
