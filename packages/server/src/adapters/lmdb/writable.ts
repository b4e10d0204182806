import { existsSync, mkdirSync, mkdtempSync, rmdirSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

/**
 * Makes a folder and those above it that are missing. Not with `recursive`: where a file system
 * answers ENOENT to making a folder, as /proc does, Node never comes back from it, and takes all
 * memory.
 *
 * @throws the error of the file system
 */
export function makeFolder(path: string): void {
  const missing: string[] = []
  for (let at = resolve(path); !existsSync(at); at = dirname(at)) missing.push(at)
  for (const folder of missing.toReversed()) mkdirSync(folder)
  if (!statSync(path).isDirectory()) throw Object.assign(new Error(path), { code: 'EEXIST' })
}

/** Makes something in the folder and takes it away again. @throws the error of the file system */
export function tryWriting(folder: string): void {
  rmdirSync(mkdtempSync(join(folder, '.writable-')))
}

const REASONS: Readonly<Record<string, string>> = {
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of the disk is used up',
  ENOTDIR: 'a part of the path is a file',
  EEXIST: 'it is a file',
  ENOENT: 'it is not there and cannot be made',
}

/** Why the file system refused, in words; who is refused when it is a matter of permission. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code = '' } = error as NodeJS.ErrnoException
  if (code === 'EACCES' || code === 'EPERM') {
    return `permission denied (the process runs as user ${process.geteuid?.()})`
  }
  return REASONS[code] ?? error.message
}
