import { closeSync, existsSync, fsyncSync, openSync, readdirSync } from 'node:fs'
import { readFileSync, renameSync, statfsSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { closeToOthers, keepNewFilesPrivate } from './private-files.ts'
import { makeFolder, reasonOf, tryWriting } from './writable.ts'

/**
 * Version of everything in the data folder. A folder with a newer version is refused and left
 * unchanged; one with an older version gets this one when it is opened.
 *
 * 2: a document that replaced another says when that one was inserted (`record.ts`).
 */
export const FORMAT_VERSION = 2
export const FORMAT_FILE = 'aisle.json'
export const LOCK_FILE = 'lock'

/** The folder cannot be used. The message is one line for the operator. */
export class DataFolderError extends Error {
  override readonly name = 'DataFolderError'
}

export interface DataFolder {
  readonly path: string
  /** Folder of the document file. */
  readonly documents: string
  /** Folder of the index files, a cache of the documents. */
  readonly index: string
  /** Folder of the event logs, the source of truth for visitor events. */
  readonly events: string
  /** Folder of the suggestion histories derived from the event logs; can be rebuilt. */
  readonly suggestions: string
  /** Folder of the reports database, derived from the event logs. */
  readonly reports: string
  /** Default folder for snapshots. */
  readonly snapshots: string
  /** File with the keys that snapshots must not contain. */
  readonly secrets: string
  /** Problems the operator should know about that do not prevent a start. */
  readonly warnings: readonly string[]
  /** Releases the lock, so that another process can use the folder. */
  release(): void
}

/**
 * Prepares the folder for use by this process alone, or explains in one line why it cannot. It
 * changes nothing inside before every check has passed.
 */
export function openDataFolder(path: string): DataFolder {
  const warnings = prepareDataFolder(path)
  const lock = lockFolder(path)
  try {
    // Before anything is written that an older version would misread.
    if (checkFormat(path) !== FORMAT_VERSION) writeFormat(path)
    warnings.push(...closeToOthers(path))
  } catch (error) {
    lock.close()
    throw new DataFolderError(`Cannot write to the data folder "${path}": ${reasonOf(error)}`)
  }
  return {
    path,
    documents: join(path, 'lmdb'),
    index: join(path, 'index'),
    events: join(path, 'events'),
    suggestions: join(path, 'suggestions'),
    reports: join(path, 'reports'),
    snapshots: join(path, 'snapshots'),
    secrets: join(path, 'secrets.json'),
    warnings,
    release: () => lock.close(),
  }
}

/**
 * The checks of `openDataFolder` before it takes the lock. Creates the folder, and does not change
 * its content. Files that the process creates from here on are private to its user.
 *
 * @returns warnings
 * @throws DataFolderError
 */
export function prepareDataFolder(path: string): string[] {
  keepNewFilesPrivate()
  try {
    makeFolder(path)
  } catch (error) {
    throw new DataFolderError(`Cannot create the data folder "${path}": ${reasonOf(error)}`)
  }
  const warnings = checkFileSystem(path)
  checkFormat(path)
  try {
    tryWriting(path)
  } catch (error) {
    throw new DataFolderError(`Cannot write to the data folder "${path}": ${reasonOf(error)}`)
  }
  return warnings
}

/**
 * Creates the folder of snapshots if it is missing, and tests whether it can be written to.
 *
 * @throws DataFolderError
 */
export function prepareSnapshotFolder(folder: string): void {
  try {
    makeFolder(folder)
    tryWriting(folder)
  } catch (error) {
    throw new DataFolderError(
      `Cannot write snapshots to "${folder}": ${reasonOf(error)}; see --snapshot-dir`,
    )
  }
}

/** `f_type` of statfs(2), from linux/magic.h and driver sources. */
const NETWORK_FILE_SYSTEMS = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff53_4d42, 'CIFS'],
  [0xfe53_4d42, 'SMB2'],
  [0x00c3_6400, 'Ceph'],
  [0x5346_414f, 'AFS'],
  [0x0102_1997, '9P'],
])
const FUSE = 0x6573_5546

/** Memory maps and locks do not work across machines on network file systems. */
export function checkFileSystem(path: string): string[] {
  const type = statfsSync(path).type >>> 0
  const network = NETWORK_FILE_SYSTEMS.get(type)
  if (network !== undefined) {
    throw new DataFolderError(
      `Cannot use the data folder "${path}": it is on a network file system (${network}), where documents are not safe; choose a local disk`,
    )
  }
  return type === FUSE
    ? [`The data folder "${path}" is on FUSE; documents are only as safe as that driver's fsync`]
    : []
}

/**
 * Names that may exist in a folder without a format file: left by an interrupted start, or by the
 * file system.
 */
const FIRST_ENTRIES = new Set([LOCK_FILE, 'code', 'snapshots', 'lost+found', `${FORMAT_FILE}.new`])
const FOREIGN_SHOWN_MAX = 3

/**
 * A wrong `--data-dir` must not put our files among somebody's own. Hidden files are common and
 * harmless.
 */
function refuseForeign(path: string): void {
  const foreign = readdirSync(path).filter(
    (name) => !name.startsWith('.') && !FIRST_ENTRIES.has(name),
  )
  if (foreign.length === 0) return
  const shown = foreign.slice(0, FOREIGN_SHOWN_MAX).join(', ')
  const more = foreign.length - FOREIGN_SHOWN_MAX
  throw new DataFolderError(
    `Cannot use the data folder "${path}": it has files that Aisle did not create (${shown}${more > 0 ? ` and ${more} more` : ''}) but no ${FORMAT_FILE}; choose an empty folder, or a data folder of Aisle`,
  )
}

/**
 * Throws DataFolderError if the folder is not ours, or of a newer version.
 * @returns the version; undefined: a new folder
 */
export function checkFormat(path: string): number | undefined {
  const file = join(path, FORMAT_FILE)
  if (!existsSync(file)) {
    if (existsSync(join(path, 'lmdb'))) {
      throw new DataFolderError(
        `Cannot use the data folder "${path}": it has documents but no ${FORMAT_FILE}, which names their format`,
      )
    }
    refuseForeign(path)
    return undefined
  }
  let format: unknown
  try {
    format = (JSON.parse(readFileSync(file, 'utf8')) as { format?: unknown }).format
  } catch (error) {
    throw new DataFolderError(`Cannot read "${file}": ${reasonOf(error)}`)
  }
  if (typeof format !== 'number' || !Number.isInteger(format) || format < 1) {
    throw new DataFolderError(`Cannot use "${file}": "format" must be a whole number, from 1`)
  }
  if (format > FORMAT_VERSION) {
    throw new DataFolderError(
      `Cannot use the data folder "${path}": it has format ${format}, but this version reads formats up to ${FORMAT_VERSION}; nothing was changed`,
    )
  }
  return format
}

function writeFormat(path: string): void {
  const file = join(path, FORMAT_FILE)
  writeFileSync(`${file}.new`, `${JSON.stringify({ format: FORMAT_VERSION })}\n`)
  syncPath(`${file}.new`)
  renameSync(`${file}.new`, file)
  syncPath(path)
}

export function syncPath(path: string): void {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** The same for a large file: its thread does not wait for the disk. */
export async function syncFile(path: string): Promise<void> {
  await using file = await open(path, 'r')
  await file.sync()
}

/**
 * Node has no file locks, but SQLite takes one (fcntl). It is released when the process ends,
 * however it ends, and it works between containers that share the folder.
 */
export function lockFolder(path: string): DatabaseSync {
  const file = join(path, LOCK_FILE)
  let lock: DatabaseSync | undefined
  try {
    lock = new DatabaseSync(file, { timeout: 0 })
    lock.exec('PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
    return lock
  } catch (error) {
    lock?.close()
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) {
      throw new DataFolderError(`Cannot use the data folder "${path}": another process is using it`)
    }
    throw new DataFolderError(`Cannot lock the data folder "${path}": ${reasonOf(error)}`)
  }
}

const SQLITE_BUSY = 5
