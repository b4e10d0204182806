import { setImmediate as nextTurn } from 'node:timers/promises'
import { ApiError, BULK_BATCH_MAX } from '@aisle/contract'
import { frameBulk, frameLines, type FramedEntry } from '../../domain/documents/bulk-framing.ts'
import type { DocumentWrite, WriteOutcome } from '../../ports/catalog/catalog-writer.ts'
import { BulkReport } from './bulk-report.ts'
import type { ServicePorts } from '../service-ports.ts'
import { openView } from '../open-view.ts'

/** A piece of the response to a bulk. */
export interface BulkPiece {
  readonly json: string
  /** Results of the documents in this piece, counted by status. */
  readonly results: Readonly<Record<WriteOutcome['status'], number>>
}

/**
 * Batches in flight to the writer: two are committed together while the next ones are framed. Half
 * as many commits, segments and publications cost a twentieth less in all.
 */
const BATCHES_IN_FLIGHT_MAX = 4
/**
 * Waiting searches on this thread get their turn after this number of entries, half a millisecond
 * at usual sizes.
 */
const ENTRIES_PER_TURN = 64
/** A batch is also full at this many bytes of documents. */
const BATCH_MAX_BYTES = 8_000_000

/** The result of an entry, and warnings about its ignored parts. */
interface WrittenEntry {
  readonly outcome: WriteOutcome
  readonly warnings: readonly string[]
}

/** Lets requests that wait on this thread go first. */
type GiveWay = () => Promise<void>
type ToApiError = (error: unknown) => ApiError

/**
 * Indexes the documents of a JSON body: an object with `documents`, or a bare array.
 *
 * @throws ApiError (at the first piece) if the request fails as a whole and nothing was written
 */
export async function* indexBulk(
  ports: Pick<ServicePorts, 'writer' | 'backend'>,
  storeId: string,
  body: Uint8Array,
  toApiError: ToApiError,
  giveWay: GiveWay = nextTurn,
): AsyncGenerator<BulkPiece> {
  requireSchema(ports, storeId)
  const check = frameBulk(body)
  let step = check.next()
  while (step.done !== true) {
    await giveWay()
    step = check.next()
  }
  yield* indexEntries(ports, storeId, step.value, toApiError, giveWay)
}

/**
 * Indexes the lines of an NDJSON stream. It is read only as fast as the writer works.
 *
 * @throws ApiError as `indexBulk`; the error of the stream if it breaks
 */
export async function* indexStream(
  ports: Pick<ServicePorts, 'writer' | 'backend'>,
  storeId: string,
  stream: AsyncIterable<Uint8Array>,
  toApiError: ToApiError,
  giveWay: GiveWay = nextTurn,
): AsyncGenerator<BulkPiece> {
  requireSchema(ports, storeId)
  yield* indexEntries(ports, storeId, frameLines(stream), toApiError, giveWay)
}

async function* indexEntries(
  { writer }: Pick<ServicePorts, 'writer'>,
  storeId: string,
  entries: Iterable<FramedEntry> | AsyncIterable<FramedEntry>,
  toApiError: ToApiError,
  giveWay: GiveWay,
): AsyncGenerator<BulkPiece> {
  const report = new BulkReport()
  const inFlight: Promise<WrittenEntry[] | ApiError>[] = []
  let stopped: ApiError | undefined
  let json = report.begin()
  let isFirst = true

  const settleOldest = async (): Promise<BulkPiece | undefined> => {
    const outcomes = await inFlight.shift()!
    if (outcomes instanceof ApiError) {
      // Nothing has been sent yet, so the request as a whole fails with the right status.
      if (isFirst) throw outcomes
      stopped ??= outcomes
      return undefined
    }
    isFirst = false
    const results = { created: 0, updated: 0, failed: 0 }
    for (const { outcome, warnings } of outcomes) {
      results[outcome.status]++
      json += report.add(outcome, warnings)
    }
    const piece = { json, results }
    json = ''
    return piece
  }

  for await (const batch of batches(entries, giveWay)) {
    inFlight.push(writeBatch(writer, storeId, batch).catch(toApiError))
    if (inFlight.length < BATCHES_IN_FLIGHT_MAX) continue
    const piece = await settleOldest()
    if (piece !== undefined) yield piece
    if (stopped !== undefined) break
  }
  while (inFlight.length > 0) {
    const piece = await settleOldest()
    if (piece !== undefined) yield piece
  }
  yield { json: json + report.end(stopped), results: { created: 0, updated: 0, failed: 0 } }
}

/** Groups of entries, in order; each group is one commit. */
async function* batches(
  entries: Iterable<FramedEntry> | AsyncIterable<FramedEntry>,
  giveWay: GiveWay,
): AsyncGenerator<FramedEntry[]> {
  let batch: FramedEntry[] = []
  let bytes = 0
  for await (const entry of entries) {
    batch.push(entry)
    bytes += entry.write?.json.length ?? 0
    if (batch.length % ENTRIES_PER_TURN === 0) await giveWay()
    if (batch.length < BULK_BATCH_MAX && bytes < BATCH_MAX_BYTES) continue
    yield batch
    batch = []
    bytes = 0
  }
  if (batch.length > 0) yield batch
}

/** @returns one outcome per entry, in order, including entries that never reached the writer */
async function writeBatch(
  writer: ServicePorts['writer'],
  storeId: string,
  batch: readonly FramedEntry[],
): Promise<WrittenEntry[]> {
  const writes: DocumentWrite[] = []
  for (const { write } of batch) if (write !== undefined) writes.push(write)
  const outcomes = writes.length === 0 ? [] : await writer.writeDocuments(storeId, writes)
  let next = 0
  return batch.map(({ failed, warnings = [] }) => ({
    outcome: failed ?? outcomes[next++]!,
    warnings,
  }))
}

/** @throws ApiError schema_not_defined, store_not_found, unavailable */
export function requireSchema(ports: Pick<ServicePorts, 'backend'>, storeId: string): void {
  if (openView(ports, storeId).schema !== undefined) return
  throw new ApiError('schema_not_defined', 'Define a schema before you index documents')
}
