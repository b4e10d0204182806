import { existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Beat, FILE_PROCESS, runCheckingProcess } from './checking-process.ts'
import { syncPath } from './data-folder.ts'
import { openRoot, openTable, type Environment, type Table } from './environment.ts'
import { checkFile } from './file-check.ts'
import { checkEveryRow } from './full-check.ts'

/**
 * LMDB reuses the pages of deleted and replaced rows, but never returns them to the disk: after
 * hours of writing, its file has the size of its largest moment. So at startup, before anybody
 * opens the file, a file that is mostly unused is replaced by a copy without the unused pages.
 */
export type Compaction =
  | { readonly kind: 'compacted'; readonly use: FileUse & { readonly fileBytesNow: number } }
  /** Results when the disk has no room for the copy; the next start tries again. */
  | { readonly kind: 'not enough disk space'; readonly use: FileUse }

/**
 * Compaction is worthwhile with this many unused bytes, if they are also more than the used ones.
 */
const UNUSED_MIN_BYTES = 16 * 1024 * 1024
const COPY_FOLDER = 'compacting'
/** A copy reports no progress until it is completely on disk. */
const STILL_MAX_MS = 600_000

export interface FileUse {
  readonly fileBytes: number
  /** Bytes of pages that hold rows. */
  readonly usedBytes: number
}

/**
 * Compacts a document file that nobody has open, if it is worthwhile. It runs in a separate
 * process, because reading a garbled page can kill the process, and the copy replaces the file only
 * after every row of it was read. An interrupted attempt is not repeated at the next start:
 * whatever ended it (an impatient supervisor, for example) would end it every time.
 *
 * @param roomBytes how many bytes the copy may take on disk
 * @returns `undefined` if there was nothing to do
 * @throws Error if the copy failed; the file is unchanged
 */
export async function compactWhenWorthwhile(
  folder: string,
  roomBytes: number,
  unusedMinBytes = UNUSED_MIN_BYTES,
): Promise<Compaction | undefined> {
  const copy = join(folder, COPY_FOLDER)
  const wasCutOff = existsSync(copy)
  rmSync(copy, { recursive: true, force: true })
  const check = checkFile(join(folder, 'data.mdb'))
  if (wasCutOff || check === undefined || check.fileBytes < unusedMinBytes) return undefined
  const use = await fileUse(folder)
  if (!isMostlyUnused(use, unusedMinBytes)) return undefined
  if (use.usedBytes > roomBytes) return { kind: 'not enough disk space', use }
  const { code, output } = await runCheckingProcess(
    FILE_PROCESS,
    ['compact', folder],
    STILL_MAX_MS,
  ).finally(() => rmSync(copy, { recursive: true, force: true }))
  if (code === undefined) throw new Error('it made no progress')
  if (code !== 0 || output !== '')
    throw new Error(output === '' ? `it exited with ${code}` : output)
  const fileBytesNow = statSync(join(folder, 'data.mdb')).size
  return { kind: 'compacted', use: { ...use, fileBytesNow } }
}

/** Used and unused bytes of a document file that nobody writes to. */
export async function fileUse(folder: string): Promise<FileUse> {
  const root = openRoot(folder, { readOnly: true })
  const names = [...root.getKeys({})].map((key) => key.toString().replace(/\0$/, ''))
  const tables = names.map((name) => openTable(root, name))
  const usedBytes = usedBytesOf(root, tables)
  await root.close()
  return { fileBytes: statSync(join(folder, 'data.mdb')).size, usedBytes }
}

/** Bytes of the pages that hold rows: the size of a compacted copy. */
export function usedBytesOf(
  root: Environment['root'],
  tables: readonly (Table | undefined)[],
): number {
  const { pageSize, free, ...own } = root.getStats() as TableStats & {
    readonly pageSize: number
    readonly free: TableStats
  }
  const stats = tables.map((table) => table?.getStats() as TableStats | undefined)
  return [own, free, ...stats].reduce((sum, table) => sum + pagesOf(table), META_PAGES) * pageSize
}

interface TableStats {
  readonly treeBranchPageCount: number
  readonly treeLeafPageCount: number
  readonly overflowPages: number
}

const META_PAGES = 2

function pagesOf(table: TableStats | undefined): number {
  if (table === undefined) return 0
  return table.treeBranchPageCount + table.treeLeafPageCount + table.overflowPages
}

/** Whether so much of a file is unused that a copy without it is worthwhile. */
export function isMostlyUnused(
  { fileBytes, usedBytes }: FileUse,
  minBytes = UNUSED_MIN_BYTES,
): boolean {
  return fileBytes - usedBytes > Math.max(minBytes, usedBytes)
}

/** Replaces the file by a compacted copy, in such a process. @throws Error if it did not */
export async function compact(folder: string): Promise<void> {
  const beat = new Beat(true)
  const before = await checkEveryRow(folder, beat)
  if (before.damaged.length > 0) throw new Error('it has damaged rows: see aisle doctor')
  const copy = join(folder, COPY_FOLDER)
  mkdirSync(copy)
  const file = join(copy, 'data.mdb')
  const root = openRoot(folder, { readOnly: true })
  const watch = watchGrowth(file, beat)
  await root.backup(copy, true)
  clearInterval(watch)
  await root.close()
  const after = await checkEveryRow(copy, beat)
  if (after.damaged.length > 0 || after.rows !== before.rows) {
    throw new Error(`the copy has ${after.rows} intact rows, the file ${before.rows}`)
  }
  syncPath(file)
  // The process that started this one may have ended, and another service may use the file.
  beat.now()
  renameSync(file, join(folder, 'data.mdb'))
  syncPath(folder)
  // The lock file's table of readers is no longer valid.
  rmSync(join(folder, 'lock.mdb'), { force: true })
}

/** LMDB copies on its own thread and reports nothing meanwhile. */
function watchGrowth(file: string, beat: Beat): NodeJS.Timeout {
  let bytes = -1
  return setInterval(() => {
    const now = statSync(file, { throwIfNoEntry: false })?.size ?? -1
    if (now === bytes) return
    bytes = now
    beat.now()
  }, GROWTH_LOOK_MS)
}

const GROWTH_LOOK_MS = 1_000
