import type { CompletionRequest, QuerySlot, SlotExpansion } from '@aisle/engine'
import type { AnalysedQuery } from './analysed-query.ts'
import { readingsOf, replaceWords } from './correct-query.ts'
import { conditionsOf, ownCondition, type Reading } from './alternative-queries.ts'

/** A query of known words, and what may have been meant instead. */
export interface Doubt {
  readonly meant: Reading
  /** What a document must hold to match the query as typed. */
  readonly typed: CompletionRequest['words']
}

/**
 * The catalog may contain misspellings too: corrections of a known word may be what was meant.
 * Pure; the index decides whether they find more than the words as typed.
 *
 * @param expansions what stood for each of `words`, in their order
 * @returns undefined if no known word has a correction
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
  for (const [i, expansion] of expansions.entries()) {
    const word = words[i]!
    const known = expansion.known ? ownCondition(word, expansion, analyzer) : undefined
    const best = known === undefined ? readingsOf(expansion)[0] : expansion.corrections[0]
    if (best !== undefined) replacements.set(word.stem, best)
    const other = best === undefined ? (known ?? []) : conditionsOf(best, analyzer)
    meant.push(...other)
    typed.push(...(known ?? other))
  }
  const text = replaceWords(query, replacements)
  return text === query.text ? undefined : { meant: { text, words: meant }, typed }
}

function isDoubtful({ known, corrections }: SlotExpansion): boolean {
  return known && corrections.length > 0
}
