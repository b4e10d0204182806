import { textTable } from '../../tools/lib/text-table.ts'
import { SIDES, type ClusterReport, type Side } from './cluster-level.ts'
import type { Latency } from './measure.ts'
import { QUERY_CLASSES, type QueryClassName } from './query-classes.ts'

const TITLES: Readonly<Record<Side, string>> = {
  cluster: 'Aisle on the cluster',
  plain: 'OpenSearch alone',
  embedded: 'Aisle, one machine',
}
/** Multiple of the plain request. */
const RATIO_MAX = 2
/** Multiple of the rate of the plain bulk. */
const BULK_RATIO_MIN = 0.5

/** Renders the report as Markdown. */
export function clusterText({
  nodes,
  shards,
  bulk,
  classes,
  costs,
  changing,
  recurring,
}: ClusterReport): string {
  const names = Object.keys(QUERY_CLASSES).filter((name) => name in classes) as QueryClassName[]
  const rows = names.map((name) => {
    const of = classes[name]!
    return [
      QUERY_CLASSES[name].title,
      ...SIDES.flatMap((side) => [best(of[side]), all(of[side])]),
      ratio(of.cluster, of.plain),
      costs[name]?.requests.toFixed(1) ?? '',
      costs[name]?.nodeMs.toFixed(1) ?? '',
      best(changing[name]?.cluster),
      ratio(changing[name]?.cluster, changing[name]?.plain),
      best(recurring[name]?.cluster),
      ratio(recurring[name]?.cluster, recurring[name]?.plain),
    ]
  })
  const heads = SIDES.flatMap((side) => [TITLES[side], 'every run'])
  const parts = [
    `${nodes} nodes, ${shards} ${shards === 1 ? 'shard' : 'shards'} with a copy each. p50 / p99 in ms, each query by the best of its passes; ` +
      `"every run": of all passes. Times: the cluster over OpenSearch alone, at most ${RATIO_MAX} is wanted. ` +
      `Requests to the cluster, and processor time of the API node in ms: of a search, on average. "Changing": while a document is written to each every second, and the times of that; before, nothing was written, and the node knows words and facets from the first pass. "Recurring": searches that were sent before and whose answers the node may have kept, which it doesn't do for the others; and the times of that.`,
    textTable([
      ['class', ...heads, 'times', 'requests', 'node', 'changing', 'times', 'recurring', 'times'],
      ...rows,
    ]),
  ]
  if (bulk !== undefined) {
    const rates = SIDES.flatMap((side) => {
      const rate = bulk[side]
      return rate === undefined
        ? []
        : [`${TITLES[side]} ${rate.docsPerSecond.toFixed(0)} a second (${rate.documents})`]
    })
    const { cluster, plain } = bulk
    const share =
      cluster === undefined || plain === undefined
        ? ''
        : `; ${(cluster.docsPerSecond / plain.docsPerSecond).toFixed(2)} of OpenSearch alone, at least ${BULK_RATIO_MIN} is wanted`
    parts.push(`Documents in bulk: ${rates.join(', ')}${share}.`)
  }
  return parts.join('\n\n')
}

function best(latency: Latency | undefined): string {
  return latency === undefined ? '' : pair(latency.bestP50, latency.bestP99)
}

function all(latency: Latency | undefined): string {
  return latency === undefined ? '' : pair(latency.p50, latency.p99)
}

function ratio(cluster: Latency | undefined, plain: Latency | undefined): string {
  if (cluster === undefined || plain === undefined) return ''
  return pair(cluster.bestP50 / plain.bestP50, cluster.bestP99 / plain.bestP99)
}

function pair(p50: number, p99: number): string {
  return `${p50.toPrecision(3)} / ${p99.toPrecision(3)}`
}
