import { chunksOf } from '@aisle/client'
import { formatOfName, openRows, type ImportFormat, type Rows, type Source } from '@aisle/import'

/** How a file is read; absent members are detected. */
export interface Reading {
  readonly format?: ImportFormat | undefined
  readonly delimiter?: string | undefined
  readonly encoding?: string | undefined
}

export interface OpenedFile {
  readonly file: File
  readonly reading: Reading
  readonly source: Source
  readonly rows: Pick<Rows, 'columns' | 'sample' | 'encoding'>
}

/** @throws ImportError if it cannot be read this way */
export async function openFile(file: File, reading: Reading): Promise<OpenedFile> {
  const source = fileSource(file, reading.format ?? (await formatOf(file)))
  const { all, columns, sample, encoding } = await openRows(source, reading)
  await all.return(undefined)
  return { file, reading, source, rows: { columns, sample, encoding } }
}

function fileSource(file: File, format: ImportFormat): Source {
  return {
    name: file.name,
    format,
    bytes: file.size,
    changedMs: file.lastModified,
    async *open(onBytes) {
      for await (const chunk of chunksOf(file.stream())) {
        onBytes?.(chunk.length)
        yield chunk
      }
    },
  }
}

/** By its name, else by its first character. */
async function formatOf(file: File): Promise<ImportFormat> {
  const known = formatOfName(file.name)
  if (known !== undefined && known !== 'json') return known
  const head = (await file.slice(0, 4_096).text()).replace(/^\uFEFF/, '').trimStart()
  if (head.startsWith('[')) return 'json'
  // Many people also name a file of JSON lines .json.
  if (head.startsWith('{')) return /^\{\s*"documents"\s*:/.test(head) ? 'json' : 'ndjson'
  return known ?? 'csv'
}
