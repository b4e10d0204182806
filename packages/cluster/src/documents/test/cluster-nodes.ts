import assert from 'node:assert/strict'
import { ClusterConnection } from '../../opensearch/cluster-connection.ts'
import { ControlIndex } from '../../opensearch/control-index.ts'
import { lendPrefix } from '../../opensearch/lent-prefix-for-test.ts'
import { TEST_CLUSTER } from '@aisle/testing'
import type { CatalogPorts } from '@aisle/server/test'
import { ClusterDocuments } from '../cluster-documents.ts'
import { ClusterEditJournal } from '../../stores/cluster-edit-journal.ts'
import { ClusterStores } from '../../stores/cluster-stores.ts'
import { clusterWriter } from '../cluster-writer.ts'
import { ClusterSearchBackend } from '../../search/cluster-search-backend.ts'

/** What an API node has of stores and documents. */
export interface ClusterNode extends CatalogPorts {
  readonly edits: ClusterEditJournal
  readonly stores: ClusterStores
  readonly documents: ClusterDocuments
  readonly connection: ClusterConnection
  readonly index: ControlIndex
}

export interface ClusterNodes extends AsyncDisposable {
  readonly nodes: readonly ClusterNode[]
  /** What their indices begin with. */
  readonly prefix: string
  readonly failures: unknown[]
}

const clock = { now: () => Date.now() }

/** API nodes over the same indices, which go with them. */
export async function openNodes(
  count: number,
  urls: readonly string[] = TEST_CLUSTER,
  areNodesAlike = () => true,
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
  for (const connection of connections) {
    nodes.push(await openNode(connection, prefix, areNodesAlike, onFailure))
  }
  return {
    nodes,
    prefix,
    failures,
    async [Symbol.asyncDispose]() {
      for (const { stores, documents } of nodes) {
        stores.close()
        documents.close()
      }
      await giveBack()
      for (const connection of connections) await connection.close()
      assert.deepEqual(failures, [])
    },
  }
}

async function openNode(
  connection: ClusterConnection,
  prefix: string,
  areNodesAlike: () => boolean,
  onFailure: (error: unknown) => void,
): Promise<ClusterNode> {
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
  return {
    stores,
    documents,
    connection,
    index,
    registry: {
      find: (storeId) => stores.find(storeId),
      list: () => stores.list(),
      statistics: (storeId) => documents.statistics(storeId),
    },
    edits: new ClusterEditJournal(() => ControlIndex.open(connection, `${prefix}-edits-v1`)),
    resources: stores,
    reader: documents,
    backend: new ClusterSearchBackend(connection, documents, stores),
    writer: clusterWriter(stores, documents),
  }
}
