import { statSync } from 'node:fs'
import { requireOnnxPackages } from '../adapters/embedders/onnx-packages.ts'
import type { Config } from '../config.ts'
import type { Log } from './logger.ts'

/** Permissions of users who are neither the owner nor in the group, as bits of a mode. */
const EVERYBODY = 0o007

/**
 * Looks for what no file says about itself: packages that are not installed, and keys that other
 * users of the machine can read.
 *
 * @returns the embedders
 * @throws OnnxPackagesError with the command that installs them
 */
export function checkEmbedders(
  { embedders, embeddersFile }: Pick<Config, 'embedders' | 'embeddersFile'>,
  log: Log,
): Config['embedders'] {
  if (embedders.some(({ kind }) => kind === 'folder')) requireOnnxPackages()
  const hasKeys = embedders.some((one) => one.kind === 'endpoint' && one.apiKey !== undefined)
  if (embeddersFile === undefined || !hasKeys || process.platform === 'win32') {
    return embedders
  }
  if ((statSync(embeddersFile).mode & EVERYBODY) !== 0) {
    log(
      'warn',
      'Every user of this machine can read the keys of the embedders: run chmod o= on the file',
      {
        file: embeddersFile,
      },
    )
  }
  return embedders
}
