import { askedAlone, type Asked } from './asked.ts'
import type { Bucket } from './product-searches.ts'
import type { Question } from './question.ts'

/**
 * Maximum of documents for which listing terms is cheaper: a search costs 0.1 to 0.3 ms of
 * processor time, and listing the terms of a document a ten-thousandth of that.
 */
export const LISTED_DOCUMENTS_MAX = 100_000
/** Minimum of counts to list together; fewer are cheaper one by one. */
const LISTED_MIN = 8

/** Combines the counts of many terms of one field into one search that lists these terms. */
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
    // For the same reason as in lists of forms.
    otherBody: () => listed({ execution_hint: 'map' }),
    read: ({ aggregations }) => {
      const buckets = (aggregations?.['counts']?.buckets ?? []) as readonly Bucket[]
      const counts = new Map(buckets.map(({ key, doc_count }) => [String(key), doc_count]))
      return questions.map((question) => [question, counts.get(question.counted!.term) ?? 0])
    },
  }
}
