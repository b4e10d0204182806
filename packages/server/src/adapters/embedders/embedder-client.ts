import type { MessagePort } from 'node:worker_threads'
import {
  QUERY_VECTOR_BUDGET_DEFAULT_MS,
  QUERY_VECTOR_CACHE_MAX_BYTES,
} from '@aisle/contract/semantic-limits'
import {
  EmbedderUnavailable,
  type Embedder,
  type Embedders,
  type EmbeddingPurpose,
} from '../../ports/search/embedder.ts'
import type { EmbedderInfo } from '../../ports/search/embedder-config.ts'
import type {
  QueryVectorAnswer,
  QueryVectorRequest,
  QueryVectors,
} from '../../ports/search/query-vectors.ts'
import { PortCalls } from '../message-port/port-calls.ts'
import type { EmbeddingCalls } from './embedding-server.ts'
import { VectorCache } from './vector-cache.ts'

/** One question, for metrics. */
export type QueryVectorResult =
  | 'embedded'
  | 'cached'
  | Extract<QueryVectorAnswer, { kind: 'skipped' }>['reason']

type OnAnswer = (embedder: string, result: QueryVectorResult, tookMs: number) => void

/** The embedders for one thread, any; they run on their own. */
export class EmbedderClient implements Embedders, QueryVectors {
  readonly #embedders: ReadonlyMap<string, Embedder>
  readonly #calls = new PortCalls<EmbeddingCalls>(
    () => new EmbedderUnavailable('The embedder thread is starting', { retryAfterMs: 1_000 }),
  )
  readonly #cache = new VectorCache(QUERY_VECTOR_CACHE_MAX_BYTES)
  readonly #onAnswer: OnAnswer
  #lastCallId = 0

  constructor(embedders: readonly EmbedderInfo[], onAnswer: OnAnswer = () => undefined) {
    this.#embedders = new Map(
      embedders.map((info) => {
        const embed: Embedder['embed'] = (texts, purpose, signal) =>
          this.#embed(info.name, texts, purpose, signal)
        return [info.name, { ...info, embed }]
      }),
    )
    this.#onAnswer = onAnswer
  }

  /** The port of the thread; a new one when the thread was replaced. */
  connect(port: MessagePort): void {
    this.#calls.connect(port)
  }

  get cacheBytes(): number {
    return this.#cache.bytes
  }

  names(): readonly string[] {
    return [...this.#embedders.keys()]
  }

  get(name: string): Embedder | undefined {
    return this.#embedders.get(name)
  }

  cached(embedder: string, text: string): Float32Array | undefined {
    return this.#cache.get(keyOf(embedder, text))
  }

  async ask(request: QueryVectorRequest): Promise<QueryVectorAnswer> {
    const startMs = performance.now()
    const { embedder } = request
    const answer = await this.#ask(request)
    const result =
      answer.kind === 'skipped' ? answer.reason : answer.isCached ? 'cached' : 'embedded'
    // A name that the installation does not have may be any.
    this.#onAnswer(
      this.#embedders.has(embedder) ? embedder : '',
      result,
      performance.now() - startMs,
    )
    return answer
  }

  async #ask({
    storeId,
    embedder,
    text,
    budgetMs = QUERY_VECTOR_BUDGET_DEFAULT_MS,
  }: QueryVectorRequest): Promise<QueryVectorAnswer> {
    if (!this.#embedders.has(embedder)) return { kind: 'skipped', reason: 'unknown' }
    const key = keyOf(embedder, text)
    const known = this.#cache.get(key)
    if (known !== undefined) return { kind: 'vector', vector: known, isCached: true }
    const { promise: late, resolve } = Promise.withResolvers<QueryVectorAnswer>()
    const timer = setTimeout(() => resolve({ kind: 'skipped', reason: 'slow' }), budgetMs)
    const asked = this.#calls.call('embedders', 'ask', [storeId, embedder, text, budgetMs]).then(
      (answer) => {
        if (answer.kind === 'vector') this.#cache.set(key, answer.vector)
        return answer
      },
      (): QueryVectorAnswer => ({ kind: 'skipped', reason: 'unavailable' }),
    )
    const answer = await Promise.race([asked, late])
    clearTimeout(timer)
    return answer
  }

  async #embed(
    name: string,
    texts: readonly string[],
    purpose: EmbeddingPurpose,
    signal: AbortSignal,
  ): Promise<readonly (Float32Array | undefined)[]> {
    signal.throwIfAborted()
    const callId = ++this.#lastCallId
    const abort = (): void => this.#calls.tell('embedders', 'abort', [callId])
    signal.addEventListener('abort', abort, { once: true })
    try {
      const answer = await this.#calls.call('embedders', 'embed', [callId, name, texts, purpose])
      signal.throwIfAborted()
      if (answer.kind === 'vectors') return answer.vectors
      if (answer.kind === 'aborted') throw new EmbedderUnavailable('The call was abandoned')
      throw new EmbedderUnavailable(answer.message, { retryAfterMs: answer.retryAfterMs })
    } finally {
      signal.removeEventListener('abort', abort)
    }
  }
}

function keyOf(embedder: string, text: string): string {
  return `${embedder} ${text}`
}
