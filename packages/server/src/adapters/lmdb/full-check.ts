import { join } from 'node:path'
import { Beat, FILE_PROCESS, runCheckingProcess } from './checking-process.ts'
import { DataFolderError } from './data-folder.ts'
import { openRoot, openTable } from './environment.ts'
import { checkFile, UnreadableFileError } from './file-check.ts'
import { catalogOf, docKeyOf, documentKey, idKey } from './keys.ts'
import {
  DamagedRowError,
  mixBytes,
  mixNumbers,
  readDocumentRow,
  readJsonRow,
  readNumberRow,
  readTextRow,
  readVectorRow,
} from './record.ts'
import type { CatalogCounters, StoreRow } from '../../ports/catalog/document-store.ts'

/**
 * Checks the document file before this process maps it. Always: its length. If that is short, or if
 * `full` is set: every row, in a child process, because reading a garbled page can kill the
 * process. The check may take as long as it makes progress.
 *
 * @returns warnings
 */
export async function checkDocuments(folder: string, full: boolean): Promise<string[]> {
  const file = join(folder, 'data.mdb')
  let short: boolean
  try {
    const check = checkFile(file)
    if (check === undefined) {
      // A process killed at its very start leaves an empty file.
      return []
    }
    short = check.fileBytes < check.usedBytes
  } catch (error) {
    if (!(error instanceof UnreadableFileError)) throw error
    throw new DataFolderError(`Cannot start: ${error.message}; restore the data folder from a copy`)
  }
  // LMDB may never write a last page that was allocated and freed in the same commit, so a short
  // file alone proves nothing.
  if (!short && !full) return []
  const { code, output } = await runCheckingProcess(FILE_PROCESS, ['check', folder])
  if (code === 0) return []
  if (code === DAMAGED_EXIT_CODE) {
    return [`The document file "${file}" has damaged rows: ${output.trim()}`]
  }
  if (code === undefined) {
    throw new DataFolderError(
      `Cannot start: the check of the document file "${file}" makes no progress; does its disk respond?`,
    )
  }
  throw new DataFolderError(
    `Cannot start: the document file "${file}" is too damaged to read (${short ? 'it is too short, ' : ''}the check ended with ${code}); restore the data folder from a copy`,
  )
}

export const DAMAGED_EXIT_CODE = 3
const EXAMPLES_MAX = 5

/** Number of rows of a catalog by table, and of documents according to its counters. */
interface CatalogCounts {
  documents: number
  ids: number
  tombstones: number
  counters: number
}

/**
 * Reads every row, and counts the documents of each store in two ways, because the rows of a
 * garbled page may simply be missing.
 *
 * @param beat called for each row
 * @returns the problems found, one line each
 */
export async function checkEveryRow(
  folder: string,
  beat = new Beat(false),
): Promise<{
  readonly rows: number
  readonly stores: readonly { readonly storeId: string; readonly documents: number }[]
  readonly damaged: readonly string[]
}> {
  const root = openRoot(folder, { readOnly: true })
  const damaged: string[] = []
  let rows = 0
  const check = (
    table: string,
    name: string,
    read: (key: Buffer, value: Buffer) => unknown,
  ): void => {
    for (const { key, value } of openTable(root, table)?.getRange({}) ?? []) {
      rows++
      beat.done()
      try {
        read(key, value)
      } catch (error) {
        if (!(error instanceof DamagedRowError) && !(error instanceof SyntaxError)) throw error
        damaged.push(`${name} ${key.toString('hex').slice(0, 64)}: ${error.message}`)
      }
    }
  }
  const counted = new Map<number, CatalogCounts>()
  const countsOf = (catalog: number): CatalogCounts => {
    let counts = counted.get(catalog)
    if (counts === undefined) {
      counts = { documents: 0, ids: 0, tombstones: 0, counters: 0 }
      counted.set(catalog, counts)
    }
    return counts
  }
  const mixOf = (key: Buffer): number => mixNumbers(catalogOf(key), docKeyOf(key))
  const storeRows: StoreRow[] = []
  check('stores', 'store', (key, value) => {
    storeRows.push(readJsonRow(value, mixBytes(key)) as StoreRow)
  })
  check('resources', 'resource', (key, value) => readTextRow(value, mixBytes(key)))
  for (const table of ['users', 'sessions', 'audit', 'edits']) {
    check(table, table, (key, value) => readJsonRow(value, mixBytes(key)))
  }
  check('edit-parts', 'part of an edit', (key, value) => readDocumentRow(value, mixBytes(key)))
  check('counters', 'counters', (key, value) => {
    const { docCount } = readJsonRow(value, mixBytes(key)) as CatalogCounters
    countsOf(catalogOf(key)).counters = docCount
  })
  // Looks up each row of one table in the other, as the service will: a lookup in a garbled page
  // may kill a process that a scan does not, and this process may die.
  const [ids, documents] = [openTable(root, 'ids'), openTable(root, 'documents')]
  check('documents', 'document', (key, value) => {
    countsOf(catalogOf(key)).documents++
    const { id } = readDocumentRow(value, mixOf(key))
    ids?.getBinary(idKey(catalogOf(key), id))
  })
  check('ids', 'id', (key, value) => {
    countsOf(catalogOf(key)).ids++
    documents?.getBinary(documentKey(catalogOf(key), readNumberRow(value, mixBytes(key))))
  })
  check('vectors', 'vector', (key, value) => readVectorRow(value, mixBytes(key)))
  check('tombstones', 'tombstone', (key, value) => {
    countsOf(catalogOf(key)).tombstones++
    readNumberRow(value, mixOf(key))
  })
  await root.close()
  const stores = storeRows.map(({ storeId, catalog }) => {
    const { documents, ids, tombstones, counters } = countsOf(catalog)
    const live = documents - tombstones
    if (ids !== counters || live !== counters) {
      damaged.push(
        `store "${storeId}" should have ${counters} documents; found ${live}, under ${ids} ids`,
      )
    }
    return { storeId, documents: live }
  })
  return { rows, stores, damaged }
}

/**
 * Checks every row, in such a process.
 *
 * @returns the problems, for a person; undefined if there are none
 */
export async function problemsOf(folder: string): Promise<string | undefined> {
  const { rows, damaged } = await checkEveryRow(folder, new Beat(true))
  if (damaged.length === 0) return undefined
  return `${damaged.length} of ${rows}, including ${damaged.slice(0, EXAMPLES_MAX).join('; ')}`
}
