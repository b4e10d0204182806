import type { ClusterConfig } from '@aisle/server'
import type { Config, StopSignals } from '@aisle/server/parts'
import { messageOf } from './api-node.ts'
import { ClusterService } from './cluster-service.ts'
import { describe, mainLogger, showSecrets, stopService, versionOf } from '@aisle/server/parts'

/** Starts an API node of a cluster and exits when the node fails or stops. */
export async function runClusterService(
  config: Config,
  cluster: ClusterConfig,
  signals: StopSignals,
): Promise<void> {
  const logger = await mainLogger(config)
  const crash = (error: unknown): void => {
    // All state is in the cluster, so a supervisor can restart the process.
    logger.fatal({ error: describe(error) }, 'The node failed; stopping')
    process.exit(1)
  }
  process.on('uncaughtException', crash)
  process.on('unhandledRejection', crash)
  try {
    const service = await ClusterService.start(config, cluster, {
      version: versionOf(),
      logger,
      onUnfit: crash,
    })
    signals.set((signal) => stopService(service, signal, config, logger))
    showSecrets(service, config.host)
    logger.info({ host: config.host, port: service.port }, 'Listening')
  } catch (error) {
    console.error(messageOf(error))
    process.exit(1)
  }
}
