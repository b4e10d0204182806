import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { keepNewFilesPrivate } from '../adapters/lmdb/private-files.ts'
import { checkFileSystem, FORMAT_FILE, syncPath } from '../adapters/lmdb/data-folder.ts'
import { openRoot, openTable } from '../adapters/lmdb/environment.ts'
import { copyEventLogs } from '../adapters/lmdb/snapshot-events.ts'
import {
  describeSnapshot,
  EVENTS,
  readSnapshot,
  SnapshotError,
  verifySnapshot,
} from '../adapters/lmdb/snapshot-files.ts'
import type { Snapshot } from '../ports/catalog/snapshot-keeper.ts'

/** It cannot be done. The message is one line for a person. */
export class OfflineError extends Error {
  override readonly name = 'OfflineError'
}

/** Reads a snapshot row by row and compares it with its recorded counts. @throws OfflineError */
export async function verifySnapshotFolder(folder: string): Promise<Snapshot> {
  try {
    return await verifySnapshot(folder)
  } catch (error) {
    throw asOfflineError(error)
  }
}

/**
 * Turns a snapshot into a data folder. The file that marks a data folder is written last, so the
 * service refuses one whose copying was interrupted.
 *
 * @param dataDir must be empty or missing
 * @throws OfflineError; the snapshot is unchanged
 */
export async function restoreSnapshot(folder: string, dataDir: string): Promise<Snapshot> {
  keepNewFilesPrivate()
  try {
    describeSnapshot(folder)
    if (existsSync(dataDir) && readdirSync(dataDir).length > 0) {
      throw new OfflineError(`Cannot restore into "${dataDir}": the folder is not empty`)
    }
    const lmdb = join(dataDir, 'lmdb')
    mkdirSync(lmdb, { recursive: true })
    checkFileSystem(dataDir)
    copyFileSync(join(folder, 'lmdb', 'data.mdb'), join(lmdb, 'data.mdb'))
    syncPath(join(lmdb, 'data.mdb'))
    await copyEventLogs(join(folder, EVENTS), join(dataDir, EVENTS))
    // The copy is verified, because the copy will be used.
    const description = join(dataDir, 'snapshot.json')
    copyFileSync(join(folder, 'snapshot.json'), description)
    const restored = await verifySnapshot(dataDir)
    await forgetSessions(lmdb)
    const { format } = readSnapshot(dataDir)
    renameSync(description, join(dataDir, 'restored-from.json'))
    writeFileSync(join(dataDir, FORMAT_FILE), `${JSON.stringify({ format })}\n`)
    syncPath(join(dataDir, FORMAT_FILE))
    syncPath(dataDir)
    return { ...restored, folder }
  } catch (error) {
    throw asOfflineError(error)
  }
}

/**
 * A session that was ended after the snapshot must not work again, so everybody has to log in
 * again.
 */
async function forgetSessions(folder: string): Promise<void> {
  const root = openRoot(folder, { readOnly: false })
  await openTable(root, 'sessions')?.clearAsync()
  await root.close()
  rmSync(join(folder, 'lock.mdb'), { force: true })
}

function asOfflineError(error: unknown): unknown {
  if (error instanceof OfflineError) return error
  if (error instanceof SnapshotError || (error as NodeJS.ErrnoException).code !== undefined) {
    return new OfflineError((error as Error).message, { cause: error })
  }
  return error
}
