import { textTable } from '../../tools/lib/text-table.ts'
import type { ClusterLoadReport } from './cluster-load-level.ts'

/** Renders the report as Markdown. */
export function clusterLoadText({ nodes, rows }: ClusterLoadReport): string {
  const [plain] = rows
  const lines = rows.map((row) => [
    row.name,
    row.docsPerSecond.toFixed(0),
    row.bestDocsPerSecond.toFixed(0),
    (row.docsPerSecond / plain!.docsPerSecond).toFixed(2),
    row.clusterMs.toFixed(3),
    row.bestClusterMs.toFixed(3),
    row.nodeMs?.toFixed(3) ?? '',
    row.sentBytes?.toFixed(0) ?? '',
    row.indexBytes.toFixed(0),
    row.mergedBytes.toFixed(0),
  ])
  const heads = [
    'loaded by',
    'documents/s',
    'best turn',
    'of OpenSearch alone',
    'cluster ms',
    'best turn',
    'API node ms',
    'bytes sent',
    'bytes stored',
    'merged',
  ]
  return [
    `${nodes} ${nodes === 1 ? 'node' : 'nodes'}, one shard${nodes === 1 ? '' : ' with a copy'}. Processor time and bytes are per document; the cluster's time is that of all copies, bytes are of one copy.`,
    textTable([heads, ...lines]),
  ].join('\n\n')
}
