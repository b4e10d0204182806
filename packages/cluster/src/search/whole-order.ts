import {
  MEANING_CANDIDATES,
  pinnedDocument,
  placePins,
  rankByMeaning,
} from '@aisle/engine/rescoring'
import type { CandidateDocument, RankedDocument } from '@aisle/engine/rescoring'
import type { SearchPlan } from '@aisle/engine'
import type { Page } from './main-request.ts'

/** What no word finds, only its meaning. */
export interface FoundByMeaning {
  /** The most similar ones. */
  readonly documents: readonly CandidateDocument[]
  readonly total: number
}

/** The parts of an order, none of them with pinned documents. */
export interface OrderParts {
  /** What words find, from the first rank of the page on. */
  readonly byWords: readonly RankedDocument[]
  readonly page: Page
  /** How many documents words find. */
  readonly wordCount: number
  readonly byMeaning: FoundByMeaning
  readonly pinned: readonly CandidateDocument[]
}

/**
 * The whole order from the first rank on. It has no documents before the page, and after its end
 * not all of them.
 */
export function wholeOrder(plan: SearchPlan, parts: OrderParts): (RankedDocument | undefined)[] {
  const pins = new Map(
    parts.pinned.map((document) => [document.id, pinnedDocument(plan, document)] as const),
  )
  return placePins<RankedDocument | undefined>(plan, withMeaning(plan, parts), pins)
}

function withMeaning(
  plan: SearchPlan,
  { byWords, page, wordCount, byMeaning }: OrderParts,
): (RankedDocument | undefined)[] {
  if (page.from === 0) return rankByMeaning(plan, byWords, byMeaning.documents)
  // A page behind all that compete with each other: of these, only the number counts.
  const competing = Math.min(MEANING_CANDIDATES, byMeaning.total)
  const before = Array.from({ length: Math.min(page.from, wordCount) + competing }, () => undefined)
  const others = rankByMeaning(plan, [], byMeaning.documents).slice(competing)
  return [...before, ...byWords, ...others]
}
