import type { BulkResponse } from '@aisle/contract'
import { chunksOf, linesOf } from './ndjson.ts'

/** Objects, or lines of JSON; or bytes of NDJSON. */
export type Documents =
  | Iterable<object | string>
  | AsyncIterable<object | string>
  | ReadableStream<Uint8Array>

export interface ImportProgress {
  /** Documents that the service has answered for. */
  readonly settled: number
  readonly succeeded: number
  readonly failed: number
}

export interface RefusedDocument {
  /** Place among the documents, from 0. */
  readonly index: number
  /** As far as it is known. */
  readonly id: string
  readonly error: string
  /** A code of the error registry. */
  readonly code: string | undefined
  /** What was sent. */
  readonly line: string
}

export interface ImportOptions {
  /** Documents of a request at most. */
  readonly batchSize?: number | undefined
  /** Called after each answer. */
  readonly onProgress?: ((progress: ImportProgress) => void) | undefined
  readonly onRefused?: ((document: RefusedDocument) => void) | undefined
  /** Ends the import, and gives requests up that are under way. */
  readonly signal?: AbortSignal | undefined
}

export type ImportSummary = Omit<ImportProgress, 'settled'>

const BATCH_SIZE_DEFAULT = 500
/** UTF-16 units; a document that is longer is sent by itself. */
const BATCH_CHARS = 4_000_000
/** The service commits two requests together while it reads the next ones. */
const IN_FLIGHT_MAX = 4

type Send = (lines: readonly string[]) => Promise<BulkResponse>

/** Answers are taken in order, so that what is settled is a beginning of the documents. */
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
    // Whoever takes the answer hears of the error.
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
