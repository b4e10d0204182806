import { ApiError } from '@aisle/contract'
import { ClusterConnection } from '../opensearch/cluster-connection.ts'
import { ClusterError } from '../opensearch/cluster-error.ts'
import { ControlIndex } from '../opensearch/control-index.ts'
import { SealedSecrets, SECRETS_FORMAT, SecretsError } from '../opensearch/sealed-secrets.ts'
import { ClusterDocuments } from '../documents/cluster-documents.ts'
import { ClusterSettings } from '../control/cluster-settings.ts'
import { ClusterStores } from '../stores/cluster-stores.ts'
import { ImportRefusedError } from './import-progress.ts'
import { type ClusterConfig, OfflineError } from '@aisle/server'
import type { Clock } from '@aisle/server/ports'
import type { OpenCluster } from './cluster-installation.ts'

/**
 * Runs a task on the content of a cluster without becoming one of its nodes.
 *
 * @throws OfflineError with a one-line message
 */
export async function withCluster<T>(
  address: ClusterConfig,
  clock: Clock,
  use: (parts: OpenCluster) => Promise<T>,
): Promise<T> {
  const { prefix } = address
  // The next request to the cluster fails as well.
  const onFailure = (): void => undefined
  const cluster = new ClusterConnection(address)
  const closing: (() => unknown)[] = [() => cluster.close()]
  try {
    await cluster.check()
    const secrets = new SealedSecrets(address.secretsKeys, false)
    const index = await ControlIndex.open(cluster, `${prefix}-control-v1`, { secrets })
    const settings = await ClusterSettings.open(index, onFailure)
    // A new cluster has no format, and no older nodes.
    secrets.begin(Number(settings.get('format') ?? SECRETS_FORMAT))
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
    if (error instanceof SecretsError) throw new OfflineError(error.message, { cause: error })
    if (!(error instanceof ClusterError || error instanceof ApiError)) throw error
    throw new OfflineError(`The cluster cannot be used: ${error.message}`, { cause: error })
  } finally {
    for (const close of closing) await close()
  }
}
