import type { SearchPlan } from '../../query/plan.ts'
import { WEIGHT_SPLIT } from '../../scoring/formula.ts'
import type { SearchRun } from '../view/search-run.ts'
import { findPhrase } from './phrase-documents.ts'
import type { PhraseDocuments } from './resolved-slot.ts'

/** A word split into two halves that are side by side in some document. */
export interface SplitPair {
  readonly left: string
  readonly right: string
  /** Live documents with the halves side by side in a searched field, >= 1. */
  readonly docFreq: number
  /** By segment; deleted documents included. */
  readonly documents: readonly PhraseDocuments[]
}

/**
 * Alternative 3 of docs/ranking.md: a word that documents write as two.
 *
 * @param quality q of a pair
 * @param ownGroup stem group of the word, -1 if it has none; documents with it are skipped
 */
export function findSplitPairs(
  run: SearchRun,
  splits: SearchPlan['slots'][number]['splits'],
  ownGroup: number,
  quality = WEIGHT_SPLIT,
): SplitPair[] {
  const { view } = run
  const { terms, analyzer } = view
  const found: SplitPair[] = []
  for (const { left, right } of splits) {
    const leftForm = terms.find(left)
    if (leftForm < 0 || terms.formDocFreq(leftForm) === 0) continue
    const rightGroup = terms.find(analyzer.stem(right))
    if (rightGroup < 0 || terms.groupDocFreq(rightGroup) === 0) continue
    const leftGroup = terms.find(analyzer.stem(left))
    const groups = [leftGroup, rightGroup]
    const pair = findPhrase(run, groups, quality, ownGroup)
    if (pair.docFreq > 0) found.push({ left, right, ...pair })
  }
  return found
}
