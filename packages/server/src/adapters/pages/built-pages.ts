import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join, sep } from 'node:path'
import { PAGE_ENCODINGS, type PageFile, type PageFiles } from '../../ports/page-files.ts'

/** What the build makes; anything else in the folder is not served. */
const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}
const SUFFIXES = { br: '.br', gzip: '.gz' } as const

/**
 * The folder that packages/dashboard/build made. It is listed once, so that no path of a request
 * reaches the disk; the files are read when they are asked for, which browsers do once.
 *
 * @returns undefined when nothing was built
 */
export function openBuiltPages(folder: string): PageFiles | undefined {
  let names: Set<string>
  try {
    names = new Set(
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) =>
        name.replaceAll(sep, '/'),
      ),
    )
  } catch {
    return undefined
  }
  const files = new Map<string, PageFile>()
  for (const name of names) {
    const contentType = CONTENT_TYPES[extname(name)]
    if (contentType === undefined) continue
    const path = join(folder, name)
    const encodings = new Set(PAGE_ENCODINGS.filter((one) => names.has(name + SUFFIXES[one])))
    files.set(name, {
      contentType,
      etag: `"${createHash('sha256').update(readFileSync(path)).digest('base64url').slice(0, 22)}"`,
      encodings,
      read: (encoding) => readFile(encoding === 'identity' ? path : path + SUFFIXES[encoding]),
    })
  }
  return files.has('index.html') ? { find: (path) => files.get(path) } : undefined
}
