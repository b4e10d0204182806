import { existsSync, readdirSync, renameSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ApiError } from '@aisle/contract'
import {
  compareSnapshotNames,
  isSnapshotName,
  newSnapshotName,
} from '../../domain/store/snapshot-name.ts'
import type { JobBoard } from '../../ports/host/activity-keeper.ts'
import type { Clock } from '../../ports/host/clock.ts'
import type { Snapshot, SnapshotKeeper } from '../../ports/catalog/snapshot-keeper.ts'
import { diskReserve } from '../../ports/host/disk-room.ts'
import { usedBytesOf } from './compaction.ts'
import { syncPath } from './data-folder.ts'
import type { Environment } from './environment.ts'
import { makeFolder, reasonOf } from './writable.ts'
import { copyEventLogs, eventLogBytes } from './snapshot-events.ts'
import {
  describeSnapshot,
  EVENTS,
  sealSnapshot,
  SnapshotError,
  verifySnapshot,
} from './snapshot-files.ts'

export interface SnapshotFolderOptions {
  readonly environment: Environment
  readonly folder: string
  /** Folder of the event logs. */
  readonly events: string
  /** Version of the service. */
  readonly version: string
  /** Number of snapshots to keep; 0 = all. */
  readonly keep: number
  readonly clock: Clock
  /** Bytes that a snapshot may take in a folder; absent: unlimited. */
  readonly roomBytesIn?: (folder: string) => Promise<number>
  readonly log: (level: 'info' | 'warn' | 'error', message: string, detail?: object) => void
  /** Shows that a snapshot is being created; absent in tests. */
  readonly jobs?: JobBoard
}

const PARTIAL = '.partial'
const HOUR_MS = 3_600_000

/**
 * Snapshots as sibling folders. LMDB copies its file inside a read transaction, on its own thread,
 * while commits continue. A copy gets its final name only after it was read back and counted.
 */
export class SnapshotFolder implements SnapshotKeeper {
  readonly #options: SnapshotFolderOptions
  #busy = false

  constructor(options: SnapshotFolderOptions) {
    this.#options = options
  }

  async create(): Promise<Snapshot> {
    if (this.#busy) {
      throw new ApiError('unavailable', 'Another snapshot is being created', {
        retryAfterSeconds: 10,
      })
    }
    this.#busy = true
    const job = this.#options.jobs?.add('snapshot')
    job?.started()
    const { folder, clock, version, log } = this.#options
    const name = newSnapshotName(clock.now(), (one) => existsSync(join(folder, one)))
    const partial = join(folder, name + PARTIAL)
    try {
      await this.#removePartial()
      await this.#requireRoom()
      makeFolder(join(partial, 'lmdb'))
      const created_at = new Date(clock.now()).toISOString()
      await this.#options.environment.root.backup(join(partial, 'lmdb'), true)
      await copyEventLogs(this.#options.events, join(partial, EVENTS))
      await sealSnapshot(partial, { name, created_at, version })
      renameSync(partial, join(folder, name))
      syncPath(folder)
      const snapshot = describeSnapshot(join(folder, name))
      log('info', 'Snapshot created', { ...snapshot })
      await this.#removeOld()
      return snapshot
    } catch (error) {
      // What is left is removed before the next one.
      await rm(partial, { recursive: true, force: true }).catch(() => undefined)
      const reason = reasonOf(error)
      log('error', 'A snapshot failed', { folder, error: reason })
      if (error instanceof ApiError) throw error
      throw new ApiError('snapshot_failed', `Cannot create a snapshot in "${folder}": ${reason}`, {
        cause: error,
      })
    } finally {
      this.#busy = false
      job?.ended()
    }
  }

  list(): Promise<Snapshot[]> {
    return Promise.resolve(this.#names().flatMap((name) => this.#describe(name) ?? []))
  }

  async verify(name: string): Promise<Snapshot> {
    try {
      return await verifySnapshot(this.#existing(name))
    } catch (error) {
      if (!(error instanceof SnapshotError)) throw error
      throw new ApiError('snapshot_failed', error.message, { cause: error })
    }
  }

  async remove(name: string): Promise<void> {
    await erase(this.#existing(name))
  }

  /** Creates a snapshot if the newest is older than this many hours. Call it now and then. */
  async createWhenDue(everyHours: number): Promise<void> {
    const [newest] = await this.list()
    const dueMs = newest === undefined ? 0 : Date.parse(newest.created_at) + everyHours * HOUR_MS
    if (this.#busy || this.#options.clock.now() < dueMs) return
    await this.create()
  }

  /** @throws ApiError disk_reserve */
  async #requireRoom(): Promise<void> {
    const { environment, events, folder, roomBytesIn } = this.#options
    if (roomBytesIn === undefined) return
    const { root, ...tables } = environment
    const bytes = usedBytesOf(root, Object.values(tables)) + (await eventLogBytes(events))
    if ((await roomBytesIn(folder)) < bytes)
      throw diskReserve(`create a snapshot of ${bytes} bytes`)
  }

  #names(): string[] {
    const { folder } = this.#options
    if (!existsSync(folder)) return []
    return readdirSync(folder).filter(isSnapshotName).toSorted(compareSnapshotNames)
  }

  #describe(name: string): Snapshot | undefined {
    try {
      return describeSnapshot(join(this.#options.folder, name))
    } catch (error) {
      if (!(error instanceof SnapshotError)) throw error
      this.#options.log('warn', error.message)
      return undefined
    }
  }

  #existing(name: string): string {
    const path = join(this.#options.folder, name)
    if (isSnapshotName(name) && existsSync(path)) return path
    throw new ApiError('snapshot_not_found', 'No snapshot has this name', { param: 'name' })
  }

  async #removeOld(): Promise<void> {
    const { folder, keep } = this.#options
    if (keep === 0) return
    for (const name of this.#names().slice(keep)) await erase(join(folder, name))
  }

  /** Removes what a crashed process left behind. */
  async #removePartial(): Promise<void> {
    const { folder } = this.#options
    if (!existsSync(folder)) return
    for (const name of readdirSync(folder)) {
      if (name.endsWith(PARTIAL)) await rm(join(folder, name), { recursive: true, force: true })
    }
  }
}

/** Removes a snapshot without holding up the writer; it is not listed any more while that lasts. */
async function erase(path: string): Promise<void> {
  renameSync(path, path + PARTIAL)
  await rm(path + PARTIAL, { recursive: true, force: true })
}
