import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import type { BulkResponse } from '@aisle/client'
import type { StoreKeys, ThinClient } from '@aisle/testing'
import { FailureReasons, type FailureReason } from '../../packages/import/src/index.ts'

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

class OutcomeSum implements LoadOutcome {
  indexed = 0
  failedCount = 0
  readonly #reasons = new FailureReasons()

  get reasons(): readonly FailureReason[] {
    return this.#reasons.list()
  }

  get stuck(): FailureReason | undefined {
    return this.#reasons.stuck
  }

  /** @param first index of the answer's first document in the file */
  add(answer: BulkResponse, first: number): void {
    this.indexed += answer.indexed
    this.failedCount += answer.errors.length
    for (const { id, index, error } of answer.errors) {
      this.#reasons.add(first + index + 1, error, id)
    }
  }
}
