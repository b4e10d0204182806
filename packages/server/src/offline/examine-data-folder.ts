import { existsSync, readdirSync, statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DiskLogFiles, logEnd, logStart, readLog } from '@aisle/event-log'
import {
  checkFileSystem,
  checkFormat,
  DataFolderError,
  FORMAT_FILE,
  FORMAT_VERSION,
  LOCK_FILE,
  lockFolder,
} from '../adapters/lmdb/data-folder.ts'
import { checkFile, UnreadableFileError } from '../adapters/lmdb/file-check.ts'
import { isMostlyUnused, type FileUse } from '../adapters/lmdb/compaction.ts'
import { takeCensus } from '../adapters/lmdb/folder-census.ts'
import { describeSnapshot, SnapshotError } from '../adapters/lmdb/snapshot-files.ts'
import { compareSnapshotNames, isSnapshotName } from '../domain/store/snapshot-name.ts'

/** The result of one check. */
export interface Finding {
  readonly verdict: 'ok' | 'warning' | 'error'
  /** The finding, for a person. */
  readonly text: string
  /** The advice. */
  readonly advice?: string
}

/** Warns if less than this share of the file system is free. */
const FREE_SHARE_MIN = 0.1
const DAY_MS = 86_400_000

/**
 * Examines a data folder that no service uses, without changing it, and reports in words what is
 * wrong and what to do. Reads every row.
 *
 * @param nowMs for the age of snapshots
 */
export async function examineDataFolder(dataDir: string, nowMs: number): Promise<Finding[]> {
  const findings: Finding[] = []
  const found = (verdict: Finding['verdict'], text: string, advice?: string): void => {
    findings.push({ verdict, text, ...(advice === undefined ? {} : { advice }) })
  }
  if (!existsSync(dataDir) || !statSync(dataDir).isDirectory()) {
    found(
      'error',
      `There is no folder "${dataDir}".`,
      'Pass the data folder of the service (its --data-dir).',
    )
    return findings
  }
  const snapshot = newestSnapshot(dataDir)
  const restore =
    snapshot === undefined
      ? 'Restore a snapshot into an empty folder (aisle restore), or start with an empty folder and import the catalog again.'
      : `Restore the newest snapshot into an empty folder: aisle restore ${snapshot.folder} --data-dir <empty folder>. Keep the damaged folder until the new one works.`
  if (!examineFolder(dataDir, found)) return findings

  const lmdb = join(dataDir, 'lmdb')
  const hasTraces = ['index', 'events'].some((name) => hasEntries(join(dataDir, name)))
  if (!existsSync(join(lmdb, 'data.mdb'))) {
    if (hasTraces) {
      const file = join(lmdb, 'data.mdb')
      found(
        'error',
        `The document file "${file}" is missing, although this folder had stores.`,
        restore,
      )
    } else found('ok', 'There are no documents yet.')
  } else if (examineFile(join(lmdb, 'data.mdb'), found, restore)) {
    await examineRows(lmdb, found, restore)
  }
  examineIndex(join(dataDir, 'index'), found)
  examineEvents(join(dataDir, 'events'), found, restore)
  examineSpace(dataDir, found)
  if (snapshot === undefined) {
    found(
      'warning',
      'There is no snapshot in this folder.',
      'Make one (aisle snapshot create), or set --snapshot-every-hours. If snapshots go elsewhere (--snapshot-dir), ignore this.',
    )
  } else {
    const days = Math.floor((nowMs - Date.parse(snapshot.created_at)) / DAY_MS)
    found('ok', `The newest snapshot, ${snapshot.name}, is ${days} days old.`)
  }
  return findings
}

type Found = (verdict: Finding['verdict'], text: string, advice?: string) => void

/** @returns whether further checks make sense */
function examineFolder(dataDir: string, found: Found): boolean {
  try {
    for (const warning of checkFileSystem(dataDir)) {
      found('warning', `${warning}.`, 'Move the folder to a local disk.')
    }
    checkFormat(dataDir)
    if (existsSync(join(dataDir, LOCK_FILE))) lockFolder(dataDir).close()
  } catch (error) {
    if (!(error instanceof DataFolderError)) throw error
    found('error', `${error.message}.`, adviceFor(error.message))
    return false
  }
  const known = existsSync(join(dataDir, FORMAT_FILE))
  found(
    known ? 'ok' : 'warning',
    known
      ? 'The format is one that this version reads.'
      : 'The folder is empty: the service has never used it.',
  )
  return known
}

function adviceFor(message: string): string {
  if (message.includes('another process')) return 'Stop the service first, then run this again.'
  if (message.includes('reads formats up to'))
    return 'Start the newer version that wrote it. Nothing was changed.'
  if (message.includes('network file system')) return 'Move the folder to a local disk.'
  if (message.includes('Aisle did not create'))
    return 'Pass the data folder of the service (its --data-dir). Nothing was changed.'
  if (message.includes('no aisle.json')) {
    return `A restore or a copy was interrupted: repeat it into an empty folder. If you know that the folder is complete, put {"format":${FORMAT_VERSION}} into aisle.json.`
  }
  return 'See the message.'
}

function examineFile(file: string, found: Found, restore: string): boolean {
  try {
    const check = checkFile(file)
    if (check === undefined) {
      found('ok', 'The document file is empty: the service stopped right after its first start.')
      return false
    }
    if (check.fileBytes >= check.usedBytes) {
      found('ok', `The document file has ${check.fileBytes} bytes, as its header says.`)
    } else {
      // LMDB may never have written a last page that was freed in the commit that took it.
      found(
        'warning',
        `The document file has ${check.fileBytes} bytes, but its header says ${check.usedBytes}.`,
        'If the rows below are intact, nothing is lost.',
      )
    }
    return true
  } catch (error) {
    if (!(error instanceof UnreadableFileError)) throw error
    found('error', `Cannot read the document file: ${error.message}.`, restore)
    return false
  }
}

async function examineRows(lmdb: string, found: Found, restore: string): Promise<void> {
  let census: Awaited<ReturnType<typeof takeCensus>>
  try {
    census = await takeCensus(lmdb)
  } catch (error) {
    found('error', `The document file is damaged: ${(error as Error).message}.`, restore)
    return
  }
  for (const problem of census.problems) {
    found(
      'error',
      `Damaged: ${problem}.`,
      `The service runs and responds 503 for damaged documents. To repair single documents, send them again. To repair all: ${restore}`,
    )
  }
  if (census.problems.length > 0) return
  const documents = census.stores.reduce((sum, store) => sum + store.documents, 0)
  found(
    'ok',
    `Rows read: ${census.rows}. Stores: ${census.stores.length}, with ${documents} documents.`,
  )
  if (census.use !== undefined) examineUse(census.use, found)
}

/** Reports the disk space that a start would free. */
function examineUse({ fileBytes, usedBytes }: FileUse, found: Found): void {
  const unused = Math.floor(Math.max(0, fileBytes - usedBytes) / 1e6)
  const next = isMostlyUnused({ fileBytes, usedBytes })
    ? 'the next start returns them to the disk'
    : 'later writes use them'
  if (unused > 0) found('ok', `${unused} MB of the document file are unused; ${next}.`)
}

function hasEntries(folder: string): boolean {
  return existsSync(folder) && readdirSync(folder).length > 0
}

function examineIndex(index: string, found: Found): void {
  const bytes = existsSync(index) ? bytesBelow(index) : 0
  found(
    'ok',
    `The index files have ${bytes} bytes. They are a cache: the service checks them at startup and rebuilds damaged ones.`,
  )
}

/** Reads every event. */
function examineEvents(events: string, found: Found, restore: string): void {
  let count = 0
  let damagedBytes = 0
  const logs = existsSync(events) ? readdirSync(events) : []
  for (const log of logs) {
    const files = new DiskLogFiles(join(events, log))
    const end = logEnd(files)
    try {
      for (let at = logStart(files); at < end;) {
        const page = readLog(files, at, end)
        count += page.records.length
        damagedBytes += page.skippedBytes
        at = page.next
      }
    } catch (error) {
      found(
        'error',
        `The event log "${log}" cannot be read: ${(error as Error).message}.`,
        `New events of this store are refused until the file is moved away, which loses the events in it. To recover them: ${restore}`,
      )
    }
  }
  if (damagedBytes > 0) {
    found(
      'warning',
      `${damagedBytes} bytes of the event logs cannot be read: they are damaged, or incomplete after a power failure.`,
      'No action is needed: all other events are readable, and an incomplete end has no acknowledged events. A snapshot has the events that were damaged later.',
    )
  }
  found(
    'ok',
    `${count} entries of ${logs.length} event logs were read; the reports are rebuilt from them.`,
  )
}

function examineSpace(dataDir: string, found: Found): void {
  const { bavail, blocks, bsize } = statfsSync(dataDir)
  const free = Math.floor((bavail * bsize) / 1e6)
  if (bavail / blocks >= FREE_SHARE_MIN) {
    found('ok', `${free} MB of disk space are free.`)
  } else {
    found(
      'warning',
      `Only ${free} MB of disk space are free.`,
      'Free up disk space: on a full disk, writes get 503.',
    )
  }
}

function newestSnapshot(
  dataDir: string,
): { name: string; folder: string; created_at: string } | undefined {
  const folder = join(dataDir, 'snapshots')
  if (!existsSync(folder)) return undefined
  for (const name of readdirSync(folder).filter(isSnapshotName).toSorted(compareSnapshotNames)) {
    try {
      return describeSnapshot(join(folder, name))
    } catch (error) {
      if (!(error instanceof SnapshotError)) throw error
    }
  }
  return undefined
}

function bytesBelow(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)
}
