import type { ClusterConnection } from './cluster-connection.ts'
import type { ControlVersion } from './control-document.ts'
import type { OwnVector } from './own-vectors.ts'
import { partsOfOperation } from './product-body.ts'

/** Where the documents of a scope are. */
export interface ProductPlace {
  readonly scope: string
  readonly index: string
  /** The store id in a pool; undefined in a separate index. */
  readonly routing: string | undefined
  /** Its index is being loaded: writes have no copy yet, and need not be visible. */
  readonly isLoading?: boolean | undefined
}

/** A document as stored in the cluster. */
export interface StoredProduct {
  readonly version: ControlVersion
  readonly id: string
  readonly docKey: number
  /** The docKey of the first version since it was inserted. */
  readonly inserted: number
  /** Id of its last write. */
  readonly operation: string
  /** What models have made of its text, or of an earlier one. */
  readonly own: readonly OwnVector[]
  /** Absent if it was not requested. */
  readonly json: string | undefined
  /** Milliseconds since 1970; absent if it was not requested. */
  readonly writtenMs: number | undefined
  /** It was removed while its store was moving here: see `tombstoneBody`. */
  readonly isGone: boolean
}

interface Source {
  readonly scope: string
  readonly id: string
  readonly key: number
  readonly json?: string
  readonly operation: string
  readonly writtenMs?: number
}

export interface GotDocument {
  readonly found: boolean
  readonly _seq_no: number
  readonly _primary_term: number
  readonly _source: Source
  readonly sort?: readonly number[]
  readonly error?: { readonly type: string; readonly reason: string }
}

export interface SearchAnswer<Aggregations> {
  readonly hits: { readonly total: { readonly value: number }; readonly hits: GotDocument[] }
  readonly aggregations: Aggregations
  readonly _shards: { readonly failed: number }
}

export function storedProduct(
  { _seq_no, _primary_term, _source }: GotDocument,
  scope: string,
): StoredProduct {
  const { id, key, json, writtenMs } = _source
  const { operation, inserted = key, own } = partsOfOperation(_source.operation)
  return {
    version: { seqNo: _seq_no, primaryTerm: _primary_term },
    id,
    docKey: key,
    inserted,
    operation,
    own,
    json,
    writtenMs,
    isGone: _source.scope !== scope,
  }
}

/** Searches the documents of a place. @throws ClusterError */
export function searchPlace<Aggregations>(
  cluster: ClusterConnection,
  { scope, index, routing }: ProductPlace,
  body: object,
): Promise<SearchAnswer<Aggregations>> {
  const routed = routing === undefined ? '' : `?routing=${encodeURIComponent(routing)}`
  const query = { bool: { filter: [{ term: { scope } }] } }
  return searchStored(cluster, `/${index}/_search${routed}`, { query, ...body })
}

/** @throws ClusterError */
export async function searchStored<Aggregations>(
  cluster: ClusterConnection,
  path: string,
  body: object,
): Promise<SearchAnswer<Aggregations>> {
  return (await cluster.request({
    method: 'POST',
    path,
    body,
    repeatable: true,
    // A partial response would look complete.
    flawOf: ({ _shards }: SearchAnswer<Aggregations>) =>
      _shards.failed > 0 ? 'a shard did not answer' : undefined,
  })) as SearchAnswer<Aggregations>
}
