import { ApiError } from '@aisle/contract'
import { ClusterConnection, ClusterError, ControlIndex } from '@aisle/opensearch'
import { ClusterDocuments } from '../adapters/opensearch/cluster-documents.ts'
import { ClusterSettings } from '../adapters/opensearch/cluster-settings.ts'
import { ClusterStores } from '../adapters/opensearch/cluster-stores.ts'
import { ImportRefusedError } from '../adapters/opensearch/import-progress.ts'
import type { ClusterConfig } from '../config-cluster.ts'
import type { Clock } from '../ports/clock.ts'
import type { OpenCluster } from './cluster-installation.ts'
import { OfflineError } from './restore-snapshot.ts'

/**
 * Does something with what is on a cluster, as no node of it.
 *
 * @throws OfflineError with one line
 */
export async function withCluster<T>(
  address: ClusterConfig,
  clock: Clock,
  use: (parts: OpenCluster) => Promise<T>,
): Promise<T> {
  const { prefix } = address
  // What is asked for next fails as well.
  const onFailure = (): void => undefined
  const cluster = new ClusterConnection(address)
  const closing: (() => unknown)[] = [() => cluster.close()]
  try {
    await cluster.check()
    const index = await ControlIndex.open(cluster, `${prefix}-control-v1`)
    const settings = await ClusterSettings.open(index, onFailure)
    closing.unshift(() => settings.close())
    const stores = await ClusterStores.open(index, clock, onFailure)
    closing.unshift(() => stores.close())
    const documents = await ClusterDocuments.open({
      cluster,
      index,
      stores,
      clock,
      prefix,
      onFailure,
    })
    closing.unshift(() => documents.close())
    return await use({ cluster, index, settings, stores, documents, prefix, clock })
  } catch (error) {
    if (error instanceof ImportRefusedError) throw new OfflineError(error.message, { cause: error })
    if (!(error instanceof ClusterError || error instanceof ApiError)) throw error
    throw new OfflineError(`The cluster cannot be used: ${error.message}`, { cause: error })
  } finally {
    for (const close of closing) await close()
  }
}
