import type { SearchOutcome, SlotExpansion } from '@aisle/engine'
import { readingsOf } from '../../domain/query/correct-query.ts'
import type { PlannedSearch } from '../../domain/plan/plan-search.ts'
import {
  rankAlternatives,
  READINGS_OFFERED_MAX,
  alternativeSources,
  type QuerySuggestion,
  type Reading,
} from '../../domain/query/alternative-queries.ts'
import { completeWord } from './complete-word.ts'
import type { SearchView } from '../../ports/search/search-backend.ts'

/**
 * Finds other queries for the visitor: first corrections of this one, then completions of its last
 * word. Each has results: some document that passes the filter has all its words.
 *
 * @returns `cutoff` if time ran out before all were checked
 */
export async function findAlternativeQueries(
  view: SearchView,
  { plan, query, words }: PlannedSearch,
  { expansions }: SearchOutcome,
): Promise<{ readonly suggestions: readonly QuerySuggestion[]; readonly cutoff: boolean }> {
  if (plan.requireAllTerms === true && expansions.some(isHopeless)) {
    return { suggestions: [], cutoff: false }
  }
  const { readings, unfinished } = alternativeSources(query, words, expansions)
  const found: Reading[] = []
  let cutoff = false
  for (const reading of readings) {
    if (found.length === READINGS_OFFERED_MAX) break
    const counted = await view.complete(plan, { words: reading.words, limit: 1, countMax: 1 })
    cutoff ||= counted.cutoff
    if (counted.docCount > 0 && reading.words.length > 0) found.push(reading)
  }
  const completed =
    unfinished === undefined
      ? undefined
      : await completeWord(view, plan, { before: unfinished.before, ...unfinished.request })
  return {
    suggestions: rankAlternatives(
      query.text,
      found,
      completed?.before ?? '',
      completed?.completions ?? [],
      await view.docCount(),
    ),
    cutoff: cutoff || completed?.cutoff === true,
  }
}

/**
 * The word has no spelling in the index and is complete: if all words are required, nothing can be
 * found.
 */
function isHopeless(expansion: SlotExpansion): boolean {
  const { known, prefix, infix, synonyms } = expansion
  return !known && !prefix && !infix && synonyms.length === 0 && readingsOf(expansion).length === 0
}
