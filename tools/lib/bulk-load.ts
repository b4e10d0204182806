import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { RefusedError } from './aisle-client.ts'
import type { AisleClient, BulkAnswer, BulkFailure, StoreKeys } from './aisle-client.ts'

export interface LoadOptions {
  /** Documents per request. */
  readonly batchSize?: number
  /** Requests under way at the same time. */
  readonly inFlight?: number
  /** Told after every answer. */
  readonly onProgress?: (documents: number) => void
}

export interface LoadOutcome {
  readonly indexed: number
  readonly failedCount: number
  /** The first failures, enough to see what is wrong. */
  readonly failures: readonly BulkFailure[]
}

const FAILURES_KEPT_MAX = 20

/** The lines of a JSONL file, empty ones left out. */
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
 * Loads documents in batches, with a few requests under way so that the server never waits for the
 * reader. Documents are sent as the text they are, so that no number loses a digit on the way.
 */
export async function loadBatches(
  client: AisleClient,
  keys: StoreKeys,
  lines: AsyncIterable<string>,
  options: LoadOptions = {},
): Promise<LoadOutcome> {
  const batchSize = options.batchSize ?? 500
  const outcome = new OutcomeSum()
  const underWay = new Set<Promise<void>>()
  let sent = 0
  const send = async (batch: string[]): Promise<void> => {
    const first = sent
    sent += batch.length
    outcome.add(await bulkLineByLine(client, keys, batch), first)
    options.onProgress?.(batch.length)
  }
  const start = async (batch: string[]): Promise<void> => {
    const sending = send(batch).finally(() => underWay.delete(sending))
    // Awaited below; until then a failure must not count as unhandled.
    sending.catch(() => undefined)
    underWay.add(sending)
    if (underWay.size >= (options.inFlight ?? 2)) await Promise.race(underWay)
  }

  let batch: string[] = []
  for await (const line of lines) {
    batch.push(line)
    if (batch.length < batchSize) continue
    await start(batch)
    batch = []
  }
  if (batch.length > 0) await start(batch)
  await Promise.all(underWay)
  return outcome
}

/** Loads documents as one NDJSON request of any length. */
export async function loadStream(
  client: AisleClient,
  keys: StoreKeys,
  lines: AsyncIterable<string>,
  options: LoadOptions = {},
): Promise<LoadOutcome> {
  const outcome = new OutcomeSum()
  async function* chunks(): AsyncGenerator<string> {
    let chunk: string[] = []
    for await (const line of lines) {
      chunk.push(line)
      if (chunk.length < 100) continue
      yield `${chunk.join('\n')}\n`
      options.onProgress?.(chunk.length)
      chunk = []
    }
    if (chunk.length > 0) yield `${chunk.join('\n')}\n`
    options.onProgress?.(chunk.length)
  }
  outcome.add(await client.bulkStream(keys, Readable.from(chunks())))
  return outcome
}

/** A line that is not JSON would cost its whole batch: then the lines are sent apart, and only it fails. */
async function bulkLineByLine(
  client: AisleClient,
  keys: StoreKeys,
  batch: readonly string[],
): Promise<BulkAnswer> {
  try {
    return await client.bulk(keys, batch)
  } catch (error) {
    if (!(error instanceof RefusedError) || error.code !== 'malformed_json') throw error
    return client.bulkStream(keys, Readable.from([`${batch.join('\n')}\n`]))
  }
}

class OutcomeSum implements LoadOutcome {
  indexed = 0
  failedCount = 0
  readonly failures: BulkFailure[] = []

  /** @param first place of the answer's first document in the file */
  add(answer: BulkAnswer, first = 0): void {
    this.indexed += answer.indexed
    this.failedCount += answer.errors.length
    for (const failure of answer.errors.slice(0, FAILURES_KEPT_MAX - this.failures.length)) {
      const { index } = failure
      this.failures.push(index === undefined ? failure : { ...failure, index: first + index })
    }
  }
}
