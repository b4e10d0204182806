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
 * Other queries for the visitor: first corrections of this one, then completions of its last word.
 * Each finds something: some document that passes the filter has all its words.
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
    unfinished === undefined ? undefined : await completeWord(view, plan, unfinished.request)
  return {
    suggestions: rankAlternatives(
      query.text,
      found,
      unfinished?.before ?? '',
      completed?.completions ?? [],
      await view.docCount(),
    ),
    cutoff: cutoff || completed?.cutoff === true,
  }
}

/**
 * The query with suspicious words replaced (known words that may be misspelt in the catalog, unknown
 * ones near a known one), if it finds more documents than the query as typed.
 *
 * @returns `cutoff` if time ran out before this was decided
 */
export async function didYouMean(
  view: SearchView,
  { plan, query, words }: PlannedSearch,
  { expansions }: SearchOutcome,
): Promise<{ readonly text: string | undefined; readonly cutoff: boolean }> {
  const doubt = doubtOf(query, words, expansions)
  if (doubt === undefined) return { text: undefined, cutoff: false }
  const { meant, typed } = doubt
  // The words as typed are the rarer ones, and the others are counted until there are more.
  const own =
    typed === undefined
      ? { docCount: 0, cutoff: false }
      : await view.complete(plan, { words: typed, limit: 1 })
  const countMax = own.docCount + 1
  const other = await view.complete(plan, { words: meant.words, limit: 1, countMax })
  const cutoff = other.cutoff || own.cutoff
  return { text: !cutoff && other.docCount > own.docCount ? meant.text : undefined, cutoff }
}

/**
 * Nothing stands for the word, and it is not being typed any more: if all words are required,
 * nothing can be found.
 */
function isHopeless(expansion: SlotExpansion): boolean {
  const { known, prefix, infix, synonyms } = expansion
  return !known && !prefix && !infix && synonyms.length === 0 && readingsOf(expansion).length === 0
}
