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
  readonly #visitor: SearchClientOptions['visitor']
  readonly #cache: AnswerCache<SearchResponse>
  /** Personal results by search: later pages have the order of the first. */
  readonly #tastes = new Map<string, number>()
  #waiting: Waiting[] = []
  readonly #unknown = new Set<string>()

  constructor(options: SearchClientOptions) {
    this.#client = new SearchClient(options)
    this.#visitor = options.visitor
    // A server runs for a long time and serves many visitors: cached answers would be outdated.
    this.#cache = new AnswerCache(typeof document !== 'undefined')
  }

  /** @param visitor overrides that of the client */
  ask(parameters: SearchParameters, visitor?: Visitor): Promise<SearchResponse> {
    // A server asks for many visitors, whose results may be personal.
    const who = visitor ?? this.#visitor?.()
    const key = JSON.stringify([parameters, who])
    const known = this.#cache.get(key)
    if (known !== undefined) return known
    const answer = new Promise<SearchResponse>((resolve, reject) => {
      // Queries that a page makes together are sent together.
      if (this.#waiting.length === 0) queueMicrotask(() => this.#send())
      this.#waiting.push({
        parameters: this.#asFirstPage(parameters, who),
        visitor,
        resolve,
        reject,
      })
    })
    this.#cache.set(key, answer)
    return answer
  }

  /** A later page, with the taste that the first page had. */
  #asFirstPage(parameters: SearchParameters, who: Visitor | undefined): SearchParameters {
    const { page = 1, ...search } = parameters
    if (page === 1) return parameters
    const asOf = this.#tastes.get(JSON.stringify([search, who]))
    return asOf === undefined ? parameters : { ...parameters, personalize_as_of: asOf }
  }

  #noteTaste(
    { parameters, visitor }: Waiting,
    { personalized }: Pick<SearchResponse, 'personalized'>,
  ): void {
    const { page = 1, ...search } = parameters
    if (page !== 1 || personalized?.as_of === undefined) return
    const [oldest] = this.#tastes.keys()
    if (oldest !== undefined && this.#tastes.size >= TASTES_MAX) this.#tastes.delete(oldest)
    const key = JSON.stringify([search, visitor ?? this.#visitor?.()])
    this.#tastes.set(key, personalized.as_of)
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
    this.#tastes.clear()
  }

  #send(): void {
    const [waiting, recorded] = [[] as Waiting[], [] as Waiting[]]
    for (const one of this.#waiting) {
      if (one.parameters.analytics === false) waiting.push(one)
      else recorded.push(one)
    }
    this.#waiting = []
    // Reports count searches sent as separate requests, but not queries for facet counts.
    for (const one of recorded) {
      const { parameters, visitor, resolve, reject } = one
      this.#client
        .search(parameters, { visitor })
        .then((answer) => (this.#noteTaste(one, answer), resolve(answer)))
        .catch(reject)
    }
    for (const together of groupedBy(waiting, ({ visitor }) => JSON.stringify(visitor ?? null))) {
      for (let i = 0; i < together.length; i += QUERIES_MAX) {
        void this.#sendTogether(together.slice(i, i + QUERIES_MAX))
      }
    }
  }

  async #sendTogether(waiting: readonly Waiting[]): Promise<void> {
    const { visitor } = waiting[0]!
    try {
      const queries = waiting.map(({ parameters }) => parameters)
      const { results } = await this.#client.multiSearch({ queries }, { visitor })
      for (const [i, one] of waiting.entries()) {
        const result = results[i]!
        if ('error' in result) one.reject(new RefusedError(result.status, result, result.error))
        else {
          this.#noteTaste(one, result)
          one.resolve(result)
        }
      }
    } catch (error) {
      for (const { reject } of waiting) reject(error)
    }
  }
}

/** Searches whose taste is remembered; the oldest is forgotten first. */
const TASTES_MAX = 100

function groupedBy<T>(all: readonly T[], keyOf: (one: T) => string): Iterable<T[]> {
  const groups = new Map<string, T[]>()
  for (const one of all) {
    const key = keyOf(one)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [one])
    else group.push(one)
  }
  return groups.values()
}
