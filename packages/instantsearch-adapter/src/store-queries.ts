import { RefusedError, SearchClient } from '@aisle/client/search'
import type {
  RecommendationParameters,
  RecommendationsResponse,
  SearchClientOptions,
  SearchParameters,
  SearchResponse,
  Visitor,
} from '@aisle/client/search'
import { AnswerCache } from './answer-cache.ts'
import { quoted } from './filters.ts'

/** Maximum of queries per request, `QUERIES_PER_MULTI_SEARCH_MAX` of the contract. */
const QUERIES_MAX = 10

/** Whether the service refused a query because the store lacks a field. */
export function isUnknownField(error: unknown): error is RefusedError {
  return error instanceof RefusedError && error.code === 'unknown_field'
}

interface Waiting {
  readonly parameters: SearchParameters
  readonly visitor: Visitor | undefined
  resolve(answer: SearchResponse): void
  reject(error: unknown): void
}

/**
 * Sends the queries of one store, each once. Queries that reports count are sent as separate
 * requests, the others in as few requests as the service allows.
 */
export class StoreQueries {
  readonly #client: SearchClient
  readonly #cache: AnswerCache<SearchResponse>
  #waiting: Waiting[] = []
  readonly #unknown = new Set<string>()

  constructor(options: SearchClientOptions) {
    this.#client = new SearchClient(options)
    // A server runs for a long time and serves many visitors: cached answers would be outdated.
    this.#cache = new AnswerCache(typeof document !== 'undefined')
  }

  /** @param visitor overrides that of the client */
  ask(parameters: SearchParameters, visitor?: Visitor): Promise<SearchResponse> {
    const key = JSON.stringify(parameters)
    const known = this.#cache.get(key)
    if (known !== undefined) return known
    const answer = new Promise<SearchResponse>((resolve, reject) => {
      // Queries that a page makes together are sent together.
      if (this.#waiting.length === 0) queueMicrotask(() => this.#send())
      this.#waiting.push({ parameters, visitor, resolve, reject })
    })
    this.#cache.set(key, answer)
    return answer
  }

  /** Whether the store has a field; assumed until it was looked up. */
  hasField(field: string): boolean {
    return !this.#unknown.has(field)
  }

  /** Looks up which of these fields the store has. */
  async learn(fields: readonly string[]): Promise<void> {
    const learning = fields
      .filter((field) => !this.#unknown.has(field))
      .map(async (field) => {
        // `specs.*` is a name only where it may mean several fields.
        const named = field.endsWith('.*')
          ? { search_fields: [field] }
          : { filter_by: `${quoted(field)}:exists` }
        try {
          await this.ask({ q: '*', per_page: 0, ...named, analytics: false })
        } catch (error) {
          if (isUnknownField(error)) this.#unknown.add(field)
        }
      })
    await Promise.all(learning)
  }

  recommend(
    parameters: RecommendationParameters,
    visitor?: Visitor,
  ): Promise<RecommendationsResponse> {
    return this.#client.recommend(parameters, { visitor })
  }

  clear(): void {
    this.#cache.clear()
  }

  #send(): void {
    const [waiting, recorded] = [[] as Waiting[], [] as Waiting[]]
    for (const one of this.#waiting) {
      if (one.parameters.analytics === false) waiting.push(one)
      else recorded.push(one)
    }
    this.#waiting = []
    // Reports count searches sent as separate requests, but not queries for facet counts.
    for (const { parameters, visitor, resolve, reject } of recorded) {
      this.#client.search(parameters, { visitor }).then(resolve, reject)
    }
    for (let i = 0; i < waiting.length; i += QUERIES_MAX) {
      void this.#sendTogether(waiting.slice(i, i + QUERIES_MAX))
    }
  }

  async #sendTogether(waiting: readonly Waiting[]): Promise<void> {
    const { visitor } = waiting[0]!
    try {
      const queries = waiting.map(({ parameters }) => parameters)
      const { results } = await this.#client.multiSearch({ queries }, { visitor })
      for (const [i, { resolve, reject }] of waiting.entries()) {
        const result = results[i]!
        if ('error' in result) reject(new RefusedError(result.status, result, result.error))
        else resolve(result)
      }
    } catch (error) {
      for (const { reject } of waiting) reject(error)
    }
  }
}
