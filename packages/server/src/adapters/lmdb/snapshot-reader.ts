import { existsSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { ApiError } from '@aisle/contract'
import { redefinedSchema } from '../../domain/documents/redefine-fields.ts'
import type { StoreRow } from '../../ports/catalog/document-store.ts'
import type { SnapshotKeeper } from '../../ports/catalog/snapshot-keeper.ts'
import type {
  OpenSnapshotStore,
  SnapshotReader,
  StoreInSnapshot,
} from '../../ports/catalog/snapshot-reader.ts'
import { digestsOf } from './file-digest.ts'
import { readSnapshot } from './snapshot-files.ts'
import { Committer } from './committer.ts'
import { LmdbDocumentStore } from './document-store.ts'
import { openEnvironment } from './environment.ts'
import { LmdbInsertionScan } from './insertion-scan.ts'

/**
 * Reads stores out of the folders of snapshots, in the thread that needs them: after the bytes of a
 * file have been compared with its checksum, because a garbled page can kill the process.
 */
export class FolderSnapshotReader implements SnapshotReader {
  readonly #keeper: Pick<SnapshotKeeper, 'list' | 'verify'>
  /** Files that are as they were written, by path: their size and time of change then. */
  readonly #whole = new Map<string, string>()

  constructor(keeper: Pick<SnapshotKeeper, 'list' | 'verify'>) {
    this.#keeper = keeper
  }

  async stores(name: string): Promise<readonly StoreInSnapshot[]> {
    const snapshot = await this.#open(name)
    try {
      return snapshot.rows
        .map(snapshot.describe)
        .toSorted((a, b) => (a.storeId < b.storeId ? -1 : 1))
    } finally {
      await snapshot.close()
    }
  }

  async open(name: string, storeId: string): Promise<OpenSnapshotStore> {
    const snapshot = await this.#open(name)
    try {
      const row = snapshot.rows.find((one) => one.storeId === storeId)
      if (row === undefined) {
        const message = `The snapshot has no store ${JSON.stringify(storeId)}`
        throw new ApiError('store_not_found', message, { param: 'store' })
      }
      const { documents, environment, refuse } = snapshot
      const scans: LmdbInsertionScan[] = []
      return {
        ...snapshot.describe(row),
        schema: row.schema && redefinedSchema(row.schema, row.reanalysis?.fields),
        resources: documents.resources(row.storeNumber),
        scan(after) {
          const from = after === undefined ? -1 : (after.inserted ?? after.docKey)
          const onDamage = (_: number, message: string): never => refuse(message)
          const scan = new LmdbInsertionScan(environment, row.catalog, onDamage, from)
          scans.push(scan)
          return scan
        },
        close() {
          for (const scan of scans) scan.close()
          return snapshot.close()
        },
      }
    } catch (error) {
      await snapshot.close()
      throw error
    }
  }

  async #open(name: string) {
    const folder = await this.#folderOf(name)
    const refuse = (...reason: unknown[]): never => {
      throw new ApiError('snapshot_failed', `The snapshot is damaged: ${reason.join(' ')}`)
    }
    const lmdb = join(folder, 'lmdb')
    await this.#requireWhole(folder, join(lmdb, 'data.mdb'), refuse)
    // Opening creates a table of readers, which does not belong in a snapshot.
    const lock = join(lmdb, 'lock.mdb')
    const hadLock = existsSync(lock)
    try {
      const environment = openEnvironment(lmdb, { readOnly: true })
      const documents = new LmdbDocumentStore(
        environment,
        new Committer(environment, refuse),
        refuse,
      )
      const describe = ({ storeId, name: shown, createdAt, catalog }: StoreRow) => {
        const { docCount, documentBytes } = documents.counters(catalog)
        return { storeId, name: shown, createdAt, docCount, documentBytes }
      }
      return {
        environment,
        documents,
        rows: documents.stores(),
        describe,
        refuse,
        async close(): Promise<void> {
          await environment.root.close()
          if (!hadLock) rmSync(lock, { force: true })
        },
      }
    } catch (error) {
      if (error instanceof ApiError) throw error
      return refuse(error instanceof Error ? error.message : String(error))
    }
  }

  async #requireWhole(folder: string, file: string, refuse: (reason: string) => never) {
    if (!existsSync(file)) refuse(`${file} is missing`)
    const { size, mtimeMs } = statSync(file)
    const state = `${size} ${mtimeMs}`
    if (this.#whole.get(file) === state) return
    const [digest] = await digestsOf([file])
    if (digest !== readSnapshot(folder).sha256) refuse(`${file} has changed since it was written`)
    this.#whole.set(file, state)
  }

  async #folderOf(name: string): Promise<string> {
    const found = (await this.#keeper.list()).find((one) => one.name === name)
    // One that cannot be described is not listed: the verification says why.
    return (found ?? (await this.#keeper.verify(name))).folder
  }
}
