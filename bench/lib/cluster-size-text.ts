import { textTable } from '../../tools/lib/text-table.ts'
import type { ClusterSizeReport, SizeRow } from './cluster-size-level.ts'
import { QUERY_CLASSES, type QueryClassName } from './query-classes.ts'

const MIB = 2 ** 20

/** Renders the report as Markdown. */
export function clusterSizeText({ rows }: ClusterSizeReport): string {
  const loaded = rows.filter(({ documents }) => documents > 0)
  const names = Object.keys(loaded[0]?.medianMs ?? {}) as QueryClassName[]
  const lines = loaded.map((row) => [
    `${row.documents}`,
    (row.jsonBytes / row.documents).toFixed(0),
    (row.indexBytes / row.documents).toFixed(0),
    row.heapBytes === undefined ? '' : (row.heapBytes / MIB).toFixed(0),
    (row.apiNodeBytes / MIB).toFixed(0),
    ...names.map((name) => row.medianMs[name]!.toFixed(1)),
  ])
  const heads = [
    'documents',
    'bytes of JSON each',
    'bytes of index each',
    'heap, MiB',
    'API node, MiB',
    ...names.map((name) => `${QUERY_CLASSES[name].title}, ms`),
  ]
  const slope = (of: (row: SizeRow) => number): number => slopeOf(loaded, of)
  const slopes = [
    ['bytes of index', slope(({ indexBytes }) => indexBytes).toFixed(0)],
    ['bytes of heap', slope(({ heapBytes }) => heapBytes ?? NaN).toFixed(1)],
    ['bytes of an API node', slope(({ apiNodeBytes }) => apiNodeBytes).toFixed(1)],
    ...names.map((name) => [
      `ms of ${QUERY_CLASSES[name].title}, a million`,
      (slope(({ medianMs }) => medianMs[name]!) * 1e6).toFixed(0),
    ]),
  ]
  return [
    'One node, one copy, merged into one segment per shard. A search is the median of the best of each query.',
    textTable([heads, ...lines]),
    'By each further document (least squares):',
    textTable([['', 'slope'], ...slopes]),
  ].join('\n\n')
}

/** Least squares. */
function slopeOf(rows: readonly SizeRow[], of: (row: SizeRow) => number): number {
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length
  const xs = rows.map(({ documents }) => documents)
  const ys = rows.map(of)
  const [x, y] = [mean(xs), mean(ys)]
  const above = xs.reduce((sum, one, at) => sum + (one - x) * (ys[at]! - y), 0)
  return above / xs.reduce((sum, one) => sum + (one - x) ** 2, 0)
}
