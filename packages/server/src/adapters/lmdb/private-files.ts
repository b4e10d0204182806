import { chmodSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** What others than the owner may do, as bits of a mode. */
const OTHERS = 0o077

/**
 * From now on whatever this process makes is for its user alone: the data folder holds what
 * customers do.
 */
export function keepNewFilesPrivate(): void {
  process.umask(OTHERS)
}

/**
 * Takes the data folder and what lies directly in it away from others: deeper down nobody gets
 * then. Folders of older versions were open to everybody on the machine.
 *
 * @returns warnings about what could not be changed
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
      // It went away meanwhile.
      if (code === 'ENOENT') continue
      warnings.push(
        `"${path}" can be read by other users of this machine, and that cannot be changed (${code ?? String(error)}): chmod go= it`,
      )
    }
  }
  return warnings
}
