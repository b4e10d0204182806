import type { StoreKeys, ThinClient } from '@aisle/testing'
import { searchRequest, writeHeaders } from '@aisle/testing'
import { demoCatalog } from '../../../packages/server/src/demo/demo-catalog.ts'
import { quantile } from '../../lib/metrics.ts'
import { loadBatches } from '../../lib/bulk-load.ts'

/** Latency of the requests of the neighbour, in ms. */
export interface Latency {
  readonly count: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly maxMs: number
  readonly failures: number
}

export interface Felt {
  readonly searches: Latency
  readonly writes: Latency
}

const SEARCHES_PER_SECOND = 60
const WRITES_PER_SECOND = 15
const QUERIES = ['dome tent', 'enamel mug', 'wool', 'chair', 'garden', 'red jacket', 'lamp', 'k']

/** The store whose searches and small writes are measured. */
export class QuietStore {
  readonly #client: ThinClient
  readonly #keys: StoreKeys

  private constructor(client: ThinClient, keys: StoreKeys) {
    this.#client = client
    this.#keys = keys
  }

  static async create(client: ThinClient): Promise<QuietStore> {
    const keys = await client.createStore({ name: 'Neighbour', id: 'neighbour' })
    const { schema, documents } = demoCatalog()
    await client.setSchema(keys, schema)
    await loadBatches(client, keys, linesOf(documents))
    return new QuietStore(client, keys)
  }

  /**
   * Sends searches and writes at their times, whether or not the ones before are answered, and
   * measures from when each was due.
   */
  async measured(forMs: number): Promise<Felt> {
    const [searches, writes] = await Promise.all([
      this.#loop(SEARCHES_PER_SECOND, forMs, (i) =>
        this.#client.http.send(
          searchRequest(
            this.#keys,
            JSON.stringify({
              q: QUERIES[i % QUERIES.length],
              facet_by: 'brand,color',
              analytics: false,
            }),
          ),
        ),
      ),
      this.#loop(WRITES_PER_SECOND, forMs, (i) =>
        this.#client.http.send({
          method: 'POST',
          path: `/api/v1/stores/${this.#keys.storeId}/documents`,
          headers: { ...writeHeaders(this.#keys), 'content-type': 'application/json' },
          body: JSON.stringify({ id: `own${i % 50}`, data: { title: `Own product ${i}` } }),
        }),
      ),
    ])
    return { searches, writes }
  }

  async #loop(
    perSecond: number,
    forMs: number,
    send: (i: number) => Promise<{ readonly status: number }>,
  ): Promise<Latency> {
    const took: number[] = []
    let failures = 0
    const startMs = performance.now()
    const underWay: Promise<void>[] = []
    const count = Math.ceil((perSecond * forMs) / 1_000)
    for (let i = 0; i < count; i++) {
      const dueMs = startMs + (i / perSecond) * 1_000
      await timeOf(dueMs)
      underWay.push(
        send(i).then(
          ({ status }) => {
            if (status >= 200 && status < 300) took.push(performance.now() - dueMs)
            else failures++
          },
          () => void failures++,
        ),
      )
    }
    await Promise.all(underWay)
    return {
      count: took.length,
      p50Ms: quantile(took, 0.5),
      p99Ms: quantile(took, 0.99),
      maxMs: quantile(took, 1),
      failures,
    }
  }
}

function timeOf(dueMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.max(0, dueMs - performance.now())))
}

async function* linesOf(documents: Iterable<object>): AsyncGenerator<string> {
  for (const document of documents) yield JSON.stringify(document)
}
