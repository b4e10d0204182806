import { existsSync, readdirSync } from 'node:fs'
import { copyFile, mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { digestsOf } from './file-digest.ts'
import { syncFile, syncPath } from './data-folder.ts'

/** A file of a snapshot with its checksum. */
export interface SealedFile {
  /** Relative to the folder of the event logs, with `/`. */
  readonly name: string
  readonly bytes: number
  readonly sha256: string
}

/**
 * Segments, and the list of erased visitors. Ids are rebuilt from the segments; temporary files are
 * skipped.
 */
const COPIED = /^(log-\d+\.aev|erased\.json)$/

/**
 * Copies the event logs durably while they are written to: segments only grow, and are replaced or
 * removed as a whole. The end of a copy may be torn; opening the log cuts it off.
 */
export async function copyEventLogs(from: string, to: string): Promise<void> {
  const logs = new Set<string>()
  for (const { log, segment } of segmentsBelow(from)) {
    logs.add(log)
    await mkdir(join(to, log), { recursive: true })
    try {
      await copyFile(join(from, log, segment), join(to, log, segment))
      await syncFile(join(to, log, segment))
    } catch (error) {
      // Retention removed the file meanwhile.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }
  for (const log of logs) syncPath(join(to, log))
  if (logs.size > 0) syncPath(to)
}

/** Bytes that a copy takes. */
export async function eventLogBytes(folder: string): Promise<number> {
  let bytes = 0
  for (const { log, segment } of segmentsBelow(folder)) {
    // Retention may remove the file meanwhile.
    const file = await stat(join(folder, log, segment)).catch(() => undefined)
    bytes += file?.size ?? 0
  }
  return bytes
}

/** Files of a copy, with their checksums. */
export async function sealEventLogs(folder: string): Promise<SealedFile[]> {
  const segments = segmentsBelow(folder)
  const paths = segments.map(({ log, segment }) => join(folder, log, segment))
  const digests = await digestsOf(paths)
  return await Promise.all(
    segments.map(async ({ log, segment }, i) => {
      const { size: bytes } = await stat(paths[i]!)
      return { name: `${log}/${segment}`, bytes, sha256: digests[i]! }
    }),
  )
}

/** @returns the first file that differs from its checksum, if any */
export async function firstDamaged(
  folder: string,
  sealed: readonly SealedFile[],
): Promise<string | undefined> {
  const paths = sealed.map(({ name }) => join(folder, ...name.split('/')))
  const missing = paths.find((path) => !existsSync(path))
  if (missing !== undefined) return missing
  const digests = await digestsOf(paths)
  return paths.find((_, i) => digests[i] !== sealed[i]!.sha256)
}

/** Oldest first within a log. */
function segmentsBelow(folder: string): { readonly log: string; readonly segment: string }[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder).flatMap((log) =>
    readdirSync(join(folder, log))
      .filter((name) => COPIED.test(name))
      .toSorted()
      .map((segment) => ({ log, segment })),
  )
}
