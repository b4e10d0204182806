import { chmodSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Permissions of everyone but the owner, as bits of a mode. */
const OTHERS = 0o077

/**
 * Files that this process creates from now on are private to its user, because the data folder
 * holds what customers do.
 */
export function keepNewFilesPrivate(): void {
  process.umask(OTHERS)
}

/**
 * Removes the access of others to the data folder and its direct entries, which also protects
 * everything below. Folders of older versions were open to everybody on the machine.
 *
 * @returns warnings about entries that could not be changed
 */
export function closeToOthers(folder: string): string[] {
  const warnings: string[] = []
  for (const path of [folder, ...readdirSync(folder).map((name) => join(folder, name))]) {
    try {
      const stats = lstatSync(path)
      const isOpen = (stats.mode & OTHERS) !== 0
      if (isOpen && !stats.isSymbolicLink()) chmodSync(path, stats.mode & 0o7777 & ~OTHERS)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      // It was removed meanwhile.
      if (code === 'ENOENT') continue
      warnings.push(
        `"${path}" is readable by other users of this machine, and its permissions could not be changed (${code ?? String(error)}): run chmod go= on it`,
      )
    }
  }
  return warnings
}
