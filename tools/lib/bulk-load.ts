import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import type { BulkResponse } from '@aisle/client'
import { writeHeaders, type StoreKeys, type ThinClient } from '@aisle/testing'
import { FAILURES_ALIKE_MAX, FailureReasons } from '../../packages/import/src/index.ts'
import type { FailureReason } from '../../packages/import/src/index.ts'

export interface LoadOptions {
  /** Documents per request. */
  readonly batchSize?: number
  /** Maximum of concurrent requests. */
  readonly inFlight?: number
  /** Continues even if all documents fail for one reason. */
  readonly keepGoing?: boolean
  /** Called after every answer. */
  readonly onProgress?: (documents: number) => void
}

export interface LoadOutcome {
  readonly indexed: number
  readonly failedCount: number
  /** Reasons of the failures, the most frequent first. */
  readonly reasons: readonly FailureReason[]
  /** Reason for stopping early: all of the last documents failed for it. */
  readonly stuck: FailureReason | undefined
}

/** The lines of a JSONL file, without empty ones. */
export async function* linesOf(file: string, limit = Infinity): AsyncGenerator<string> {
  let taken = 0
  const lines = createInterface({ input: createReadStream(file), crlfDelay: Infinity })
  for await (const line of lines) {
    if (line === '') continue
    if (taken++ >= limit) break
    yield line
  }
  lines.close()
}

/**
 * Loads documents in batches, with a few concurrent requests so that the server never waits for the
 * reader. Documents are sent as their original text, so that numbers keep all digits.
 */
export async function loadBatches(
  client: ThinClient,
  keys: StoreKeys,
  lines: AsyncIterable<string>,
  options: LoadOptions = {},
): Promise<LoadOutcome> {
  const batchSize = options.batchSize ?? 500
  const outcome = new OutcomeSum()
  const underWay = new Set<Promise<void>>()
  let sent = 0
  let before: Promise<void> = Promise.resolve()
  const send = async (batch: string[]): Promise<void> => {
    const first = sent
    sent += batch.length
    const answering = client.bulk(keys, batch)
    // Answers are counted in order, to detect consecutive failures.
    before = Promise.all([answering, before]).then(([answer]) => outcome.add(answer, first))
    await before
    options.onProgress?.(batch.length)
  }
  const start = async (batch: string[]): Promise<void> => {
    const sending = send(batch).finally(() => underWay.delete(sending))
    // Awaited below; until then a failure must not count as unhandled.
    sending.catch(() => undefined)
    underWay.add(sending)
    if (underWay.size >= (options.inFlight ?? 4)) await Promise.race(underWay)
  }
  const mayGoOn = (): boolean => options.keepGoing === true || outcome.stuck === undefined

  let batch: string[] = []
  for await (const line of lines) {
    if (!mayGoOn()) break
    batch.push(line)
    if (batch.length < batchSize) continue
    await start(batch)
    batch = []
  }
  if (batch.length > 0 && mayGoOn()) await start(batch)
  await Promise.all(underWay)
  return outcome
}

/**
 * Loads documents as one NDJSON request of any length. The first ones are sent in a separate
 * request, unless all are to be tried: if they all fail for one reason, so would the others.
 */
export async function loadStream(
  client: ThinClient,
  keys: StoreKeys,
  lines: AsyncIterable<string>,
  options: LoadOptions = {},
): Promise<LoadOutcome> {
  const outcome = new OutcomeSum()
  const iterator = lines[Symbol.asyncIterator]()
  if (options.keepGoing !== true) {
    const trial = await Array.fromAsync(chunksOf(iterator, options, FAILURES_ALIKE_MAX))
    outcome.add(await sendStream(client, keys, trial))
    const isAll = outcome.total < FAILURES_ALIKE_MAX
    if (isAll || outcome.stuck !== undefined) return outcome
  }
  const first = outcome.total
  outcome.add(await sendStream(client, keys, chunksOf(iterator, options)), first)
  return outcome
}

async function* chunksOf(
  lines: AsyncIterator<string>,
  { onProgress }: LoadOptions,
  linesMax = Infinity,
): AsyncGenerator<string> {
  let chunk: string[] = []
  for (let taken = 0; taken < linesMax; taken++) {
    const { done, value } = await lines.next()
    if (done === true) break
    chunk.push(value)
    if (chunk.length < 100) continue
    yield `${chunk.join('\n')}\n`
    onProgress?.(chunk.length)
    chunk = []
  }
  if (chunk.length > 0) yield `${chunk.join('\n')}\n`
  onProgress?.(chunk.length)
}

/** One request of any length, sent at the server's pace; `fetch` would buffer all of it. */
async function sendStream(
  { http }: ThinClient,
  keys: StoreKeys,
  ndjson: Iterable<string> | AsyncIterable<string>,
): Promise<BulkResponse> {
  const { status, body } = await http.send({
    method: 'POST',
    path: `/api/v1/stores/${keys.storeId}/documents/bulk`,
    headers: { ...writeHeaders(keys), 'content-type': 'application/x-ndjson' },
    body: Readable.from(ndjson),
  })
  const text = body.toString('utf8')
  if (status !== 207) throw new Error(`The bulk answered ${status}: ${text.slice(0, 500)}`)
  return JSON.parse(text) as BulkResponse
}

class OutcomeSum implements LoadOutcome {
  indexed = 0
  failedCount = 0
  readonly #reasons = new FailureReasons()

  /** Number of answered documents. */
  get total(): number {
    return this.indexed + this.failedCount
  }

  get reasons(): readonly FailureReason[] {
    return this.#reasons.list()
  }

  get stuck(): FailureReason | undefined {
    return this.#reasons.stuck
  }

  /** @param first index of the answer's first document in the file */
  add(answer: BulkResponse, first = 0): void {
    this.indexed += answer.indexed
    this.failedCount += answer.errors.length
    for (const { id, index, error } of answer.errors) {
      this.#reasons.add(first + index + 1, error, id)
    }
  }
}
