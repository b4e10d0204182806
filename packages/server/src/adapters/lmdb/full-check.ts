import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DataFolderError } from './data-folder.ts'
import { openRoot, openTable } from './environment.ts'
import { checkFile, UnreadableFileError } from './file-check.ts'
import { catalogOf, docKeyOf } from './keys.ts'
import {
  DamagedRowError,
  mixBytes,
  mixNumbers,
  readDocumentRow,
  readJsonRow,
  readNumberRow,
  readTextRow,
} from './record.ts'

/**
 * Checks the document file before this process maps it. Always: its length. When that is short, or
 * when `full` is asked for: every row, in a child process, because a garbled page can kill the
 * process that touches it.
 *
 * @returns warnings
 */
export function checkDocuments(folder: string, full: boolean): string[] {
  const file = join(folder, 'data.mdb')
  let short: boolean
  try {
    const check = checkFile(file)
    if (check === undefined) {
      // A process killed in its very first moments leaves an empty file.
      return []
    }
    short = check.fileBytes < check.usedBytes
  } catch (error) {
    if (error instanceof UnreadableFileError)
      throw new DataFolderError(`Cannot start: ${error.message}`)
    throw error
  }
  // LMDB may never have written a last page that was freed in the commit that took it, so a short
  // file alone proves nothing.
  if (!short && !full) return []
  const child = spawnSync(process.execPath, [import.meta.filename, folder], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  if (child.status === 0) return []
  if (child.status === DAMAGED_EXIT_CODE) {
    return [`The document file "${file}" has damaged rows: ${child.stdout.trim()}`]
  }
  throw new DataFolderError(
    `Cannot start: the document file "${file}" is damaged beyond reading (${short ? 'it is too short, ' : ''}the check ended with ${child.signal ?? child.status}); restore the data folder from a copy`,
  )
}

const DAMAGED_EXIT_CODE = 3
const EXAMPLES_MAX = 5

/** Reads every row. @returns what is wrong, one line each */
export async function checkEveryRow(folder: string): Promise<{ rows: number; damaged: string[] }> {
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
      try {
        read(key, value)
      } catch (error) {
        if (!(error instanceof DamagedRowError) && !(error instanceof SyntaxError)) throw error
        damaged.push(`${name} ${key.toString('hex').slice(0, 64)}: ${error.message}`)
      }
    }
  }
  const mixOf = (key: Buffer): number => mixNumbers(catalogOf(key), docKeyOf(key))
  check('stores', 'store', (key, value) => readJsonRow(value, mixBytes(key)))
  check('resources', 'resource', (key, value) => readTextRow(value, mixBytes(key)))
  for (const table of ['users', 'sessions', 'audit']) {
    check(table, table, (key, value) => readJsonRow(value, mixBytes(key)))
  }
  check('counters', 'counters', (key, value) => readJsonRow(value, mixBytes(key)))
  check('documents', 'document', (key, value) => readDocumentRow(value, mixOf(key)))
  check('ids', 'id', (key, value) => readNumberRow(value, mixBytes(key)))
  check('tombstones', 'tombstone', (key, value) => readNumberRow(value, mixOf(key)))
  await root.close()
  return { rows, damaged }
}

if (import.meta.main && existsSync(process.argv[2] ?? '')) {
  const { rows, damaged } = await checkEveryRow(process.argv[2] ?? '')
  if (damaged.length > 0) {
    const examples = damaged.slice(0, EXAMPLES_MAX).join('; ')
    process.stdout.write(`${damaged.length} of ${rows}, among them ${examples}\n`)
    process.exitCode = DAMAGED_EXIT_CODE
  }
}
