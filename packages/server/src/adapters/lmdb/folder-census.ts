import { Beat, FILE_PROCESS, runCheckingProcess } from './checking-process.ts'
import { fileUse, type FileUse } from './compaction.ts'
import { checkEveryRow } from './full-check.ts'

/** Contents of a document file, counted row by row. */
export interface Census {
  readonly rows: number
  readonly stores: readonly { readonly storeId: string; readonly documents: number }[]
  /** Problems found, one line each; empty if there are none. */
  readonly problems: readonly string[]
  /** Absent if rows are damaged. */
  readonly use?: FileUse
}

const PROBLEMS_MAX = 20

/**
 * Reads every row of a document file that nobody writes to, and counts each store in two ways. It
 * runs in a separate process, because reading a garbled page can kill the process.
 *
 * @param folder of the document file
 * @throws Error if the file cannot be read to its end
 */
export async function takeCensus(folder: string): Promise<Census> {
  const { code, output } = await runCheckingProcess(FILE_PROCESS, ['census', folder])
  if (code === 0) return JSON.parse(output) as Census
  throw new Error(`it cannot be read to its end (${code ?? 'no progress'})`)
}

/** The census itself, in such a process. */
export async function census(folder: string): Promise<Census> {
  const { rows, stores, damaged } = await checkEveryRow(folder, new Beat(true))
  const problems = damaged.slice(0, PROBLEMS_MAX)
  if (problems.length > 0) return { rows, stores: [], problems }
  return { rows, stores, problems, use: await fileUse(folder) }
}
