import type { SearchOutcome } from '@aisle/engine'
import { doubtOf } from '../../domain/query/did-you-mean.ts'
import type { PlannedSearch } from '../../domain/plan/plan-search.ts'
import type { SearchView } from '../../ports/search/search-backend.ts'

/**
 * Returns the query with suspicious words replaced (known words that may be misspelt in the
 * catalog, unknown ones near a known one), if it finds more documents than the query as typed.
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
  // The words as typed are rarer, so counting the others stops once there are more.
  const own =
    typed === undefined
      ? { docCount: 0, cutoff: false }
      : await view.complete(plan, { words: typed, limit: 1 })
  const countMax = own.docCount + 1
  const other = await view.complete(plan, { words: meant.words, limit: 1, countMax })
  const cutoff = other.cutoff || own.cutoff
  return { text: !cutoff && other.docCount > own.docCount ? meant.text : undefined, cutoff }
}
