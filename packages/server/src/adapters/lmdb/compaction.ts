import { existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Beat, runCheckingProcess } from './checking-process.ts'
import { syncPath } from './data-folder.ts'
import { openRoot, openTable, type Environment, type Table } from './environment.ts'
import { checkFile } from './file-check.ts'
import { checkEveryRow } from './full-check.ts'

/**
 * LMDB uses the pages of deleted and replaced rows again, and never gives one back to the disk:
 * after hours of writing, its file is as large as its largest moment. So at the start, before
 * anybody has opened the file, one of which most is unused is replaced by a copy without the unused
 * pages.
 */
export type Compaction =
  | { readonly kind: 'compacted'; readonly use: FileUse & { readonly fileBytesNow: number } }
  /** The copy would have taken more than there is room for; the next start tries again. */
  | { readonly kind: 'no room'; readonly use: FileUse }

/** So many unused bytes, and more than used ones, make it worth while. */
const UNUSED_MIN_BYTES = 16 * 1024 * 1024
const COPY_FOLDER = 'compacting'
/** Until all of the copy is on the disk there is nothing to say. */
const STILL_MAX_MS = 600_000

export interface FileUse {
  readonly fileBytes: number
  /** Of pages that hold rows. */
  readonly usedBytes: number
}

/**
 * Compacts a document file that nobody has open, if that is worth while. In a process of its own,
 * because a garbled page can kill the process that touches it; the copy takes the place of the file
 * only when every row of it was read. An attempt that was cut off is not repeated at the next
 * start: whoever ended it, a supervisor that lost patience, say, would end it every time.
 *
 * @param roomBytes what the copy may take of the disk
 * @returns `undefined` when there was nothing to do
 * @throws Error when the copy failed; the file is as it was
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
  if (use.usedBytes > roomBytes) return { kind: 'no room', use }
  const { code, output } = await runCheckingProcess(
    import.meta.filename,
    folder,
    STILL_MAX_MS,
  ).finally(() => rmSync(copy, { recursive: true, force: true }))
  if (code === undefined) throw new Error('it stood still')
  if (code !== 0 || output !== '') throw new Error(output === '' ? `it ended with ${code}` : output)
  const fileBytesNow = statSync(join(folder, 'data.mdb')).size
  return { kind: 'compacted', use: { ...use, fileBytesNow } }
}

/** What a document file, which nobody writes to, has in use. */
export async function fileUse(folder: string): Promise<FileUse> {
  const root = openRoot(folder, { readOnly: true })
  const names = [...root.getKeys({})].map((key) => key.toString().replace(/\0$/, ''))
  const tables = names.map((name) => openTable(root, name))
  const usedBytes = usedBytesOf(root, tables)
  await root.close()
  return { fileBytes: statSync(join(folder, 'data.mdb')).size, usedBytes }
}

/** Bytes of the pages that hold rows: what a compacted copy takes. */
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

/** Whether so much of a file is unused that a copy without it is worth while. */
export function isMostlyUnused(
  { fileBytes, usedBytes }: FileUse,
  minBytes = UNUSED_MIN_BYTES,
): boolean {
  return fileBytes - usedBytes > Math.max(minBytes, usedBytes)
}

/** @throws Error when the file stays as it was */
async function compact(folder: string): Promise<void> {
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
    throw new Error(`the copy has ${after.rows} whole rows, the file ${before.rows}`)
  }
  syncPath(file)
  // The process that started this may be gone, and another service may use the file.
  beat.now()
  renameSync(file, join(folder, 'data.mdb'))
  syncPath(folder)
  // The table of readers means nothing any more.
  rmSync(join(folder, 'lock.mdb'), { force: true })
}

/** LMDB copies on a thread of its own, and says nothing while it does. */
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

if (import.meta.main) {
  await compact(process.argv[2] ?? '').catch((error: unknown) => {
    process.stdout.write(error instanceof Error ? error.message : String(error))
    process.exitCode = 1
  })
}
