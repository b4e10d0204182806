import type { ClusterConnection } from './cluster-connection.ts'
import { vectorlessTerm, vectorTerm } from './product-terms.ts'
import {
  searchPlace,
  searchStored,
  storedProduct,
  type ProductPlace,
  type StoredProduct,
} from './stored-product.ts'

/** The documents of a scope, and a space of their vectors. */
export interface ScopeSpace extends Pick<ProductPlace, 'scope' | 'index'> {
  readonly space: number
}

export interface VectorCounts {
  /** Documents with a vector. */
  readonly vectors: number
  /** Documents whose text gets none. */
  readonly none: number
}

/** Scopes per request. */
const SCOPES_MAX = 500

/** Which documents have vectors that models have made. Each throws ClusterError. */
export class VectorRequests {
  readonly #cluster: ClusterConnection

  constructor(cluster: ClusterConnection) {
    this.#cluster = cluster
  }

  /** Counts what a model has made of the documents of a place, in one space. */
  async vectorCounts(place: ProductPlace, space: number): Promise<VectorCounts> {
    const { scope } = place
    const counted = (term: string): object => ({ filter: { term: { present: term } } })
    const { aggregations } = await searchPlace<{
      vectors: { doc_count: number }
      none: { doc_count: number }
    }>(this.#cluster, place, {
      size: 0,
      aggs: {
        vectors: counted(vectorTerm(scope, space)),
        none: counted(vectorlessTerm(scope, space)),
      },
    })
    return { vectors: aggregations.vectors.doc_count, none: aggregations.none.doc_count }
  }

  /**
   * Returns some documents that a model has still to read for a space, or, with `made`, that have
   * what it has made.
   */
  async byVector(
    place: ProductPlace,
    space: number,
    { made, size }: { readonly made: boolean; readonly size: number },
  ): Promise<StoredProduct[]> {
    const { scope } = place
    const read = { terms: { present: readTerms({ scope, space }) } }
    const { hits } = await searchPlace(this.#cluster, place, {
      query: {
        bool: {
          filter: [{ term: { scope } }, ...(made ? [read] : [])],
          must_not: made ? [] : [read],
        },
      },
      // In any order, so that the cluster stops at the first ones.
      sort: ['_doc'],
      track_total_hits: false,
      seq_no_primary_term: true,
      size,
    })
    return hits.hits.map((hit) => storedProduct(hit, scope))
  }

  /** Returns those scopes in which documents are still to be read for a space, with how many. */
  async scopesToRead(of: readonly ScopeSpace[]): Promise<Map<string, number>> {
    const counts = new Map<string, number>()
    for (let from = 0; from < of.length; from += SCOPES_MAX) {
      const some = of.slice(from, from + SCOPES_MAX)
      const indices = [...new Set(some.map(({ index }) => index))]
      const { aggregations } = await searchStored<{
        scopes: { buckets: { key: string; doc_count: number }[] }
      }>(this.#cluster, `/${indices.join(',')}/_search?ignore_unavailable=true`, {
        size: 0,
        query: {
          bool: {
            filter: [{ terms: { scope: some.map(({ scope }) => scope) } }],
            must_not: [{ terms: { present: some.flatMap((one) => readTerms(one)) } }],
          },
        },
        aggs: { scopes: { terms: { field: 'scope', size: some.length } } },
      })
      for (const { key, doc_count } of aggregations.scopes.buckets) counts.set(key, doc_count)
    }
    return counts
  }
}

/** The terms of documents whose text was read for a space. */
function readTerms({ scope, space }: Pick<ScopeSpace, 'scope' | 'space'>): string[] {
  return [vectorTerm(scope, space), vectorlessTerm(scope, space)]
}
