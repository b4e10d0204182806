import { ApiError } from '@aisle/contract'
import type { DocumentWrite, FailedWrite } from './document-write.ts'
import { beginContainer, moreFollow, readKey, withoutByteOrderMark } from '../json/json-scan.ts'
import type { JsonElement } from '../json/json-scan.ts'
import { JsonScanner, kindOf } from '../json/json-scanner.ts'
import {
  checkEntrySize,
  ENTRY_MAX_BYTES,
  failedWrite,
  readEntry,
  readEntryAt,
} from './write-request.ts'

/** An entry of a bulk, cut out of the body: a write, or the reason why it is invalid. */
export type FramedEntry =
  /**
   * `index`: place among the entries of the request, from 0. The JSON of a write is a view of the
   * body.
   */
  | {
      readonly index: number
      readonly write: DocumentWrite
      readonly warnings?: readonly string[]
      readonly failed?: undefined
    }
  | {
      readonly index: number
      readonly failed: FailedWrite
      readonly write?: undefined
      readonly warnings?: undefined
    }

const OPEN_BRACE = 0x7b
const OPEN_BRACKET = 0x5b
const NEWLINE = 0x0a
/** A step of the check: about a millisecond. */
const CHECKED_BYTES = 256 * 1024

/**
 * Checks a whole JSON body, `{"documents": […]}` or a bare array, in steps. The entries of the
 * result are then cut one by one, so that a body with many millions of tiny entries needs no memory
 * besides its own.
 *
 * @throws ApiError malformed_json (anywhere), missing_parameter, invalid_parameter
 */
export function* frameBulk(body: Uint8Array): Generator<void, Iterable<FramedEntry>> {
  const bytes = withoutByteOrderMark(body)
  const scanner = new JsonScanner(bytes)
  const first = scanner.peek()
  const start = scanner.position
  const documents = first === OPEN_BRACE ? yield* findDocuments(scanner) : undefined
  if (first !== OPEN_BRACE) yield* skipInSteps(scanner, 0)
  scanner.expectEnd()
  if (first === OPEN_BRACKET) return frameElements(bytes, start)

  if (first !== OPEN_BRACE) {
    throw new ApiError(
      'invalid_parameter',
      'A bulk must be an object with "documents", or an array',
    )
  }
  if (documents === undefined || documents.kind === 'null') {
    throw new ApiError('missing_parameter', '"documents" is required', { param: 'documents' })
  }
  if (documents.kind !== 'array') {
    throw new ApiError(
      'invalid_parameter',
      `"documents" must be an array, received ${documents.kind}`,
      { param: 'documents' },
    )
  }
  return frameElements(bytes, documents.start)
}

/** Moves past an object. @returns its member `documents` */
function* findDocuments(scanner: JsonScanner): Generator<void, JsonElement | undefined> {
  let found: JsonElement | undefined
  if (!beginContainer(scanner)) return found
  let stop = CHECKED_BYTES
  do {
    const { key } = readKey(scanner)
    const kind = kindOf(scanner.peek())
    const start = scanner.position
    stop = yield* skipInSteps(scanner, 1, stop)
    if (key === 'documents') found = { kind, start, end: scanner.position }
  } while (moreFollow(scanner, 'object'))
  return found
}

/**
 * Moves past a value.
 *
 * @param stop position after which it yields
 * @returns the same for what follows
 */
function* skipInSteps(
  scanner: JsonScanner,
  levelsAround: number,
  stop = CHECKED_BYTES,
): Generator<void, number> {
  let next = stop
  while (!scanner.skipPart(next, levelsAround)) {
    yield
    next = scanner.position + CHECKED_BYTES
  }
  return next
}

function* frameElements(bytes: Uint8Array, arrayStart: number): Generator<FramedEntry> {
  const scanner = new JsonScanner(bytes, arrayStart)
  if (!beginContainer(scanner)) return
  let index = 0
  do {
    const { entry, end } = readEntryAt(bytes, scanner.position)
    scanner.position = end
    yield { index: index++, ...entry }
  } while (moreFollow(scanner, 'array'))
}

/** Yields the entries of an NDJSON stream as they arrive. */
export async function* frameLines(
  stream: AsyncIterable<Uint8Array>,
): AsyncGenerator<FramedEntry, void, undefined> {
  const framer = new NdjsonFramer()
  for await (const chunk of stream) yield* framer.push(chunk)
  yield* framer.end()
}

/**
 * Cuts NDJSON into entries, one per line; blank lines do not count. It keeps only the unfinished
 * line of the stream, and no more of it than the size limit of an entry.
 */
export class NdjsonFramer {
  #index = 0
  #isFirst = true
  /** The line that has not ended yet. */
  #parts: Uint8Array[] = []
  #partsBytes = 0
  /** The unfinished line is too long: its parts are dropped until it ends. */
  #overflow = false

  /** @returns the entries whose lines end in the chunk. They are views of it: copy to keep. */
  push(chunk: Uint8Array): FramedEntry[] {
    const entries: FramedEntry[] = []
    let start = 0
    for (;;) {
      const end = chunk.indexOf(NEWLINE, start)
      if (end < 0) break
      this.#keep(chunk, start, end)
      this.#endLine(entries)
      start = end + 1
    }
    this.#keep(chunk, start, chunk.length)
    return entries
  }

  /** Ends the stream and its last line. */
  end(): FramedEntry[] {
    const entries: FramedEntry[] = []
    this.#endLine(entries)
    return entries
  }

  #keep(chunk: Uint8Array, start: number, end: number): void {
    if (start === end || this.#overflow) return
    this.#partsBytes += end - start
    this.#overflow = this.#partsBytes > ENTRY_MAX_BYTES
    if (this.#overflow) this.#parts = []
    else this.#parts.push(chunk.subarray(start, end))
  }

  #endLine(entries: FramedEntry[]): void {
    const parts = this.#parts
    const lengthBytes = this.#partsBytes
    const overflow = this.#overflow
    this.#parts = []
    this.#partsBytes = 0
    this.#overflow = false
    if (overflow) {
      entries.push({ index: this.#index++, failed: tooLong(lengthBytes) })
      return
    }
    let line = parts.length === 1 ? parts[0]! : Buffer.concat(parts, lengthBytes)
    if (this.#isFirst) line = withoutByteOrderMark(line)
    this.#isFirst = false
    if (new JsonScanner(line).peek() === -1) return
    entries.push({ index: this.#index++, ...readEntry(line) })
  }
}

function tooLong(lengthBytes: number): FailedWrite {
  try {
    checkEntrySize(lengthBytes)
  } catch (error) {
    if (error instanceof ApiError) return failedWrite(undefined, error)
    throw error
  }
  throw new Error(`A line of ${lengthBytes} bytes is not too long`)
}
