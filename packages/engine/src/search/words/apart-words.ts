import type { QuerySlot } from '../../query/plan.ts'
import { WEIGHT_SPLIT } from '../../scoring/formula.ts'
import type { SearchRun } from '../view/search-run.ts'
import { findPhrase } from './phrase-documents.ts'
import type { PhraseAlternative } from './resolved-slot.ts'

/** The ways to write a word of letters and digits apart that occur in live documents. */
export interface ApartWords {
  /** In the order of the slot. */
  readonly phrases: readonly PhraseAlternative[]
  /** Live documents of the most frequent phrase; 0 if there are none. */
  readonly docFreq: number
}

/**
 * Alternative 3 of docs/ranking.md: letters and digits written apart.
 *
 * @param ownGroup stem group of the word, -1 if it has none
 */
export function findApartWords(run: SearchRun, slot: QuerySlot, ownGroup: number): ApartWords {
  const { view } = run
  const { terms } = view
  const phrases: PhraseAlternative[] = []
  let largest = 0
  for (const words of slot.apart) {
    const groups = words.map((word) => terms.find(word.stem))
    if (groups.some((group) => group < 0 || terms.groupDocFreq(group) === 0)) continue
    const found = findPhrase(run, groups, WEIGHT_SPLIT, ownGroup)
    if (found.docFreq === 0) continue
    largest = Math.max(largest, found.docFreq)
    const forms = words.map((word) => word.form)
    phrases.push({ variant: 'split', words: forms, documents: found.documents })
  }
  return { phrases, docFreq: largest }
}
