import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { ClusterConnection } from '../../opensearch/cluster-connection.ts'
import { ControlIndex } from '../../opensearch/control-index.ts'
import { lendPrefix } from '../../opensearch/lent-prefix-for-test.ts'
import { TEST_CLUSTER } from '@aisle/testing'
import type { CatalogPorts } from '@aisle/server/test'
import { ClusterDocuments } from '../cluster-documents.ts'
import { ClusterEmbedding } from '../embedding.ts'
import { ClusterEditJournal } from '../../stores/cluster-edit-journal.ts'
import { ClusterStores } from '../../stores/cluster-stores.ts'
import { clusterWriter } from '../cluster-writer.ts'
import { Leases } from '../../control/leases.ts'
import { CLUSTER_FORMAT } from '../../control/cluster-format.ts'
import { NO_EMBEDDERS, type Embedders } from '@aisle/server/ports'
import { ClusterSearchBackend } from '../../search/cluster-search-backend.ts'

/** What an API node has of stores and documents. */
export interface ClusterNode extends CatalogPorts {
  readonly edits: ClusterEditJournal
  readonly stores: ClusterStores
  readonly documents: ClusterDocuments
  readonly embedding: ClusterEmbedding
  readonly connection: ClusterConnection
  readonly index: ControlIndex
}

export interface ClusterNodes extends AsyncDisposable {
  readonly nodes: readonly ClusterNode[]
  /** What their indices begin with. */
  readonly prefix: string
  readonly failures: unknown[]
}

/** Long enough for a busy machine to renew it, short enough for a test to wait for its end. */
export const EMBEDDING_LEASE_MS = 3_000

const clock = { now: () => Date.now() }

/** API nodes over the same indices, which go with them. */
export async function openNodes(
  count: number,
  urls: readonly string[] = TEST_CLUSTER,
  areNodesAlike = () => true,
  embeddersOf: (node: number) => Embedders = () => NO_EMBEDDERS,
): Promise<ClusterNodes> {
  const connections = Array.from({ length: count }, (_, at) => {
    // Each asks another node of the cluster first.
    const first = at % urls.length
    return new ClusterConnection({ urls: [...urls.slice(first), ...urls.slice(0, first)] })
  })
  const { prefix, giveBack } = await lendPrefix(connections[0]!)
  const failures: unknown[] = []
  const onFailure = (error: unknown): void => void failures.push(error)
  const nodes: ClusterNode[] = []
  for (const [at, connection] of connections.entries()) {
    const embedders = embeddersOf(at)
    nodes.push(await openNode({ connection, prefix, areNodesAlike, onFailure, embedders }))
  }
  return {
    nodes,
    prefix,
    failures,
    async [Symbol.asyncDispose]() {
      for (const { stores, documents, embedding } of nodes) {
        await embedding.close()
        stores.close()
        documents.close()
      }
      await giveBack()
      for (const connection of connections) await connection.close()
      assert.deepEqual(failures, [])
    },
  }
}

async function openNode({
  connection,
  prefix,
  areNodesAlike,
  onFailure,
  embedders,
}: {
  readonly connection: ClusterConnection
  readonly prefix: string
  readonly areNodesAlike: () => boolean
  readonly onFailure: (error: unknown) => void
  readonly embedders: Embedders
}): Promise<ClusterNode> {
  const index = await ControlIndex.open(connection, `${prefix}-control-v1`)
  const stores = await ClusterStores.open(index, clock, onFailure)
  const documents = await ClusterDocuments.open({
    cluster: connection,
    index,
    stores,
    clock,
    prefix,
    areNodesAlike,
    onFailure,
  })
  const embedding = new ClusterEmbedding({
    documents,
    stores,
    embedders,
    leases: new Leases(index, { nodeId: randomUUID(), nowMs: () => performance.now() }),
    formatInForce: () => CLUSTER_FORMAT,
    log: () => undefined,
    onFailure,
    leaseMs: EMBEDDING_LEASE_MS,
  })
  return {
    stores,
    documents,
    embedding,
    connection,
    index,
    registry: {
      find: (storeId) => stores.find(storeId),
      list: () => stores.list(),
      statistics: (storeId) => embedding.statistics(storeId),
    },
    edits: new ClusterEditJournal(() => ControlIndex.open(connection, `${prefix}-edits-v1`)),
    resources: stores,
    reader: documents,
    backend: new ClusterSearchBackend(connection, documents, stores),
    writer: clusterWriter(stores, documents, embedding),
  }
}
