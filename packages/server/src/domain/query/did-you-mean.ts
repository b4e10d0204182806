import type { CompletionRequest, QuerySlot, SlotExpansion } from '@aisle/engine'
import type { AnalysedQuery } from './analysed-query.ts'
import { readingsOf, replaceWords } from './correct-query.ts'
import { conditionsOf, ownCondition, type Reading } from './alternative-queries.ts'

/** A query, and what may have been meant instead. */
export interface Doubt {
  readonly meant: Reading
  /** What a document must hold to match the query as typed; undefined: no document does. */
  readonly typed: CompletionRequest['words'] | undefined
}

/**
 * The catalog may contain misspellings too: corrections of a known word may be what was meant. So
 * may words near an unknown one that is no misspelling of them by all likelihood. Pure; the index
 * decides whether they find more than the words as typed.
 *
 * @param expansions what stood for each of `words`, in their order
 * @returns undefined if no word is in doubt
 */
export function doubtOf(
  query: AnalysedQuery,
  words: readonly QuerySlot[],
  expansions: readonly SlotExpansion[],
): Doubt | undefined {
  // Most queries: nothing is made for them.
  if (!expansions.some(isDoubtful)) return undefined
  const { analyzer } = query
  const replacements = new Map<string, string>()
  const meant: string[][] = []
  const typed: string[][] = []
  let isFindable = true
  for (const [i, expansion] of expansions.entries()) {
    const word = words[i]!
    const known = expansion.known ? ownCondition(word, expansion, analyzer) : undefined
    // Where there are any of these, nothing stands for the word.
    const [unlikely] = expansion.unlikely
    if (unlikely !== undefined) isFindable = false
    const meantWords = unlikely === undefined ? readingsOf(expansion) : [unlikely]
    const best = known === undefined ? meantWords[0] : expansion.corrections[0]
    if (best !== undefined) replacements.set(word.stem, best)
    const other = best === undefined ? (known ?? []) : conditionsOf(best, analyzer)
    meant.push(...other)
    typed.push(...(known ?? other))
  }
  const text = replaceWords(query, replacements)
  if (text === query.text) return undefined
  return { meant: { text, words: meant }, typed: isFindable ? typed : undefined }
}

function isDoubtful({ known, corrections, unlikely }: SlotExpansion): boolean {
  return unlikely.length > 0 || (known && corrections.length > 0)
}
