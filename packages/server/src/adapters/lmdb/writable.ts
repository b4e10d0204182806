import { existsSync, mkdirSync, mkdtempSync, rmdirSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

/**
 * Creates a folder and its missing parents. Not with `recursive`: where a file system such as /proc
 * answers ENOENT, Node's recursive mkdir never returns and takes all memory.
 *
 * @throws the error of the file system
 */
export function makeFolder(path: string): void {
  const missing: string[] = []
  for (let at = resolve(path); !existsSync(at); at = dirname(at)) missing.push(at)
  for (const folder of missing.toReversed()) mkdirSync(folder)
  if (!statSync(path).isDirectory()) throw Object.assign(new Error(path), { code: 'EEXIST' })
}

/** Creates and removes a file in the folder. @throws the error of the file system */
export function tryWriting(folder: string): void {
  rmdirSync(mkdtempSync(join(folder, '.writable-')))
}

const REASONS: Readonly<Record<string, string>> = {
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is exceeded',
  ENOTDIR: 'a part of the path is a file',
  EEXIST: 'it is a file',
  ENOENT: 'it does not exist and cannot be created',
}

/** Why the file system refused, in words; for missing permissions it names the user. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code = '' } = error as NodeJS.ErrnoException
  if (code === 'EACCES' || code === 'EPERM') {
    return `permission denied (the process runs as user ${process.geteuid?.()})`
  }
  return REASONS[code] ?? error.message
}
