import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { SourceRun } from '@aisle/contract'
import { FollowedShop } from '../../tools/sources/followed-shop.ts'
import { loadBatches } from '../../tools/lib/bulk-load.ts'
import { privateBytes } from './machine.ts'
import { FEED_FIELDS, feedOf } from './made-feed.ts'
import { processMs, processorTime } from './processor-time.ts'

/** A made product feed as a source, beside the same documents through the bulk route. */
export interface SourceReport {
  readonly products: number
  readonly firstRun: RunReport
  /** The same documents, sent to another store by the bulk route; not for a large feed. */
  readonly bulk: Spent | undefined
  /** Nothing has changed: read and compared. */
  readonly sameRun: RunReport
  /** Another price for 1 % of the products. */
  readonly changedRun: RunReport
}

interface Spent {
  readonly seconds: number
  /** Processor time of the service. */
  readonly serviceSeconds: number
}

interface RunReport extends Spent {
  readonly written: number
  /** Processor time of the thread that reads and compares. */
  readonly readerSeconds: number
  /** What the service holds more than before the run, at most. */
  readonly moreMegabytesMax: number
}

const CHANGED_SHARE = 0.01
const LOOK_MS = 100
/** More documents do not fit into the memory of the benchmark. */
const BULK_PRODUCTS_MAX = 200_000
/** Name of the thread of a reading. */
const READER = 'source'

export async function sourceLevel(products: number): Promise<SourceReport> {
  await using feed = await MadeFeed.serve(products)
  await using shop = await FollowedShop.start(FEED_FIELDS)
  const run = (): Promise<RunReport> => measuredRun(shop)
  await shop.call('PUT', 'db', {
    connection: { kind: 'feed', url: feed.url, format: 'xml' },
    deletions: 'remove_missing',
  })
  const firstRun = await run()
  if (firstRun.written !== products) throw new Error(`The run wrote ${firstRun.written} products`)
  const bulk = products > BULK_PRODUCTS_MAX ? undefined : await bulkLoad(shop)
  const sameRun = await run()
  if (sameRun.written !== 0) throw new Error(`The second run wrote ${sameRun.written} products`)
  feed.changedShare = CHANGED_SHARE
  return { products, firstRun, bulk, sameRun, changedRun: await run() }
}

export function sourceText(report: SourceReport): string {
  const { products, firstRun, bulk, sameRun, changedRun } = report
  const rate = ({ seconds, serviceSeconds }: Spent): string => {
    const perSecond = Math.round(products / seconds).toLocaleString('en-US')
    return `${seconds.toFixed(1)} s, ${perSecond} products/s; processor ${serviceSeconds.toFixed(1)} s`
  }
  const line = (run: RunReport): string =>
    `${rate(run)}, of the reader ${run.readerSeconds.toFixed(1)} s; ${run.written.toLocaleString('en-US')} written, ${run.moreMegabytesMax} MB more`
  return [
    `A product feed of ${products.toLocaleString('en-US')} products as a source`,
    `first run            ${line(firstRun)}`,
    `by the bulk route    ${bulk === undefined ? 'not measured' : rate(bulk)}`,
    `nothing changed      ${line(sameRun)}`,
    `1 % changed          ${line(changedRun)}`,
    '',
  ].join('\n')
}

async function measuredRun(shop: FollowedShop): Promise<RunReport> {
  const held = (): number => (privateBytes(shop.server.pid) ?? NaN) / 1e6
  const before = held()
  let most = before
  let readerSeconds = 0
  const look = setInterval(() => {
    most = Math.max(most, held())
    // A thread that ends takes its time with it.
    readerSeconds = (processorTime(shop.server.pid).get(READER) ?? 0) / 1e6 || readerSeconds
  }, LOOK_MS)
  const spent = stopwatch(shop)
  let run: SourceRun
  try {
    run = await shop.run('db')
  } finally {
    clearInterval(look)
  }
  if (run.state !== 'done') throw new Error(`The run failed: ${run.error}`)
  return {
    ...spent(),
    written: run.added + run.changed,
    readerSeconds,
    moreMegabytesMax: Math.round(most - before),
  }
}

/** Sends the documents of the shop to another store. */
async function bulkLoad(shop: FollowedShop): Promise<Spent> {
  const keys = await shop.client.createStore({ name: 'Bulk', id: 'bulk' })
  await shop.client.setSchema(keys, { fields: FEED_FIELDS })
  const documents = await shop.documents()
  const lines = [...documents].map(([id, data]) => JSON.stringify({ id, data }))
  async function* all(): AsyncGenerator<string> {
    yield* lines
  }
  const spent = stopwatch(shop)
  const { indexed } = await loadBatches(shop.client, keys, all())
  const loaded = spent()
  if (indexed !== documents.size) throw new Error(`The bulk route indexed ${indexed} products`)
  await shop.client.deleteStore(keys.storeId)
  return loaded
}

/** @returns what was spent since now */
function stopwatch({ server: { pid } }: FollowedShop): () => Spent {
  const startMs = performance.now()
  const processorMs = processMs(pid)
  return () => ({
    seconds: (performance.now() - startMs) / 1_000,
    serviceSeconds: (processMs(pid) - processorMs) / 1_000,
  })
}

/** A site that makes the feed for each request. */
class MadeFeed {
  changedShare = 0
  readonly #products: number
  readonly #server: Server

  private constructor(products: number) {
    this.#products = products
    this.#server = createServer((_, response) => {
      // A reader that ends early is an answer as well.
      void pipeline(Readable.from(feedOf(this.#products, this.changedShare)), response).catch(
        () => undefined,
      )
    })
  }

  static async serve(products: number): Promise<MadeFeed> {
    const feed = new MadeFeed(products)
    feed.#server.listen(0, '127.0.0.1')
    await once(feed.#server, 'listening')
    return feed
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/feed.xml`
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }
}
