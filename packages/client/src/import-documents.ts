import type { BulkResponse } from '@aisle/contract'
import { chunksOf, linesOf } from './ndjson.ts'

/** Objects or lines of JSON, or NDJSON bytes. */
export type Documents =
  | Iterable<object | string>
  | AsyncIterable<object | string>
  | ReadableStream<Uint8Array>

export interface ImportProgress {
  /** Documents that the service has responded to. */
  readonly settled: number
  readonly succeeded: number
  readonly failed: number
}

export interface RefusedDocument {
  /** Index among the documents, from 0. */
  readonly index: number
  /** The document id, if known. */
  readonly id: string
  readonly error: string
  /** A code of the error registry. */
  readonly code: string | undefined
  /** The document as sent. */
  readonly line: string
}

export interface ImportOptions {
  /** Maximum number of documents per request. */
  readonly batchSize?: number | undefined
  /** Called after each response. */
  readonly onProgress?: ((progress: ImportProgress) => void) | undefined
  readonly onRefused?: ((document: RefusedDocument) => void) | undefined
  /** Ends the import and aborts pending requests. */
  readonly signal?: AbortSignal | undefined
}

export type ImportSummary = Omit<ImportProgress, 'settled'>

const BATCH_SIZE_DEFAULT = 500
/** Maximum size of a request in UTF-16 units; a longer document is sent alone. */
const BATCH_CHARS = 4_000_000
/** Requests in flight: the service commits two together while it reads the next ones. */
const IN_FLIGHT_MAX = 4

type Send = (lines: readonly string[]) => Promise<BulkResponse>

/** Responses are awaited in order, so that the settled documents are always a prefix. */
export async function importDocuments(
  send: Send,
  documents: Documents,
  options: ImportOptions,
): Promise<ImportSummary> {
  const sum = { settled: 0, succeeded: 0, failed: 0 }
  const settle = (lines: readonly string[], answer: BulkResponse): void => {
    for (const { status, index, id, error = 'refused', error_code: code } of answer.results) {
      if (status !== 'failed') continue
      options.onRefused?.({ index: sum.settled + index, id, error, code, line: lines[index]! })
    }
    sum.settled += answer.summary.total
    sum.succeeded += answer.summary.succeeded
    sum.failed += answer.summary.failed
    options.onProgress?.({ ...sum })
    if (answer.error !== undefined) throw new Error(`The service stopped: ${answer.error}`)
  }
  const inFlight: (() => Promise<void>)[] = []
  for await (const lines of batchesOf(documents, options.batchSize ?? BATCH_SIZE_DEFAULT)) {
    options.signal?.throwIfAborted()
    const sending = send(lines)
    // The consumer of the response gets the error.
    sending.catch(() => undefined)
    inFlight.push(async () => settle(lines, await sending))
    if (inFlight.length >= IN_FLIGHT_MAX) await inFlight.shift()!()
  }
  for (const answered of inFlight) await answered()
  return { succeeded: sum.succeeded, failed: sum.failed }
}

async function* batchesOf(documents: Documents, size: number): AsyncGenerator<string[]> {
  let lines: string[] = []
  let chars = 0
  for await (const document of 'getReader' in documents
    ? linesOf(chunksOf(documents))
    : documents) {
    const line = typeof document === 'string' ? document : JSON.stringify(document)
    if (lines.length >= size || (chars + line.length > BATCH_CHARS && lines.length > 0)) {
      yield lines
      lines = []
      chars = 0
    }
    lines.push(line)
    chars += line.length
  }
  if (lines.length > 0) yield lines
}
