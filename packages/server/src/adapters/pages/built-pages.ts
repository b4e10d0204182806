import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join, sep } from 'node:path'
import {
  PAGE_ENCODINGS,
  type PageEncoding,
  type PageFile,
  type PageFiles,
} from '../../ports/host/page-files.ts'

/** Extensions of built files; anything else in the folder is not served. */
const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.json': 'application/json',
}
const SUFFIXES = { identity: '', br: '.br', gzip: '.gz' } as const
const FORMS = ['identity', ...PAGE_ENCODINGS] as const

/**
 * The files of one build in memory (3 MB of the dashboard, 7 MB of the docs), so that a later one
 * in the same folder changes nothing while the service runs: page and parts stay those of this
 * version. All threads share it.
 */
export interface BuiltPages {
  readonly bytes: SharedArrayBuffer
  readonly files: readonly BuiltFile[]
}

interface BuiltFile {
  /** The name in the address. */
  readonly path: string
  readonly contentType: string
  readonly etag: string
  /** Start and end of each encoding in `bytes`. */
  readonly places: ReadonlyMap<PageEncoding | 'identity', readonly [number, number]>
}

/**
 * Reads the output folder of packages/dashboard/build.
 *
 * @returns undefined if nothing was built
 */
export function readBuiltPages(folder: string): BuiltPages | undefined {
  let names: Set<string>
  try {
    const found = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    names = new Set(found.map((name) => name.replaceAll(sep, '/')))
  } catch {
    return undefined
  }
  if (!names.has('index.html')) return undefined
  const contents: Buffer[] = []
  let length = 0
  const files = [...names].flatMap((path): BuiltFile[] => {
    const contentType = CONTENT_TYPES[extname(path)]
    if (contentType === undefined) return []
    const places = new Map<PageEncoding | 'identity', readonly [number, number]>()
    const hash = createHash('sha256')
    for (const form of FORMS) {
      if (!names.has(path + SUFFIXES[form])) continue
      const content = readFileSync(join(folder, path + SUFFIXES[form]))
      if (form === 'identity') hash.update(content)
      places.set(form, [length, length + content.length])
      length += content.length
      contents.push(content)
    }
    const etag = `"${hash.digest('base64url').slice(0, 22)}"`
    return [{ path, contentType, etag, places }]
  })
  const bytes = new SharedArrayBuffer(length)
  const whole = Buffer.from(bytes)
  let at = 0
  for (const content of contents) at += content.copy(whole, at)
  return { bytes, files }
}

/** Finds the files by name. No path of a request reaches the disk. */
export function openBuiltPages(built: BuiltPages | undefined): PageFiles | undefined {
  if (built === undefined) return undefined
  const files = new Map(
    built.files.map(({ path, contentType, etag, places }): [string, PageFile] => [
      path,
      {
        contentType,
        etag,
        encodings: new Set(PAGE_ENCODINGS.filter((one) => places.has(one))),
        read: (encoding) => {
          const [start, end] = places.get(encoding)!
          return Buffer.from(built.bytes, start, end - start)
        },
      },
    ]),
  )
  return { find: (path) => files.get(path) }
}
