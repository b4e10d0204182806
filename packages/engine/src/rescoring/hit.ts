import type { Analyzer } from '../analysis/analyzer.ts'
import type { RankedHit, SearchPlan } from '../query/plan.ts'
import { explainAlone } from '../query/explanation.ts'
import { explainScore } from './explain.ts'
import { explainMeaning } from './meaning.ts'
import type { RankedDocument } from './sort.ts'
import type { SlotAlternatives } from './words.ts'
import type { WordCatalog } from './word-catalog.ts'

/** What explains a score: the words of the query, and their catalog. */
export interface HitWords {
  slots: readonly SlotAlternatives[]
  catalog: WordCatalog
  analyzer: Analyzer
}

/**
 * The hits of a page, with explanations if the plan asks for them. A pinned document has no score
 * to explain.
 */
export function hitsOf(
  plan: SearchPlan,
  { slots, catalog, analyzer }: HitWords,
  page: readonly RankedDocument[],
): RankedHit[] {
  return page.map(({ document, textMatchScore, pinned, byId, byMeaning }): RankedHit => {
    const hit = { docKey: document.docKey, textMatchScore }
    if (pinned === true) return byId === true ? { ...hit, pinned, byId } : { ...hit, pinned }
    if (!plan.explain) return hit
    const meaning = explainMeaning(plan, document)
    if (byMeaning === true) return { ...hit, explanation: explainAlone(meaning!) }
    const explanation = explainScore(plan, slots, document, textMatchScore, catalog, analyzer)
    return {
      ...hit,
      explanation: meaning === undefined ? explanation : { ...explanation, meaning },
    }
  })
}
