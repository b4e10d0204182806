import { createReadStream, statSync } from 'node:fs'
import { addAbortSignal } from 'node:stream'
import type { Readable } from 'node:stream'
import { CommandError } from '../exit-codes.ts'

export const IMPORT_FORMATS = ['json', 'ndjson', 'csv', 'tsv'] as const
export type ImportFormat = (typeof IMPORT_FORMATS)[number]

/** A file to import, or the standard input. */
export interface Source {
  readonly name: string
  readonly format: ImportFormat
  /** NaN if unknown. */
  readonly bytes: number
  /** Time of the last change, to recognise the file. */
  readonly changedMs: number
  /** Starts from the beginning each time; standard input can be opened only once. */
  readonly open: (onBytes?: OnBytes, signal?: AbortSignal) => AsyncIterable<Buffer>
}

type OnBytes = (bytes: number) => void

const BY_ENDING: Readonly<Record<string, ImportFormat>> = {
  json: 'json',
  ndjson: 'ndjson',
  jsonl: 'ndjson',
  csv: 'csv',
  tsv: 'tsv',
  tab: 'tsv',
}

/** @throws CommandError when there is no such file, or its format is not clear */
export function openSource(file: string, format: string | undefined, stdin: Readable): Source {
  const known = IMPORT_FORMATS.find((one) => one === format)
  if (format !== undefined && known === undefined) {
    throw new CommandError('usage', `--format must be one of ${IMPORT_FORMATS.join(', ')}`)
  }
  if (file === '-') {
    const open: Source['open'] = (onBytes, signal) => counted(stdin, onBytes, signal)
    return { name: 'stdin', format: known ?? 'ndjson', bytes: Number.NaN, changedMs: 0, open }
  }
  const ending = file.split('.').at(-1)?.toLowerCase() ?? ''
  const found = known ?? BY_ENDING[ending]
  if (found === undefined) {
    throw new CommandError(
      'usage',
      `Say --format: "${file}" does not end in .json, .ndjson, .csv or .tsv`,
    )
  }
  const stat = statSync(file, { throwIfNoEntry: false })
  if (stat?.isFile() !== true) throw new CommandError('usage', `There is no file "${file}"`)
  const open: Source['open'] = (onBytes, signal) => counted(createReadStream(file), onBytes, signal)
  return { name: file, format: found, bytes: stat.size, changedMs: stat.mtimeMs, open }
}

async function* counted(
  stream: Readable,
  onBytes: OnBytes | undefined,
  signal: AbortSignal | undefined,
): AsyncGenerator<Buffer> {
  if (signal !== undefined) addAbortSignal(signal, stream)
  for await (const chunk of stream as AsyncIterable<Buffer | string>) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
    onBytes?.(bytes.length)
    yield bytes
  }
}
