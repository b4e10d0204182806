import {
  DataFolderError,
  prepareDataFolder,
  prepareSnapshotFolder,
} from '../adapters/lmdb/data-folder.ts'
import { ConfigError, helpText } from '../config-options.ts'
import { readConfig, type Config } from '../config.ts'
import { loadCluster, NoClusterError } from '../load-cluster.ts'
import { keepCompiledCode } from './code-cache.ts'
import { Doorway } from './doorway.ts'
import { ServingWorker } from './serving-worker.ts'
import { StopSignals } from './stop-signals.ts'

/**
 * Runs the process: reads the configuration and runs the service until a signal ends it.
 *
 * @param usage the command line, for `--help`
 */
export async function startService(
  flags: readonly string[],
  environment: NodeJS.ProcessEnv,
  usage: string,
): Promise<void> {
  const config = configOrExit(flags, environment)
  if (config === 'help') {
    console.log(helpText(usage))
    return
  }
  // There is nothing to finish until the service listens, so the start can be interrupted anywhere.
  const signals = new StopSignals(() => process.exit(0))
  if (config.cluster !== undefined) {
    const { runClusterService } = await clusterOrExit()
    await runClusterService(config, config.cluster, signals)
    return
  }
  prepareOrExit(config)
  // Code imported from here on is cached.
  keepCompiledCode(config.dataDir, environment)
  const doorway = Doorway.open(config)
  // Awaited below, when all code is loaded.
  doorway.catch(() => undefined)
  const servingEntry = new URL('./serving-thread.ts', import.meta.url)
  const firstServing = new ServingWorker(servingEntry, 0)
  const { createIndexHost } = await import('../adapters/embedded/index-host.ts')
  const { runService } = await import('./run-service.ts')
  await runService(config, {
    doorway,
    signals,
    createIndexHost: (folder, disk, addJob) =>
      createIndexHost(folder, new URL('./index-thread.ts', import.meta.url), disk, addJob),
    servingEntry,
    firstServing,
    suggestionsEntry: new URL('./suggestions-thread.ts', import.meta.url),
  })
}

function configOrExit(
  flags: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): ReturnType<typeof readConfig> {
  try {
    return readConfig(flags, environment)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    console.error(error.message)
    process.exit(2)
  }
}

async function clusterOrExit(): ReturnType<typeof loadCluster> {
  try {
    return await loadCluster()
  } catch (error) {
    if (!(error instanceof NoClusterError)) throw error
    console.error(error.message)
    process.exit(2)
  }
}

/** Checked before anything heavy is loaded, so that an unusable folder is reported at once. */
function prepareOrExit({ dataDir, snapshotDir }: Config): void {
  try {
    prepareDataFolder(dataDir)
    if (snapshotDir !== undefined) prepareSnapshotFolder(snapshotDir)
  } catch (error) {
    if (!(error instanceof DataFolderError)) throw error
    console.error(error.message)
    process.exit(1)
  }
}
