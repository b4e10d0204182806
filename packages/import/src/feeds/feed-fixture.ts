import { openRows, type ReadOptions, type Rows } from '../rows.ts'
import type { ImportFormat, Source } from '../source.ts'

interface FeedRead extends Omit<Rows, 'all'> {
  /** The entries, or the texts of rows that cannot be imported. */
  readonly entries: readonly unknown[]
  /** What ended the reading. */
  readonly error: string | undefined
}

/** Reads a feed in pieces, as an import does, up to its first error. */
export async function readFeed(
  content: string | Uint8Array,
  { format = 'xml', size = 7, ...options }: ReadOptions & FeedOptions = {},
): Promise<FeedRead> {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  const source: Source = {
    name: `feed.${format}`,
    format,
    bytes: bytes.length,
    changedMs: 0,
    async *open() {
      for (let i = 0; i < bytes.length; i += size) yield bytes.subarray(i, i + size)
    },
  }
  const rows = await openRows(source, { sampleRows: 0, ...options })
  const entries: unknown[] = []
  try {
    for await (const row of rows.all) {
      entries.push(row.kind === 'json' ? (JSON.parse(row.text) as unknown) : row)
    }
  } catch (error) {
    return { ...rows, entries, error: (error as Error).message }
  }
  return { ...rows, entries, error: undefined }
}

interface FeedOptions {
  readonly format?: ImportFormat
  /** Bytes of a piece. */
  readonly size?: number
}

/** A feed with these items. */
export function rss(items: string, declaration = ''): string {
  return `${declaration}<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0"><channel>\n<title>Shop</title><link>https://shop.example</link>\n${items}</channel></rss>\n`
}
