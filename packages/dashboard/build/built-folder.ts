import { createHash } from 'node:crypto'
import {
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

export const REPOSITORY = fileURLToPath(new URL('../../..', import.meta.url))
/** Compressed at build, so that nothing is compressed per request. */
const COMPRESSIBLE = /\.(js|css|html|svg|json)$/
const STAMP = 'built-from.txt'

/**
 * Builds a folder when its sources are not those that it was built of, else does nothing. Where the
 * build tools are not installed (`--omit=dev`), pages stay as they are, and code is removed: the
 * sources run instead.
 *
 * @param folder the folder that is built
 * @param sources what the build reads, as patterns from the root
 * @param build writes into the folder that it is given
 * @param options isPage: of pages there are compressed copies
 * @returns whether something was built
 */
export async function buildFolder(
  folder: string,
  sources: readonly string[],
  build: (folder: string) => Promise<void>,
  { isPage = true }: { readonly isPage?: boolean } = {},
): Promise<boolean> {
  const fingerprint = fingerprintOf(sources)
  const stamp = join(folder, STAMP)
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint) return false
  const made = `${folder}.${process.pid}`
  try {
    await build(made)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    if (!isPage) rmSync(folder, { recursive: true, force: true })
    return false
  }
  if (isPage) compress(made)
  writeFileSync(join(made, STAMP), fingerprint)
  replaceFolder(made, folder)
  return true
}

function fingerprintOf(patterns: readonly string[]): string {
  const hash = createHash('sha256')
  for (const path of globSync([...patterns], { cwd: REPOSITORY }).toSorted()) {
    if (/\.test\.tsx?$/.test(path)) continue
    const full = join(REPOSITORY, path)
    try {
      hash.update(path).update(readFileSync(full))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EISDIR') throw error
    }
  }
  return hash.digest('hex')
}

function compress(folder: string): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!COMPRESSIBLE.test(name)) continue
    const path = join(folder, name)
    const bytes = readFileSync(path)
    const params = { [constants.BROTLI_PARAM_QUALITY]: 10 }
    writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params }))
    writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }))
  }
}

/** Two builds at once end with one of the two, whole. */
function replaceFolder(from: string, to: string): void {
  const old = `${to}.old.${process.pid}`
  mkdirSync(to, { recursive: true })
  renameSync(to, old)
  renameSync(from, to)
  rmSync(old, { recursive: true, force: true })
}
