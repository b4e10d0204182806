import { isConfigurationFile } from '@aisle/configuration'
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'

/** Of all files together; sets of queries are the largest of them. */
const UNPACKED_MAX_BYTES = 64_000_000
const FILES_MAX = 50_000

/** The files of a configuration as one file. */
export function packArchive(files: ReadonlyMap<string, string>): Uint8Array<ArrayBuffer> {
  return zipSync(
    Object.fromEntries([...files].map(([path, text]) => [path, strToU8(text)])),
    // The earliest time of the format, in any zone: the same settings make the same archive.
    { mtime: new Date(1980, 0, 2) },
  )
}

/**
 * The files of a configuration in an archive; it may be one of a folder that holds them. Other
 * files are passed over.
 *
 * @throws Error that says what is wrong with the archive as a whole
 */
export function unpackArchive(archive: Uint8Array): Map<string, string> {
  let bytes = 0
  let count = 0
  let packed: Readonly<Record<string, Uint8Array>>
  try {
    packed = unzipSync(archive, {
      filter: ({ name, originalSize }) => {
        if (name.endsWith('/')) return false
        bytes += originalSize
        count++
        if (bytes > UNPACKED_MAX_BYTES || count > FILES_MAX) throw new TooLargeError()
        return true
      },
    })
  } catch (error) {
    if (error instanceof TooLargeError) throw error
    throw new Error('Not a zip archive, or damaged', { cause: error })
  }
  const prefix = prefixOf(Object.keys(packed))
  if (prefix === undefined) {
    throw new Error(
      'The archive has no store files, such as schema.yaml, settings.yaml or rules/….yaml, as aisle pull writes them',
    )
  }
  return new Map(
    Object.entries(packed)
      .filter(([path]) => path.startsWith(prefix) && isConfigurationFile(path.slice(prefix.length)))
      .map(([path, content]) => [path.slice(prefix.length), strFromU8(content)]),
  )
}

/** The folder, with its `/`, in which the files of a configuration are: the outermost. */
function prefixOf(paths: readonly string[]): string | undefined {
  const found = paths.flatMap((path) => {
    const parts = path.split('/')
    // A file at the top of a configuration, or one in a folder of it.
    return [parts.length - 2, parts.length - 1]
      .filter((depth) => depth >= 0 && isConfigurationFile(parts.slice(depth).join('/')))
      .map((depth) => parts.slice(0, depth).join('/'))
  })
  const [prefix] = found
    .filter((one) => !one.split('/').includes('..'))
    .toSorted((a, b) => a.split('/').length - b.split('/').length || a.length - b.length)
  return prefix === undefined || prefix === '' ? prefix : `${prefix}/`
}

class TooLargeError extends Error {
  constructor() {
    super(
      `The archive has more than ${UNPACKED_MAX_BYTES / 1e6} MB or ${FILES_MAX} files, which is too many for a store`,
    )
  }
}
