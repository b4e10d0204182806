import { askedAlone, type Asked } from './asked.ts'
import type { Bucket } from './product-searches.ts'
import type { Question } from './question.ts'

/**
 * A search has a fixed cost of some .1 to .3 ms of processor time. Listing the terms of a document
 * costs a ten-thousandth of that.
 */
export const LISTED_DOCUMENTS_MAX = 100_000
/** Fewer counts are cheaper one by one. */
const LISTED_MIN = 8

/** Counts of many terms of one field become one search that lists these terms with their counts. */
export function listedTogether(questions: readonly Question<unknown>[]): Asked[] {
  const byField = Map.groupBy(questions, ({ counted }) => counted?.field)
  return [...byField].flatMap(([field, some]) =>
    field === undefined || some.length < LISTED_MIN ? some.map(askedAlone) : [listing(field, some)],
  )
}

function listing(field: string, questions: readonly Question<unknown>[]): Asked {
  const include = questions.map(({ counted }) => counted!.term)
  const listed = (how: object) => ({
    size: 0,
    query: { terms: { [field]: include } },
    aggs: { counts: { terms: { field, include, size: include.length, ...how } } },
  })
  return {
    body: listed({}),
    // As for lists of forms.
    otherBody: () => listed({ execution_hint: 'map' }),
    read: ({ aggregations }) => {
      const buckets = (aggregations?.['counts']?.buckets ?? []) as readonly Bucket[]
      const counts = new Map(buckets.map(({ key, doc_count }) => [String(key), doc_count]))
      return questions.map((question) => [question, counts.get(question.counted!.term) ?? 0])
    },
  }
}
