import type { Embedder, Embedders } from './embedder.ts'
import type { QueryVectorAnswer, QueryVectorRequest, QueryVectors } from './query-vectors.ts'

/** Query vectors without a budget: a test decides what is cached and what is late. */
export class QueryVectorsForTest implements QueryVectors {
  readonly #embedders: Embedders
  readonly #cached = new Map<string, Float32Array>()
  /** Everything that was waited for. */
  readonly asked: QueryVectorRequest[] = []
  isLate = false

  constructor(embedders: Embedders) {
    this.#embedders = embedders
  }

  async ask(request: QueryVectorRequest): Promise<QueryVectorAnswer> {
    this.asked.push(request)
    const embedder: Embedder | undefined = this.#embedders.get(request.embedder)
    if (embedder === undefined) return { kind: 'skipped', reason: 'unknown' }
    if (this.isLate) return { kind: 'skipped', reason: 'slow' }
    const [vector] = await embedder.embed([request.text], 'query', new AbortController().signal)
    if (vector === undefined) return { kind: 'skipped', reason: 'refused' }
    this.#cached.set(`${request.embedder} ${request.text}`, vector)
    return { kind: 'vector', vector, isCached: false }
  }

  cached(embedder: string, text: string): Float32Array | undefined {
    return this.#cached.get(`${embedder} ${text}`)
  }
}
