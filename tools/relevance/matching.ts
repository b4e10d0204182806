import type { StoreKeys, ThinClient } from '@aisle/testing'
import { mean, quantile } from '../lib/metrics.ts'
import { textTable } from '../lib/text-table.ts'
import type { JudgedSet } from './judged-set.ts'
import { mapConcurrently } from './run-queries.ts'

/**
 * Which documents match, in any order: this matters to a shop that sorts by price, counts facets or
 * filters. Only judged documents are considered.
 */
export interface MatchedDocuments {
  /** Documents that a query finds. */
  readonly found: number
  readonly matchedTerms: 'all' | 'any'
  /** Precision: the share of good ones among the judged documents found; undefined: none found. */
  readonly precision: number | undefined
  /** Recall: the share of good documents that are found; undefined: there are none. */
  readonly recall: number | undefined
}

/** Maximum of ids in one filter. */
const IDS_PER_FILTER = 200

/**
 * Runs each query on its judged documents only: a filter does not affect which words must match.
 */
export async function matchedDocuments(
  client: ThinClient,
  keys: StoreKeys,
  { queries, goodGrade }: Pick<JudgedSet, 'queries' | 'goodGrade'>,
  parameters: Readonly<Record<string, unknown>>,
): Promise<MatchedDocuments[]> {
  return await mapConcurrently(queries, 2, async ({ text, judgments }) => {
    const ask = (more: object) =>
      client.search(keys, { ...parameters, q: text, highlight: false, return_fields: [], ...more })
    const { found, matched_terms: matchedTerms } = await ask({ per_page: 0 })
    const judged = [...judgments.keys()]
    const matching = new Set<string>()
    for (let at = 0; at < judged.length; at += IDS_PER_FILTER) {
      const ids = judged.slice(at, at + IDS_PER_FILTER)
      const answer = await ask({ filters: { id: ids }, per_page: IDS_PER_FILTER })
      for (const { id } of answer.hits) matching.add(id)
    }
    const isGood = (id: string) => (judgments.get(id) ?? 0) >= goodGrade
    const good = judged.filter(isGood)
    const goodFound = good.filter((id) => matching.has(id)).length
    return {
      found,
      matchedTerms,
      precision: matching.size === 0 ? undefined : goodFound / matching.size,
      recall: good.length === 0 ? undefined : goodFound / good.length,
    }
  })
}

export function printMatched(
  sets: readonly { readonly name: string; readonly matched: readonly MatchedDocuments[] }[],
): void {
  const rows = sets.map(({ name, matched }) => [
    name,
    String(matched.length),
    share(matched.filter(({ matchedTerms }) => matchedTerms === 'all').length / matched.length),
    String(
      quantile(
        matched.map(({ found }) => found),
        0.5,
      ),
    ),
    share(mean(matched.map(({ precision }) => precision))),
    share(mean(matched.map(({ recall }) => recall))),
  ])
  const heading = ['what matches', 'queries', 'all words', 'found, median', 'precision', 'recall']
  console.log(`\n${textTable([heading, ...rows])}`)
}

function share(value: number | undefined): string {
  return value === undefined ? '' : value.toFixed(3)
}
