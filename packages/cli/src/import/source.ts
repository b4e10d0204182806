import { formatOfName, IMPORT_FORMATS, type ImportFormat, type Source } from '@aisle/import'
import { createReadStream, statSync } from 'node:fs'
import { addAbortSignal, type Readable } from 'node:stream'
import { CommandError } from '../exit-codes.ts'

/** @throws CommandError if the file does not exist or its format is unknown */
export function openSource(file: string, format: string | undefined, stdin: Readable): Source {
  const known = knownFormat(format)
  if (file === '-') {
    const open: Source['open'] = (onBytes, signal) => counted(stdin, onBytes, signal)
    return { name: 'stdin', format: known ?? 'ndjson', bytes: Number.NaN, changedMs: 0, open }
  }
  const found = known ?? formatOfName(file)
  if (found === undefined) {
    throw new CommandError(
      'usage',
      `"${file}" does not end in .json, .ndjson, .csv, .tsv or .xml (or one of these and .gz): add --format`,
    )
  }
  const stat = statSync(file, { throwIfNoEntry: false })
  if (stat?.isFile() !== true) throw new CommandError('usage', `No file "${file}"`)
  const open: Source['open'] = (onBytes, signal) => counted(createReadStream(file), onBytes, signal)
  return { name: file, format: found, bytes: stat.size, changedMs: stat.mtimeMs, open }
}

/** @throws CommandError if it is not a format */
export function knownFormat(format: string | undefined): ImportFormat | undefined {
  const known = IMPORT_FORMATS.find((one) => one === format)
  if (format === undefined || known !== undefined) return known
  throw new CommandError('usage', `--format must be one of ${IMPORT_FORMATS.join(', ')}`)
}

async function* counted(
  stream: Readable,
  onBytes: ((bytes: number) => void) | undefined,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  if (signal !== undefined) addAbortSignal(signal, stream)
  for await (const chunk of stream as AsyncIterable<Buffer | string>) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
    onBytes?.(bytes.length)
    yield bytes
  }
}
