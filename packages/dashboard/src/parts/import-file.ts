import { chunksOf } from '@aisle/client'
import type { SchemaFieldRequest } from '@aisle/contract'
import {
  formatOfName,
  likelyIds,
  profileSource,
  propose,
  type FileProfile,
  type ImportFormat,
  type Rows,
  type Source,
} from '@aisle/import'

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
  /** What all of its rows hold. */
  readonly profile: FileProfile
}

/** Between the elements of a list in one cell. */
export const LIST_SEPARATOR = '|'

interface OpenOptions {
  /** Its values are compared, regardless of its name. */
  readonly idColumn?: string
  /** @param share of the file that was read, 0..1 */
  readonly onProgress?: (share: number) => void
}

/**
 * Reads a file to its end, to propose what its columns become.
 *
 * @throws ImportError if it cannot be read this way
 */
export async function openFile(
  file: File,
  reading: Reading,
  { idColumn = '', onProgress }: OpenOptions = {},
): Promise<OpenedFile> {
  const source = fileSource(file, reading.format ?? (await formatOf(file)))
  let bytes = 0
  const { rows, profile } = await profileSource(source, {
    ...reading,
    listSeparator: LIST_SEPARATOR,
    idColumn,
    onBytes: (more) => {
      bytes += more
      onProgress?.(Math.min(1, bytes / Math.max(1, file.size)))
    },
  })
  const { columns, sample, encoding } = rows
  return { file, reading, source, rows: { columns, sample, encoding }, profile }
}

export function fileSource(file: File, format: ImportFormat): Source {
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
  // The name of a compressed file is all there is to go by.
  if (file.name.toLowerCase().endsWith('.gz')) return known ?? 'xml'
  const head = (await file.slice(0, 4_096).text()).replace(/^\uFEFF/, '').trimStart()
  if (head.startsWith('[')) return 'json'
  if (head.startsWith('<')) return 'xml'
  // Many people also name a file of JSON lines .json.
  if (head.startsWith('{')) return /^\{\s*"documents"\s*:/.test(head) ? 'json' : 'ndjson'
  return known ?? 'csv'
}

/** The fields that a file suggests. @throws ImportError when it cannot be read */
export async function learnFields(file: File): Promise<SchemaFieldRequest[]> {
  const { profile } = await openFile(file, {})
  const idColumn = likelyIds(profile)?.column ?? ''
  return [...propose(profile, { mapping: new Map(), idColumn }).fields]
}
