import type { CompletionRequest, QuerySlot, SlotExpansion } from '@aisle/engine'
import type { AnalysedQuery } from './analysed-query.ts'
import { readingsOf, replaceWords } from './correct-query.ts'
import { conditionsOf, ownCondition, type Reading } from './alternative-queries.ts'

/** A query, and what may have been meant instead. */
export interface Doubt {
  readonly meant: Reading
  /** The words that a document must contain to match the query as typed; undefined if none does. */
  readonly typed: CompletionRequest['words'] | undefined
}

/**
 * The catalog may contain misspellings too: corrections of a known word may be what was meant. So
 * may words near an unknown one that is most likely not a misspelling of them. Pure; the index
 * decides whether they find more than the words as typed.
 *
 * @param expansions the expansions of each of `words`, in their order
 * @returns undefined if no word is in doubt
 */
export function doubtOf(
  query: AnalysedQuery,
  words: readonly QuerySlot[],
  expansions: readonly SlotExpansion[],
): Doubt | undefined {
  // Most queries have no such word and allocate nothing.
  if (!expansions.some(isDoubtful)) return undefined
  const { analyzer } = query
  const replacements = new Map<string, string>()
  const meant: string[][] = []
  const typed: string[][] = []
  let isFindable = true
  for (const [i, expansion] of expansions.entries()) {
    const word = words[i]!
    const known = expansion.known ? ownCondition(word, expansion, analyzer) : undefined
    // If there are any of these, the word has no other expansion.
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
