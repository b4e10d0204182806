import type { SearchOutcome, SlotExpansion } from '@aisle/engine'
import { readingsOf } from '../../domain/query/correct-query.ts'
import { doubtOf } from '../../domain/query/did-you-mean.ts'
import type { PlannedSearch } from '../../domain/plan/plan-search.ts'
import {
  rankAlternatives,
  READINGS_OFFERED_MAX,
  alternativeSources,
  type QuerySuggestion,
  type Reading,
} from '../../domain/query/alternative-queries.ts'
import { completeWord } from './complete-word.ts'
import type { SearchView } from '../../ports/search-backend.ts'

/**
 * Other queries for the visitor: corrections of this one first, then completions of its last word.
 * Each finds something: its words stand together in a document that passes the filter of the
 * search.
 *
 * @returns `cutoff` when time was up before all were looked at
 */
export async function findAlternativeQueries(
  view: SearchView,
  { plan, query, words }: PlannedSearch,
  { expansions }: SearchOutcome,
): Promise<{ readonly suggestions: readonly QuerySuggestion[]; readonly cutoff: boolean }> {
  if (plan.requireAllTerms && expansions.some(isHopeless)) return { suggestions: [], cutoff: false }
  const { readings, unfinished } = alternativeSources(query, words, expansions)
  const found: Reading[] = []
  let cutoff = false
  for (const reading of readings) {
    if (found.length === READINGS_OFFERED_MAX) break
    const counted = await view.complete(plan, { words: reading.words, limit: 1 })
    cutoff ||= counted.cutoff
    if (counted.docCount > 0 && reading.words.length > 0) found.push(reading)
  }
  const completed =
    unfinished === undefined ? undefined : await completeWord(view, plan, unfinished.request)
  return {
    suggestions: rankAlternatives(
      query.text,
      found,
      unfinished?.before ?? '',
      completed?.completions ?? [],
      view.docCount,
    ),
    cutoff: cutoff || completed?.cutoff === true,
  }
}

/**
 * The query with known words replaced that may be misspelt in the catalog too, when it finds more
 * documents than the query as it was typed.
 *
 * @returns `cutoff` when time was up before that was known
 */
export async function didYouMean(
  view: SearchView,
  { plan, query, words }: PlannedSearch,
  { expansions }: SearchOutcome,
): Promise<{ readonly text: string | undefined; readonly cutoff: boolean }> {
  const doubt = doubtOf(query, words, expansions)
  if (doubt === undefined) return { text: undefined, cutoff: false }
  const { meant, typed } = doubt
  const other = await view.complete(plan, { words: meant.words, limit: 1 })
  const own = await view.complete(plan, { words: typed, limit: 1 })
  const cutoff = other.cutoff || own.cutoff
  return { text: !cutoff && other.docCount > own.docCount ? meant.text : undefined, cutoff }
}

/**
 * Nothing stands for the word, and nobody is still typing it: where all words are required, all is
 * lost.
 */
function isHopeless(expansion: SlotExpansion): boolean {
  const { known, prefix, infix, synonyms } = expansion
  return !known && !prefix && !infix && synonyms.length === 0 && readingsOf(expansion).length === 0
}
