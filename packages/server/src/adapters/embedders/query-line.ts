import {
  QUERY_VECTORS_WAITING_MAX,
  QUERY_VECTORS_WAITING_PER_STORE_MAX,
} from '@aisle/contract/semantic-limits'
import { EmbedderUnavailable, type Embedder } from '../../ports/search/embedder.ts'
import type { QueryVectorAnswer, SkippedReason } from '../../ports/search/query-vectors.ts'
import type { VectorCache } from './vector-cache.ts'

export interface QueryLineOptions {
  readonly embedder: Embedder
  /** Shared by all embedders. */
  readonly cache: VectorCache
  /** Calls of the embedder at the same time. */
  readonly lanes: number
  /** Queries in one call. */
  readonly batchMax: number
  readonly nowMs: () => number
}

interface Query {
  readonly text: string
  readonly storeId: string
  /** When nobody waits for it any more. */
  deadlineMs: number
  readonly answer: Promise<QueryVectorAnswer>
  settle(answer: QueryVectorAnswer): void
}

/**
 * The queries that wait for one embedder. Stores take turns, so a flood of new queries of one does
 * not delay the others. Equal queries are embedded once; a query that nobody waits for any more is
 * not embedded, unless it has begun: then its vector is cached.
 */
export class QueryLine {
  readonly #options: QueryLineOptions
  /** Waiting queries by store; the store with the next turn comes first. */
  readonly #stores = new Map<string, Query[]>()
  /** Waiting and running, by text. */
  readonly #queries = new Map<string, Query>()
  readonly #signal = new AbortController().signal
  #waitingCount = 0
  #running = 0

  constructor(options: QueryLineOptions) {
    this.#options = options
  }

  ask(storeId: string, text: string, budgetMs: number): Promise<QueryVectorAnswer> {
    const { cache, nowMs } = this.#options
    const cached = cache.get(this.#keyOf(text))
    if (cached !== undefined) {
      return Promise.resolve({ kind: 'vector', vector: cached, isCached: true })
    }
    const deadlineMs = nowMs() + budgetMs
    const same = this.#queries.get(text)
    if (same !== undefined) {
      same.deadlineMs = Math.max(same.deadlineMs, deadlineMs)
      return same.answer
    }
    const line = this.#stores.get(storeId) ?? []
    const isFull = this.#waitingCount >= QUERY_VECTORS_WAITING_MAX
    if (isFull || line.length >= QUERY_VECTORS_WAITING_PER_STORE_MAX) {
      return Promise.resolve(skipped('busy'))
    }
    const { promise: answer, resolve: settle } = Promise.withResolvers<QueryVectorAnswer>()
    const query: Query = { text, storeId, deadlineMs, answer, settle }
    line.push(query)
    this.#stores.set(storeId, line)
    this.#queries.set(text, query)
    this.#waitingCount++
    this.#next()
    return answer
  }

  #keyOf(text: string): string {
    return `${this.#options.embedder.name} ${text}`
  }

  #next(): void {
    const { lanes } = this.#options
    while (this.#running < lanes) {
      const batch = this.#take()
      if (batch.length === 0) return
      this.#running++
      void this.#run(batch).then(() => {
        this.#running--
        this.#next()
      })
    }
  }

  /** One query of each store in turn, without those that are late. */
  #take(): readonly Query[] {
    const { batchMax, nowMs } = this.#options
    const batch: Query[] = []
    while (batch.length < batchMax) {
      const [first] = this.#stores
      if (first === undefined) break
      const [storeId, line] = first
      const query = line.shift()!
      this.#waitingCount--
      // A store that still has queries moves behind the others.
      this.#stores.delete(storeId)
      if (line.length > 0) this.#stores.set(storeId, line)
      if (query.deadlineMs > nowMs()) batch.push(query)
      else this.#settle(query, skipped('slow'))
    }
    return batch
  }

  async #run(batch: readonly Query[]): Promise<void> {
    const { embedder, cache } = this.#options
    try {
      const texts = batch.map(({ text }) => text)
      const vectors = await embedder.embed(texts, 'query', this.#signal)
      for (const [i, query] of batch.entries()) {
        const vector = vectors[i]
        if (vector === undefined) {
          this.#settle(query, skipped('refused'))
          continue
        }
        cache.set(this.#keyOf(query.text), vector)
        this.#settle(query, { kind: 'vector', vector, isCached: false })
      }
    } catch (error) {
      for (const query of batch) this.#settle(query, skipped('unavailable'))
      // A bug ends the thread.
      if (!(error instanceof EmbedderUnavailable)) throw error
    }
  }

  #settle(query: Query, answer: QueryVectorAnswer): void {
    this.#queries.delete(query.text)
    query.settle(answer)
  }
}

function skipped(reason: SkippedReason): QueryVectorAnswer {
  return { kind: 'skipped', reason }
}
