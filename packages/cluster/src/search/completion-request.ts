import { compareByCodePoint, completionCandidates, type WordSource } from '@aisle/engine/rescoring'
import type { CompletionOutcome, CompletionRequest, SearchPlan } from '@aisle/engine'
import { filterQuery } from './filter-query.ts'
import type { Bucket, SearchAnswer } from './product-searches.ts'
import { anyOf, stemsIn } from './row-query.ts'
import { conditionQueries } from './word-query.ts'
import type { SearchPlace } from './search-place.ts'

/** Finds completions of the last word, and the search that counts the documents of each. */
export interface CompletionSearch {
  readonly candidates: readonly { readonly form: string; readonly stem: string }[]
  readonly body: object
}

/** "Completions" in docs/ranking.md. Use it within `Facts.settle`. */
export function completionSearch(
  plan: SearchPlan,
  { words, fields, prefix, countMax }: CompletionRequest,
  place: SearchPlace,
  source: WordSource,
): CompletionSearch {
  const searched = plan.fieldWeights.flatMap((weight, field) =>
    weight > 0 && (fields === undefined || fields[field] === true) ? [field] : [],
  )
  const holds = (stems: readonly string[]) =>
    searched.length === 0 || stems.length === 0 ? anyOf([]) : stemsIn(place.scope, searched, stems)
  const candidates = prefix === undefined ? [] : completionCandidates(prefix, words, source)
  const { filter, must_not } = conditionQueries({ place, plan })
  const planFilter = plan.filter === undefined ? [] : [filterQuery(place, plan.filter)]
  const filters = candidates.map(({ stem }) => holds([stem]))
  return {
    candidates,
    body: {
      size: 0,
      // Beyond this number, the cluster need not count.
      track_total_hits: prefix === undefined ? (countMax ?? true) : true,
      query: { bool: { filter: [...filter, ...planFilter, ...words.map(holds)], must_not } },
      ...(filters.length === 0 ? {} : { aggs: { candidates: { filters: { filters } } } }),
    },
  }
}

export function readCompletions(
  { candidates }: CompletionSearch,
  answer: SearchAnswer,
  { prefix, limit, countMax = Infinity }: CompletionRequest,
): CompletionOutcome {
  const buckets = (answer.aggregations?.['candidates']?.buckets ?? []) as readonly Bucket[]
  const completions = candidates
    .map(({ form }, i) => ({ form, docCount: buckets[i]?.doc_count ?? 0 }))
    .filter(({ docCount }) => docCount > 0)
    .sort((a, b) => b.docCount - a.docCount || compareByCodePoint(a.form, b.form))
    .slice(0, limit)
  const found = answer.hits.total?.value ?? 0
  const docCount = prefix === undefined ? Math.min(found, countMax) : found
  return { docCount, completions, cutoff: answer.timed_out }
}
