import type { SearchParameters } from '@aisle/contract'
import { madeInTurns, type YieldingWork } from '../../domain/turns/gradual.ts'
import type { SearchView } from '../../ports/search/search-backend.ts'
import { uncompiledSets } from './query-sets.ts'
import { uncompiledRules } from './search-rules.ts'

/**
 * Compiles the rules and sets that a search needs, unless this thread has them: after a change,
 * thousands of them take a quarter of a second.
 *
 * @returns undefined if nothing is left to compile, as nearly always
 * @throws ApiError unknown_set
 */
export function compiledFirst(
  view: Pick<SearchView, 'resources' | 'analyzer'>,
  request: Pick<SearchParameters, 'synonym_sets' | 'stopword_sets' | 'apply_rules'>,
  pace: YieldingWork,
): Promise<void> | undefined {
  const rules = uncompiledRules(view, request)
  const sets = uncompiledSets(view, request)
  return rules.length + sets.length === 0 ? undefined : madeInTurns([...rules, ...sets], pace)
}
