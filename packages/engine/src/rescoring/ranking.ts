import type { Analyzer } from '../analysis/analyzer.ts'
import type { SearchPlan } from '../query/plan.ts'
import type { Schema } from '../schema/schema.ts'
import { fullMatchPoints, relevantPoints } from '../scoring/formula.ts'
import { addBonus } from './bonus.ts'
import type { CandidateDocument } from './candidate-document.ts'
import { type ScoredDocument, type WordDemand, rankingScore, scoreDocument } from './score.ts'
import { type RankedDocument, sortDocuments } from './sort.ts'
import type { SlotAlternatives } from './words.ts'
import type { WordCatalog } from './word-catalog.ts'

/** The documents that match the words of a query well enough ("Relevance"). */
export function relevantDocuments(
  plan: SearchPlan,
  slots: readonly SlotAlternatives[],
  documents: readonly CandidateDocument[],
  catalog: WordCatalog,
  demand: WordDemand,
): ScoredDocument[] {
  const scored = documents
    .map((document) => scoreDocument(plan, slots, document, catalog, demand))
    .filter((scored) => scored !== undefined)
  const best = Math.max(0, ...scored.map(({ points }) => points))
  return scored.filter(({ points }) => points >= relevantPoints(plan.minRelevance, best))
}

/**
 * The order of matching documents, without pins. The best rise if query words are side by side in
 * their title.
 */
export function rankDocuments(
  plan: SearchPlan,
  slots: readonly SlotAlternatives[],
  matching: readonly ScoredDocument[],
  { analyzer, schema }: { readonly analyzer: Analyzer; readonly schema: Schema },
): RankedDocument[] {
  const inOrder = sortDocuments(
    matching.map((scored) => ({
      document: scored.document,
      textMatchScore: rankingScore(plan, scored, analyzer),
    })),
    plan,
    schema,
    analyzer,
    fullMatchPoints(slots.map(({ weight }) => weight)),
  )
  return addBonus(plan, slots, inOrder, analyzer)
}
