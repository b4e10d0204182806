import type { MessagePort } from 'node:worker_threads'
import {
  EMBEDDING_CALLS_WAITING_MAX,
  QUERY_VECTOR_CACHE_MAX_BYTES,
} from '@aisle/contract/semantic-limits'
import { EmbedderUnavailable, type EmbeddingPurpose } from '../../ports/search/embedder.ts'
import type { EmbedderConfig } from '../../ports/search/embedder-config.ts'
import type { QueryVectorAnswer } from '../../ports/search/query-vectors.ts'
import { endThread, serveCalls } from '../message-port/serve-calls.ts'
import { openEmbedder, type OpenEmbedder } from './open-embedder.ts'
import { QueryLine } from './query-line.ts'
import { VectorCache } from './vector-cache.ts'

/** The calls that any thread may make to the thread of the embedders. */
export interface EmbeddingCalls {
  readonly embedders: EmbeddingPort
}

export interface EmbeddingPort {
  ask(storeId: string, embedder: string, text: string, budgetMs: number): Promise<QueryVectorAnswer>
  /** @param callId of the caller, for `abort` */
  embed(
    callId: number,
    embedder: string,
    texts: readonly string[],
    purpose: EmbeddingPurpose,
  ): Promise<EmbeddedTexts>
  abort(callId: number): void
}

/** A result or an error; errors other than ApiError do not survive the way between threads. */
export type EmbeddedTexts =
  | { readonly kind: 'vectors'; readonly vectors: readonly (Float32Array | undefined)[] }
  | {
      readonly kind: 'unavailable'
      readonly message: string
      readonly retryAfterMs: number | undefined
    }
  | { readonly kind: 'aborted' }

/** Figures of one embedder since the thread has started, for metrics. */
export interface EmbedderFigures {
  readonly name: string
  readonly texts: number
  readonly refusedTexts: number
  readonly calls: number
  readonly failedCalls: number
  readonly seconds: number
  readonly isBreakerOpen: boolean
}

interface Serving extends OpenEmbedder {
  readonly line: QueryLine
  readonly figures: { -readonly [Name in keyof EmbedderFigures]: EmbedderFigures[Name] }
  waitingCalls: number
}

export interface EmbeddingServerOptions {
  readonly embedders: readonly EmbedderConfig[]
  readonly nowMs: () => number
  readonly log: (level: 'info' | 'warn', embedder: string, message: string) => void
}

/** The embedders of the installation, for all threads. */
export class EmbeddingServer {
  readonly #serving = new Map<string, Serving>()
  readonly #cache = new VectorCache(QUERY_VECTOR_CACHE_MAX_BYTES)

  constructor(options: EmbeddingServerOptions) {
    for (const config of options.embedders) {
      this.#serving.set(config.name, this.#open(config, options))
    }
  }

  get cacheBytes(): number {
    return this.#cache.bytes
  }

  figures(): readonly EmbedderFigures[] {
    return [...this.#serving.values()].map(({ figures, breaker }) => ({
      ...figures,
      isBreakerOpen: breaker?.isOpen === true,
    }))
  }

  /** Answers the calls from a port. */
  serve(port: MessagePort): void {
    const aborts = new Map<number, AbortController>()
    const embedders: EmbeddingPort = {
      ask: (storeId, name, text, budgetMs) =>
        this.#serving.get(name)?.line.ask(storeId, text, budgetMs) ??
        Promise.resolve({ kind: 'skipped', reason: 'unknown' }),
      embed: async (callId, name, texts, purpose) => {
        const abort = new AbortController()
        aborts.set(callId, abort)
        try {
          return await this.#embed(name, texts, purpose, abort.signal)
        } finally {
          aborts.delete(callId)
        }
      },
      abort: (callId) => aborts.get(callId)?.abort(),
    }
    serveCalls<EmbeddingCalls>(port, { embedders }, endThread)
    // The other thread has ended.
    port.on('close', () => {
      for (const abort of aborts.values()) abort.abort()
    })
  }

  async close(): Promise<void> {
    await Promise.all(this.#serving.values().map(({ embedder }) => embedder[Symbol.asyncDispose]()))
  }

  #open(config: EmbedderConfig, { nowMs, log }: EmbeddingServerOptions): Serving {
    const { name } = config
    const open = openEmbedder(config, {
      nowMs,
      onChange: (isOpen, reason, breakMs) => {
        if (isOpen) log('warn', name, `${reason}; no calls for ${breakMs} ms`)
        else log('info', name, 'The embedder is working again')
      },
    })
    const figures = {
      name,
      texts: 0,
      refusedTexts: 0,
      calls: 0,
      failedCalls: 0,
      seconds: 0,
      isBreakerOpen: false,
    }
    const embedder: OpenEmbedder['embedder'] = {
      ...infoOf(open.embedder),
      async embed(texts, purpose, signal) {
        const startMs = nowMs()
        figures.calls++
        try {
          const vectors = await open.embedder.embed(texts, purpose, signal)
          figures.texts += texts.length
          for (const vector of vectors) if (vector === undefined) figures.refusedTexts++
          return vectors
        } catch (error) {
          figures.failedCalls++
          throw error
        } finally {
          figures.seconds += (nowMs() - startMs) / 1_000
        }
      },
      [Symbol.asyncDispose]: () => open.embedder[Symbol.asyncDispose](),
    }
    const line = new QueryLine({ embedder, cache: this.#cache, nowMs, ...open.pace })
    const begin = nowMs()
    open.ready?.().then(
      () => log('info', name, `Ready after ${Math.round(nowMs() - begin)} ms`),
      (error: Error) => log('warn', name, error.message),
    )
    return { ...open, embedder, line, figures, waitingCalls: 0 }
  }

  async #embed(
    name: string,
    texts: readonly string[],
    purpose: EmbeddingPurpose,
    signal: AbortSignal,
  ): Promise<EmbeddedTexts> {
    const serving = this.#serving.get(name)
    if (serving === undefined) return unavailable(`No embedder is named "${name}"`)
    if (serving.waitingCalls >= EMBEDDING_CALLS_WAITING_MAX) {
      return unavailable(`Embedder "${name}" is busy`, 1_000)
    }
    serving.waitingCalls++
    try {
      return { kind: 'vectors', vectors: await serving.embedder.embed(texts, purpose, signal) }
    } catch (error) {
      if (signal.aborted) return { kind: 'aborted' }
      if (!(error instanceof EmbedderUnavailable)) throw error
      return unavailable(error.message, error.retryAfterMs)
    } finally {
      serving.waitingCalls--
    }
  }
}

function unavailable(message: string, retryAfterMs?: number): EmbeddedTexts {
  return { kind: 'unavailable', message, retryAfterMs }
}

function infoOf({ name, fingerprint, dimensions }: OpenEmbedder['embedder']) {
  return { name, fingerprint, dimensions }
}
