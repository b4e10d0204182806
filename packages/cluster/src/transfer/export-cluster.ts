import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import {
  describeSnapshot,
  keepNewFilesPrivate,
  OfflineError,
  openSnapshot,
  sealSnapshot,
  writeSnapshot,
} from '@aisle/server'
import type { ClusterConfig } from '@aisle/server'
import { newSnapshotName } from '@aisle/server/domain'
import type { Clock, Snapshot } from '@aisle/server/ports'
import { readInstallation } from './cluster-installation.ts'
import { differencesOf, fingerprintOf, WatchedInstallation } from './fingerprint.ts'
import { withCluster } from './open-cluster.ts'

export interface ExportOptions {
  readonly clock: Clock
  /** Receives the keys that no snapshot has: `secrets.json` of a data folder. */
  readonly secretsFile?: string | undefined
}

/**
 * Creates a snapshot of the content of a cluster, which `restoreSnapshot` turns into a data folder.
 * Nodes may keep running: each store is as of one point in time. The snapshot is read back and
 * compared.
 *
 * @param folder must be empty or missing
 * @throws OfflineError with a one-line message; the folder does not exist then
 */
export async function exportCluster(
  address: ClusterConfig,
  folder: string,
  { clock, secretsFile }: ExportOptions,
): Promise<Snapshot> {
  keepNewFilesPrivate()
  if (existsSync(folder) && readdirSync(folder).length > 0) {
    throw new OfflineError(`Cannot export into "${folder}": the folder is not empty`)
  }
  if (secretsFile !== undefined && existsSync(secretsFile)) {
    throw new OfflineError(`Cannot write "${secretsFile}": it already exists`)
  }
  const partial = `${folder}.partial`
  const copy = join(partial, 'copy')
  rmSync(partial, { recursive: true, force: true })
  mkdirSync(copy, { recursive: true })
  try {
    const created_at = new Date(clock.now()).toISOString()
    const keys = await withCluster(address, clock, async (parts) => {
      const source = new WatchedInstallation(await readInstallation(parts, copy))
      await writeSnapshot(source, partial, copy)
      const expected = source.fingerprint()
      const written = openSnapshot(partial)
      const differences = differencesOf(expected, await fingerprintOf(written))
      await written.close()
      if (differences.length > 0) {
        throw new OfflineError(`The snapshot differs from what was read: ${differences.join('; ')}`)
      }
      const { settings } = parts
      return { addressKey: settings.get('addressKey'), deviceKey: settings.get('deviceKey') }
    })
    rmSync(copy, { recursive: true })
    const name = newSnapshotName(Date.parse(created_at), () => false)
    await sealSnapshot(partial, { name, created_at, version: versionOf() })
    if (secretsFile !== undefined) {
      writeFileSync(secretsFile, `${JSON.stringify(keys)}\n`, { mode: 0o600, flag: 'wx' })
    }
    rmSync(folder, { recursive: true, force: true })
    renameSync(partial, folder)
    return describeSnapshot(folder)
  } catch (error) {
    rmSync(partial, { recursive: true, force: true })
    if ((error as NodeJS.ErrnoException).code === undefined || error instanceof OfflineError) {
      throw error
    }
    throw new OfflineError((error as Error).message, { cause: error })
  }
}

function versionOf(): string {
  const file = new URL('../../package.json', import.meta.url)
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
}
