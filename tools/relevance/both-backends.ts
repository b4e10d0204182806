import { randomUUID } from 'node:crypto'
import { Cluster } from '../cluster/cluster.ts'
import { mean } from '../lib/metrics.ts'
import { textTable } from '../lib/text-table.ts'
import type { SetReport } from './print.ts'
import type { QueryResult } from './run-queries.ts'

/** Maximum difference of NDCG between the embedded engine and a cluster. */
export const DIFFERENCE_MAX = 0.005

/**
 * Runs something with the variables that make a service an API node.
 *
 * @param url of a running OpenSearch, in which the run creates separate indices; absent: a cluster
 * of three nodes is started for the run
 * @throws NoClusterError if none can be started
 */
export async function onOpenSearch<T>(
  url: string | undefined,
  run: (environment: Readonly<Record<string, string>>) => Promise<T>,
): Promise<T> {
  if (url === undefined) {
    await using cluster = await Cluster.start()
    return await run({ AISLE_OPENSEARCH_URL: cluster.urls.join(',') })
  }
  const prefix = `relevance-${randomUUID().slice(0, 8)}`
  try {
    return await run({ AISLE_OPENSEARCH_URL: url, AISLE_OPENSEARCH_PREFIX: prefix })
  } finally {
    await removeIndices(url.split(',')[0]!, prefix)
  }
}

/** One after the other, by name: a cluster may refuse to delete by pattern. */
async function removeIndices(url: string, prefix: string): Promise<void> {
  const answer = await fetch(`${url}/_cat/indices/${prefix}-*?format=json&h=index`)
  for (const { index } of (await answer.json()) as { index: string }[]) {
    await fetch(`${url}/${index}`, { method: 'DELETE' })
  }
}

/**
 * Prints the figures of both, and the number of queries with equal answers.
 * @returns the largest absolute difference of NDCG
 */
export function printBackends(
  embedded: readonly SetReport[],
  cluster: readonly SetReport[],
): number {
  let largest = 0
  const row = (name: string, of: (set: SetReport) => number, at: number): string[] => {
    const [ours, theirs] = [of(embedded[at]!), of(cluster[at]!)]
    largest = Math.max(largest, Math.abs(theirs - ours))
    return [name, ours.toFixed(4), theirs.toFixed(4), signed(theirs - ours)]
  }
  const rows = embedded.flatMap(({ name, results, typo }, at) => {
    const alike = (are: (a: QueryResult, b: QueryResult) => boolean): string => {
      const count = results.filter((one, i) => are(one, cluster[at]!.results[i]!)).length
      return `${count} of ${results.length}`
    }
    const whole = [
      ...row(name, (set) => mean(set.results.map(({ ndcg }) => ndcg)), at),
      alike((a, b) => a.found === b.found),
      alike((a, b) => firstOf(a) === firstOf(b)),
    ]
    if (typo === undefined) return [whole]
    return [whole, [...row(`${name}, as typed`, (set) => set.typo!.asTyped, at), '', '']]
  })
  const heading = [
    'NDCG@10 (dev)',
    'embedded',
    'cluster',
    'difference',
    'same found',
    'same first 10',
  ]
  console.log(`\n${textTable([heading, ...rows])}`)
  printDifferences(embedded, cluster)
  console.log(`the largest difference is ${largest.toFixed(4)}, allowed are ${DIFFERENCE_MAX}`)
  return largest
}

/** Matches that a cluster ranks by the formula of one machine (`PAIR_CANDIDATES_MAX`). */
const RANKED_MAX = 200

/** Prints which first tens differ, and how. */
function printDifferences(embedded: readonly SetReport[], cluster: readonly SetReport[]): void {
  const rows = embedded.flatMap(({ name, results }, at) => {
    const pairs = results.map((one, i) => [one, cluster[at]!.results[i]!] as const)
    const row = (title: string, some: typeof pairs): string[] => {
      const differing = some.filter(([a, b]) => firstOf(a) !== firstOf(b))
      const reordered = differing.filter(([a, b]) => sortedFirstOf(a) === sortedFirstOf(b))
      const others = differing.length - reordered.length
      return [name, title, ...[some.length, differing.length, reordered.length, others].map(String)]
    }
    return [
      row(
        `up to ${RANKED_MAX}`,
        pairs.filter(([{ found }]) => found <= RANKED_MAX),
      ),
      row(
        'more',
        pairs.filter(([{ found }]) => found > RANKED_MAX),
      ),
    ]
  })
  const heading = ['first 10', 'matches', 'queries', 'differ', 'in order only', 'in documents']
  console.log(`\n${textTable([heading, ...rows])}`)
}

function sortedFirstOf({ ranked }: QueryResult): string {
  return ranked.slice(0, 10).toSorted().join(' ')
}

function firstOf({ ranked }: QueryResult): string {
  return ranked.slice(0, 10).join(' ')
}

function signed(value: number): string {
  return `${value < 0 ? '' : '+'}${value.toFixed(4)}`
}
