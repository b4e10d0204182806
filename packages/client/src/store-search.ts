import type {
  FiltersRequest,
  FiltersResponse,
  FlatHit,
  MultiSearchRequest,
  MultiSearchResponse,
  RecommendationParameters,
  RecommendationsResponse,
  RecommendedHit,
  SearchHit,
  SearchParameters,
  SearchResponse,
  SuggestionParameters,
  SuggestionsResponse,
} from '@aisle/contract'
import type { Visitor } from './call.ts'
import { pathSegment } from './path-segment.ts'
import { SharedAnswers } from './shared-answers.ts'
import type { Transport } from './transport.ts'

/** A document, with the fields that the shop sent. */
export type AnyDocument = Readonly<Record<string, unknown>>

/** A hit with a typed document. */
export type HitOf<Document> = Omit<SearchHit, 'document'> & {
  document: Document & { id: string }
}

/** The response of a search. */
export type AnswerOf<Document> = Omit<SearchResponse, 'hits'> & { hits: HitOf<Document>[] }
/** The same with `hit_format: "flat"`: fields of the document are fields of the hit. */
export type FlatAnswerOf<Document> = Omit<SearchResponse, 'hits'> & {
  hits: (FlatHit & Document)[]
}

type FlatParameters = SearchParameters & { hit_format: 'flat' }

/** The response of a recommendations request. */
export type RecommendationsOf<Document> = Omit<RecommendationsResponse, 'hits'> & {
  hits: (Omit<RecommendedHit, 'document'> & { document: Document & { id: string } })[]
}

export interface DocumentOf<Document> {
  readonly id: string
  readonly data: Document
}

export interface SearchOptions {
  /** Aborts the request. */
  readonly signal?: AbortSignal | undefined
  /** Overrides the visitor of the client. */
  readonly visitor?: Visitor | undefined
}

/**
 * The requests of a shop's pages. Equal simultaneous requests are sent once: their callers share
 * one response, which they must not change.
 */
export class StoreSearch<Document = AnyDocument> {
  readonly #transport: Transport
  readonly #storeId: string
  readonly #answers = new SharedAnswers()

  constructor(transport: Transport, storeId: string) {
    this.#transport = transport
    this.#storeId = storeId
  }

  search(parameters: FlatParameters, options?: SearchOptions): Promise<FlatAnswerOf<Document>>
  search(parameters: SearchParameters, options?: SearchOptions): Promise<AnswerOf<Document>>
  search(parameters: SearchParameters, options?: SearchOptions): Promise<unknown> {
    return this.#ask('/v1/search', parameters, options)
  }

  /** Runs several searches in one request; a failed query has an error in its place. */
  multiSearch(request: MultiSearchRequest, options?: SearchOptions): Promise<MultiSearchResponse> {
    return this.#ask('/v1/multi-search', request, options)
  }

  /** Values and counts of facets, without hits. */
  filters(parameters: FiltersRequest, options?: SearchOptions): Promise<FiltersResponse> {
    return this.#ask('/v1/filters', parameters, options)
  }

  suggest(parameters: SuggestionParameters, options?: SearchOptions): Promise<SuggestionsResponse> {
    return this.#ask('/v1/suggestions/queries', parameters, options)
  }

  /**
   * Products for a page without a query: related, bought together, trending, personal.
   */
  recommend(
    parameters: RecommendationParameters,
    options?: SearchOptions,
  ): Promise<RecommendationsOf<Document>> {
    return this.#ask('/v1/recommendations', parameters, options)
  }

  /** Yields the pages of a search, from `page` to the last. */
  async *searchPages(
    parameters: SearchParameters,
    options?: SearchOptions,
  ): AsyncGenerator<AnswerOf<Document>, void, undefined> {
    for (let page = parameters.page ?? 1; ; page++) {
      const answer = await this.search({ ...parameters, page }, options)
      yield answer
      if (page >= answer.total_pages) return
    }
  }

  /** Gets a stored document, for a product page. */
  document(id: string, options?: SearchOptions): Promise<DocumentOf<Document>> {
    const storeId = this.#storeId
    return this.#transport.json({
      method: 'GET',
      path: `/api/v1/stores/${pathSegment(storeId)}/documents/${pathSegment(id)}`,
      secret: 'read',
      storeId,
      ...options,
    })
  }

  #ask<Answer>(path: string, body: unknown, options: SearchOptions = {}): Promise<Answer> {
    const { signal } = options
    // Part of the key: results may be personal.
    const visitor = options.visitor ?? this.#transport.visitor
    const text = JSON.stringify(body)
    return this.#answers.get(JSON.stringify([path, text, visitor]), signal, (stop) =>
      this.#transport.json({
        method: 'POST',
        path,
        secret: 'read',
        storeId: this.#storeId,
        isSearch: true,
        body: text,
        visitor,
        signal: stop,
      }),
    )
  }
}
