import type { FeedConnection } from '@aisle/contract'
import {
  charsOf,
  formatOfName,
  formatOfType,
  ImportError,
  openRows,
  type Source,
  type SourceRow,
} from '@aisle/import'
import { SourceError } from '../source-error.ts'
import type { ReaderOptions, SourceBatch, SourceReader } from '../source-reader.ts'
import {
  download,
  shownUrl,
  type Download,
  type DownloadLimits,
  type Validators,
} from './download.ts'

const BATCH_ROWS = 500
const BATCH_CHARS = 2_000_000

/** A product feed, or a file of documents, at a URL. */
export class FeedReader implements SourceReader {
  readonly #connection: FeedConnection
  readonly #options: ReaderOptions
  readonly #limits: DownloadLimits | undefined

  constructor(connection: FeedConnection, options: ReaderOptions, limits?: DownloadLimits) {
    this.#connection = connection
    this.#options = options
    this.#limits = limits
  }

  async *readAll(signal: AbortSignal, position?: string): AsyncGenerator<SourceBatch> {
    const answer = await this.#download(signal, position)
    if (answer.kind === 'unchanged') {
      yield { kind: 'unchanged', position: position! }
      return
    }
    try {
      yield* this.#rowsOf(answer, signal)
    } catch (error) {
      if (!(error instanceof ImportError)) throw error
      throw new SourceError('unreadable', error.message, { cause: error })
    } finally {
      await answer.bytes.return(undefined)
    }
    yield { kind: 'end', position: positionOf(answer.validators) }
  }

  async close(): Promise<void> {
    // Every connection ends with its reading.
  }

  #download(signal: AbortSignal, position: string | undefined): Promise<Download> {
    const { url, username } = this.#connection
    const { secrets, networks } = this.#options
    const name = `${username ?? ''}:${secrets['password'] ?? ''}`
    return download({
      url,
      networks,
      signal,
      validators: position === undefined ? undefined : (JSON.parse(position) as Validators),
      authorization:
        username === undefined ? undefined : `Basic ${Buffer.from(name).toString('base64')}`,
      ...(this.#limits === undefined ? {} : { limits: this.#limits }),
    })
  }

  async *#rowsOf(
    { url, contentType, bytes: body }: Download & { kind: 'file' },
    signal: AbortSignal,
  ): AsyncGenerator<SourceBatch> {
    const { format: chosen, encoding, delimiter } = this.#connection
    const format = chosen ?? formatOfName(url.pathname) ?? formatOfType(contentType)
    if (format === undefined) {
      throw new SourceError(
        'unreadable',
        `Neither the end of "${shownUrl(url)}" nor its type "${contentType}" says which format it has: set \`format\``,
      )
    }
    let bytes = 0
    const open: Source['open'] = (onBytes) => counted(body, onBytes)
    const source: Source = { name: shownUrl(url), format, bytes: Number.NaN, changedMs: 0, open }
    const { all } = await openRows(source, {
      encoding,
      delimiter,
      signal,
      sampleRows: 1,
      onBytes: (more) => (bytes += more),
    })
    let rows: SourceRow[] = []
    let chars = 0
    for await (const row of all) {
      rows.push(row)
      chars += charsOf(row)
      if (rows.length < BATCH_ROWS && chars < BATCH_CHARS) continue
      yield { kind: 'rows', rows, bytes }
      rows = []
      chars = bytes = 0
    }
    if (rows.length > 0) yield { kind: 'rows', rows, bytes }
  }
}

/** Without a validator the file is read each time. */
function positionOf(validators: Validators): string | undefined {
  const { etag, lastModified } = validators
  return etag === undefined && lastModified === undefined ? undefined : JSON.stringify(validators)
}

async function* counted(
  chunks: AsyncIterable<Uint8Array>,
  onBytes: ((bytes: number) => void) | undefined,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    onBytes?.(chunk.length)
    yield chunk
  }
}
