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
import { logNameOf } from '@aisle/event-log'
import { searchUsageName } from '../adapters/embedded/search-usage-keeper.ts'
import { LmdbAccessStore } from '../adapters/lmdb/access-store.ts'
import { Committer } from '../adapters/lmdb/committer.ts'
import { syncPath } from '../adapters/lmdb/data-folder.ts'
import { LmdbDocumentStore } from '../adapters/lmdb/document-store.ts'
import { openEnvironment, openTable } from '../adapters/lmdb/environment.ts'
import { keepNewFilesPrivate } from '../adapters/lmdb/private-files.ts'
import { Settings } from '../adapters/lmdb/settings.ts'
import { copyEventLogs } from '../adapters/lmdb/snapshot-events.ts'
import { describeSnapshot, EVENTS, sealSnapshot } from '../adapters/lmdb/snapshot-files.ts'
import type { ClusterConfig } from '../config-cluster.ts'
import { newSnapshotName } from '../domain/store/snapshot-name.ts'
import type { Clock } from '../ports/clock.ts'
import { NO_COUNTERS } from '../ports/document-store.ts'
import type { Snapshot } from '../ports/snapshot-keeper.ts'
import { ADMIN_DIGEST } from '../services/access/admin-token.ts'
import { readInstallation } from './cluster-installation.ts'
import { differencesOf, fingerprintOf, WatchedInstallation } from './fingerprint.ts'
import { openSnapshot } from './folder-installation.ts'
import type { StoreState } from './installation.ts'
import { withCluster } from './open-cluster.ts'
import { OfflineError } from './restore-snapshot.ts'

export interface ExportOptions {
  readonly clock: Clock
  /** A file that gets the keys which no snapshot has: `secrets.json` of a data folder. */
  readonly secretsFile?: string | undefined
}

/**
 * Makes a snapshot of what is on a cluster, which `restoreSnapshot` makes a data folder of. Nodes
 * may go on meanwhile: each store is as of one moment. What was written is read again and compared.
 *
 * @param folder must be empty, or not be there
 * @throws OfflineError with one line: then the folder is not there
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
    throw new OfflineError(`Cannot write "${secretsFile}": it exists`)
  }
  const partial = `${folder}.partial`
  const copy = join(partial, 'copy')
  rmSync(partial, { recursive: true, force: true })
  mkdirSync(copy, { recursive: true })
  try {
    const created_at = new Date(clock.now()).toISOString()
    const keys = await withCluster(address, clock, async (parts) => {
      const source = new WatchedInstallation(await readInstallation(parts, copy))
      await writeDocuments(source, partial, copy)
      const logs = new Set(source.stores.map(({ record }) => logNameOf(record)))
      for (const name of existsSync(source.events) ? readdirSync(source.events) : []) {
        // Of a store that is no more.
        if (!logs.has(name)) rmSync(join(source.events, name), { recursive: true })
      }
      await copyEventLogs(source.events, join(partial, EVENTS))
      const expected = source.fingerprint()
      const written = openSnapshot(partial)
      const differences = differencesOf(expected, await fingerprintOf(written))
      await written.close()
      if (differences.length > 0) {
        throw new OfflineError(`The snapshot is not what was read: ${differences.join('; ')}`)
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

/** Writes all but the events, in a file that is compact at the end. */
async function writeDocuments(
  source: WatchedInstallation,
  folder: string,
  copy: string,
): Promise<void> {
  const environment = openEnvironment(join(copy, 'lmdb'), { readOnly: false })
  for (const name of ['users', 'sessions', 'audit']) openTable(environment.root, name)
  const refuse = (...reason: unknown[]): never => {
    throw new OfflineError(`Cannot write the snapshot: ${reason.join(' ')}`)
  }
  const committer = new Committer(environment, refuse)
  const access = new LmdbAccessStore(environment, committer, refuse)
  await new Settings(environment, committer).setAll(settingsOf(source))
  await access.commit({ users: source.users })
  for await (const entries of source.audit()) await access.commit({ entries })
  const documents = new LmdbDocumentStore(environment, committer, refuse)
  for (const [at, store] of source.stores.entries()) {
    await writeStore(source, documents, store, at + 1)
  }
  mkdirSync(join(folder, 'lmdb'))
  await environment.root.backup(join(folder, 'lmdb'), true)
  await environment.root.close()
  syncPath(join(folder, 'lmdb'))
}

/** @param number of the store, and of its catalog */
async function writeStore(
  source: WatchedInstallation,
  documents: LmdbDocumentStore,
  store: StoreState,
  number: number,
): Promise<void> {
  const { record, schema, language, resources, nextDocKey, lastWriteMs } = store
  const row = { ...record, storeNumber: number, catalog: number, schema, index: number, language }
  await documents.commit({
    stores: [row],
    removedStores: [],
    resources: [{ storeNumber: number, puts: resources, removes: [] }],
    catalogs: [],
  })
  let counters = { ...NO_COUNTERS, nextDocKey, lastWriteMs }
  const put = async (puts: Parameters<typeof documents.commit>[0]['catalogs'][number]['puts']) => {
    const last = puts.at(-1)?.docKey ?? 0
    counters = {
      ...counters,
      nextDocKey: Math.max(counters.nextDocKey, last + 1),
      docCount: counters.docCount + puts.length,
      documentBytes: puts.reduce((sum, { json }) => sum + json.length, counters.documentBytes),
    }
    const catalog = { catalog: number, counters, puts, removedIds: [], buried: [], reaped: [] }
    await documents.commit({ stores: [], removedStores: [], catalogs: [catalog] })
  }
  if (schema !== undefined) await put([])
  for await (const page of source.documents(store, -1)) await put(page)
}

function settingsOf({ adminDigest, stores }: WatchedInstallation): Map<string, unknown> {
  const values = new Map<string, unknown>([[ADMIN_DIGEST, adminDigest]])
  for (const { record, searches } of stores) {
    if (searches !== undefined) values.set(searchUsageName(record.storeId), searches)
  }
  return values
}

function versionOf(): string {
  const file = new URL('../../package.json', import.meta.url)
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
}
