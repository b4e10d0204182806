import type {
  SearchClientOptions,
  SearchParameters,
  SearchResponse,
  Visitor,
} from '@aisle/client/search'
import type {
  AlgoliaParameters,
  AlgoliaRequest,
  AlgoliaResult,
  FacetValuesResult,
} from './algolia-types.ts'
import {
  conditionsIn,
  facetValuesParameters,
  fieldsOf,
  paramsOf,
  searchParameters,
  targetOf,
  withoutEffect,
} from './parameters.ts'
import {
  recommendationConditions,
  recommendationParameters,
  recommendResult,
} from './recommendations.ts'
import type { RecommendRequest, RecommendResult } from './recommendations.ts'
import { retold } from './refusals.ts'
import { facetValuesOf, resultOf } from './results.ts'
import { isUnknownField, StoreQueries } from './store-queries.ts'

/** The part of `AisleEvents` that searches need. */
export interface ShownEvents {
  visitor(): Visitor
  /** Takes all lists that a page shows together. */
  shown(
    ...lists: {
      search_id: string
      page: number
      per_page: number
      hits: readonly { id: string }[]
    }[]
  ): void
}

export interface InstantSearchClientOptions extends Omit<
  SearchClientOptions,
  'storeId' | 'readSecret'
> {
  /** Read secrets by store id. The id is the index name in InstantSearch. */
  readonly stores: Readonly<Record<string, string>>
  /** Sent with every search, such as `{ preset_name: 'shop' }`; the page's own parameters win. */
  readonly parameters?: SearchParameters | undefined
  /** The geopoint field for searches by place; `_geoloc` by default. */
  readonly placeField?: string | undefined
  /**
   * `AisleEvents` of `@aisle/events`: searches are personalized, and shown results are reported.
   * Unused on a server.
   */
  readonly events?: ShownEvents | undefined
  /**
   * Called once for each parameter without effect and each warning of the service; `console.warn`
   * by default.
   */
  readonly onWarning?: ((warning: string) => void) | undefined
}

/** The methods that InstantSearch and Autocomplete call. */
export interface InstantSearchClient {
  search<Answer = { results: AlgoliaResult[] }>(requests: readonly unknown[]): Promise<Answer>
  /** Takes a list of requests; Algolia's clients disagree on its type. */
  searchForFacetValues<Answer = FacetValuesResult[]>(requests: unknown): Promise<Answer>
  getRecommendations<Answer = { results: RecommendResult[] }>(
    requests: readonly unknown[],
  ): Promise<Answer>
  /**
   * Clears the cache, so that later requests reach the service. `refresh()` of InstantSearch calls
   * it.
   */
  clearCache(): Promise<void>
  addAlgoliaAgent(): void
  /**
   * InstantSearch puts results of a server into the client here, and Autocomplete looks for
   * credentials here: both require exactly these names.
   */
  readonly transporter: {
    readonly headers: Readonly<Record<string, string>>
    readonly responsesCache: {
      get(key: unknown, fallback: () => Promise<unknown>): Promise<unknown>
      set(key: unknown, answer: { results: readonly AlgoliaResult[] }): Promise<unknown>
    }
  }
}

/**
 * A search client for InstantSearch.js, React InstantSearch, Vue InstantSearch and Autocomplete.
 */
export function instantSearchClient(options: InstantSearchClientOptions): InstantSearchClient {
  const {
    stores,
    parameters: defaults,
    placeField,
    events,
    onWarning,
    visitor,
    ...client
  } = options
  // On a server, all visitors would share one id.
  const page = typeof document === 'undefined' ? undefined : events
  const queries = new Map(
    Object.entries(stores).map(([storeId, readSecret]) => [
      storeId,
      new StoreQueries({ ...client, visitor: visitor ?? page?.visitor, storeId, readSecret }),
    ]),
  )
  const warn = warnOnce(onWarning)
  let turns = 0
  let shownTurn = 0

  function storeOf(indexName: string): StoreQueries {
    const store = queries.get(targetOf(indexName).storeId)
    if (store !== undefined) return store
    const known = Array.from(queries.keys()).join(', ')
    throw new Error(`No store for index "${indexName}"; stores: ${known}`)
  }

  async function ask(
    requests: readonly AlgoliaRequest[],
  ): Promise<(AlgoliaResult | FacetValuesResult)[]> {
    const token = page === undefined && visitor === undefined ? userToken(requests) : undefined
    const turn = ++turns
    const answers = await Promise.all(requests.map((request) => answerTo(request, token)))
    report(
      turn,
      answers.filter((_, i) => paramsOf(requests[i]!)['analytics'] !== false),
    )
    return answers
  }

  async function answerTo(
    request: AlgoliaRequest,
    token: Visitor | undefined,
  ): Promise<AlgoliaResult | FacetValuesResult> {
    const store = storeOf(request.indexName)
    const params = paramsOf(request)
    for (const name of withoutEffect(params)) warn(`${name} has no effect`)
    const facet = facetOf(request, params)
    const hasField = facet === undefined ? store.hasField.bind(store) : () => true
    const send = async (own: SearchParameters): Promise<SearchResponse> => {
      // The conditions as they are now: `learn` may change them.
      const conditions = conditionsIn(params, hasField, placeField)
      try {
        return await store.ask({ ...defaults, ...own }, token)
      } catch (error) {
        throw retold(error, conditions, (param) => Object.hasOwn(params, param))
      }
    }
    if (facet !== undefined) {
      const answer = await send(facetValuesParameters(request, facet, placeField))
      return facetValuesOf(request, answer)
    }
    const own = (): SearchParameters => searchParameters(request, hasField, placeField)
    const answer = await send(own()).catch(async (error: unknown) => {
      if (!isUnknownField(error)) throw error
      warn(error.message)
      await store.learn(fieldsOf(request, placeField))
      return await send(own())
    })
    for (const warning of answer.warnings ?? []) warn(warning)
    return resultOf(request, answer, placeField)
  }

  /**
   * Reports results that a page shows together.
   *
   * @param turn when they were requested: widgets ignore answers that newer ones have overtaken
   */
  function report(turn: number, results: readonly (AlgoliaResult | FacetValuesResult)[]): void {
    const searches = results.filter((result) => 'hits' in result)
    if (searches.length === 0 || turn < shownTurn) return
    shownTurn = turn
    const shown = searches.flatMap(({ queryID, page: number, hitsPerPage, hits }) => {
      if (hits.length === 0 || queryID === undefined) return []
      const ids = hits.map(({ objectID }) => ({ id: objectID }))
      return [{ search_id: queryID, page: number + 1, per_page: hitsPerPage, hits: ids }]
    })
    page?.shown(...shown)
  }

  const [firstStore = ''] = queries.keys()
  const fromServer = new Map<string, unknown>()
  return {
    search: async <Answer>(requests: readonly unknown[]) => {
      return { results: await ask(requests as AlgoliaRequest[]) } as Answer
    },
    searchForFacetValues: async <Answer>(requests: unknown) => {
      return (await ask(requests as AlgoliaRequest[])) as Answer
    },
    getRecommendations: async <Answer>(requests: readonly unknown[]) => {
      const results = (requests as RecommendRequest[]).map(async (request) => {
        const parameters = recommendationParameters(request)
        const answer = storeOf(request.indexName).recommend(parameters)
        return recommendResult(
          await answer.catch((error: unknown) => {
            throw retold(error, recommendationConditions(request), () => false)
          }),
        )
      })
      return { results: await Promise.all(results) } as Answer
    },
    clearCache: async () => {
      fromServer.clear()
      for (const store of queries.values()) store.clear()
    },
    addAlgoliaAgent: () => {},
    transporter: {
      headers: { 'x-algolia-application-id': firstStore, 'x-algolia-api-key': '-' },
      responsesCache: {
        get: async (key, fallback) => fromServer.get(JSON.stringify(key)) ?? (await fallback()),
        set: async (key, answer) => {
          fromServer.set(JSON.stringify(key), answer)
          report(++turns, answer.results)
          return answer
        },
      },
    },
  }
}

/** The facet whose values are searched, in the form of either version of the client. */
function facetOf({ type, facet }: AlgoliaRequest, params: AlgoliaParameters): string | undefined {
  if (type === 'facet') return facet
  const { facetName } = params
  return typeof facetName === 'string' ? facetName : undefined
}

/** The visitor according to InstantSearch, if the page does not name one. */
function userToken(requests: readonly AlgoliaRequest[]): Visitor | undefined {
  const token = requests.map((request) => paramsOf(request)['userToken']).find(Boolean)
  if (typeof token !== 'string') return undefined
  return token.startsWith('anonymous-') ? { anonymousId: token } : { userId: token }
}

function warnOnce(warn: (warning: string) => void = console.warn): (warning: string) => void {
  const told = new Set<string>()
  return (warning) => {
    if (told.has(warning)) return
    told.add(warning)
    warn(warning)
  }
}
