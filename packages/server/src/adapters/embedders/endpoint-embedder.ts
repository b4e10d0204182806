import { setTimeout as sleep } from 'node:timers/promises'
import {
  EmbedderUnavailable,
  type Embedder,
  type EmbeddingPurpose,
} from '../../ports/search/embedder.ts'
import type { EndpointConfig } from '../../ports/search/embedder-config.ts'
import { CircuitBreaker, type CircuitBreakerOptions } from './circuit-breaker.ts'
import { RequestFailed, RequestRefused, requestVectors } from './endpoint-request.ts'
import { unitVector } from './unit-vector.ts'

/** Texts of one request together; a longer text is alone in its request. */
const REQUEST_TEXT_MAX_BYTES = 500_000
/** A query is answered by words when its budget is over; later its vector is only cached. */
const QUERY_TIMEOUT_MAX_MS = 2_000
/** Of documents; a query is tried once. */
const TRIES_MAX = 4
const FIRST_WAIT_MS = 500
/** An endpoint that asks for a longer wait is unavailable: the job comes back later. */
const WAIT_MAX_MS = 10_000
/** Every model has a vector for it. */
const PLAIN_TEXT = 'a'

export interface EndpointOptions extends CircuitBreakerOptions {
  /** Tests do not wait. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>
}

/** Vectors of a service with the interface of OpenAI. */
export class EndpointEmbedder implements Embedder, AsyncDisposable {
  readonly name: string
  readonly fingerprint: string
  readonly dimensions: number
  readonly breaker: CircuitBreaker
  readonly #config: EndpointConfig
  readonly #wait: (ms: number, signal: AbortSignal) => Promise<void>

  constructor(config: EndpointConfig, options: EndpointOptions) {
    this.name = config.name
    this.fingerprint = config.fingerprint
    this.dimensions = config.dimensions
    this.breaker = new CircuitBreaker(options)
    this.#config = config
    this.#wait = options.wait ?? ((ms, signal) => sleep(ms, undefined, { signal, ref: false }))
  }

  async embed(
    texts: readonly string[],
    purpose: EmbeddingPurpose,
    signal: AbortSignal,
  ): Promise<(Float32Array | undefined)[]> {
    signal.throwIfAborted()
    const { queryPrefix, documentPrefix, charsMax } = this.#config
    const prefix = purpose === 'query' ? queryPrefix : documentPrefix
    const inputs = texts.map((text) => (prefix + text.slice(0, charsMax)).toWellFormed())
    const vectors: (Float32Array | undefined)[] = []
    for (const batch of this.#batches(inputs)) {
      vectors.push(...(await this.#embedBatch(batch, purpose, signal)))
    }
    return vectors
  }

  [Symbol.asyncDispose](): Promise<void> {
    return Promise.resolve()
  }

  *#batches(inputs: readonly string[]): Generator<readonly string[]> {
    let batch: string[] = []
    let bytes = 0
    for (const input of inputs) {
      const size = Buffer.byteLength(input)
      const isFull = batch.length >= this.#config.textsPerRequest
      if (batch.length > 0 && (isFull || bytes + size > REQUEST_TEXT_MAX_BYTES)) {
        yield batch
        batch = []
        bytes = 0
      }
      batch.push(input)
      bytes += size
    }
    if (batch.length > 0) yield batch
  }

  /** Finds the texts that the endpoint refuses by halving. */
  async #embedBatch(
    inputs: readonly string[],
    purpose: EmbeddingPurpose,
    signal: AbortSignal,
  ): Promise<(Float32Array | undefined)[]> {
    try {
      const vectors = await this.#requestWithRetries(inputs, purpose, signal)
      return vectors.map(unitVector)
    } catch (error) {
      if (!(error instanceof RequestRefused)) throw error
      if (inputs.length === 1) return [await this.#refusedText(error, purpose, signal)]
      const half = Math.ceil(inputs.length / 2)
      return [
        ...(await this.#embedBatch(inputs.slice(0, half), purpose, signal)),
        ...(await this.#embedBatch(inputs.slice(half), purpose, signal)),
      ]
    }
  }

  /** An endpoint that also refuses a plain text is configured wrongly: no text is to blame. */
  async #refusedText(
    refusal: RequestRefused,
    purpose: EmbeddingPurpose,
    signal: AbortSignal,
  ): Promise<undefined> {
    try {
      await this.#requestWithRetries([PLAIN_TEXT], purpose, signal)
      return undefined
    } catch (error) {
      if (!(error instanceof RequestRefused)) throw error
      throw new EmbedderUnavailable(`Embedder "${this.name}": ${refusal.message}`)
    }
  }

  async #requestWithRetries(
    inputs: readonly string[],
    purpose: EmbeddingPurpose,
    signal: AbortSignal,
  ): Promise<Float32Array[]> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.breaker.run(() => this.#request(inputs, purpose, signal))
      } catch (error) {
        if (!(error instanceof EmbedderUnavailable)) throw error
        const failed = error.cause
        const isLast = purpose === 'query' || tries === TRIES_MAX
        if (!(failed instanceof RequestFailed) || isLast) throw error
        const waitMs = failed.retryAfterMs ?? FIRST_WAIT_MS * 2 ** (tries - 1)
        if (waitMs > WAIT_MAX_MS) throw error
        await this.#wait(waitMs, signal)
      }
    }
  }

  async #request(
    inputs: readonly string[],
    purpose: EmbeddingPurpose,
    signal: AbortSignal,
  ): Promise<Float32Array[]> {
    const { timeoutMs } = this.#config
    const limitMs = purpose === 'query' ? Math.min(timeoutMs, QUERY_TIMEOUT_MAX_MS) : timeoutMs
    try {
      return await requestVectors(this.#config, inputs, limitMs, signal)
    } catch (error) {
      const isKnown = error instanceof RequestFailed || error instanceof EmbedderUnavailable
      if (!isKnown) throw error
      const { message, retryAfterMs } = error
      throw new EmbedderUnavailable(`Embedder "${this.name}": ${message}`, {
        retryAfterMs,
        cause: error,
      })
    }
  }
}
