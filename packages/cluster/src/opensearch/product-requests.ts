import type { ClusterConnection } from './cluster-connection.ts'
import { ClusterError } from './cluster-error.ts'
import type { ControlVersion } from './control-document.ts'
import { addLaterFields } from './product-index.ts'
import { productId } from './product-terms.ts'
import { SizeByTime } from './size-by-time.ts'
import {
  searchPlace,
  searchStored,
  storedProduct,
  type GotDocument,
  type ProductPlace,
  type StoredProduct,
} from './stored-product.ts'

export type { ProductPlace, StoredProduct } from './stored-product.ts'

/** One document to read. */
export interface ProductRead {
  readonly place: ProductPlace
  readonly id: string
  readonly withJson: boolean
}

/** One document to write, if it is as expected. */
export interface ProductWrite {
  readonly place: ProductPlace
  readonly id: string
  readonly expected: ControlVersion | 'absent'
  /** The result of `productBody`; undefined removes the document. */
  readonly body: string | undefined
}

export type ProductOutcome =
  | 'done'
  /** The document is not as expected; or the write was done before, and its response lost. */
  | 'conflict'
  /** Not written: retry later, or never. */
  | ClusterError

export interface ProductTotals {
  readonly docCount: number
  readonly documentBytes: number
  /** Milliseconds since 1970; `undefined` without documents. */
  readonly lastWriteMs: number | undefined
}

/** Approximate characters per bulk request. The limit of a cluster is 100 MB by default. */
const BULK_CHARS_MAX = 10_000_000
/** The same while the cluster is slow: it answers soon enough, however starved it is. */
const BULK_CHARS_MIN = 500_000
/**
 * A document whose shard has no primary for this time is refused, so that the others of the request
 * do not wait.
 */
const SHARD_LIMIT = '5s'
/** How long the cluster keeps a point in time for the next page. */
const KEEP_ALIVE = '2m'

const KEPT = ['scope', 'id', 'key', 'operation']

interface BulkItem {
  readonly status: number
  readonly error?: { readonly type: string; readonly reason: string }
}

/** A document in the order of insertion. */
export interface InsertedPlace {
  readonly inserted: number
  readonly docKey: number
}

/** Reads and writes of documents in indices of products. Each throws ClusterError. */
export class ProductRequests {
  readonly #cluster: ClusterConnection
  readonly #bulkChars = new SizeByTime(BULK_CHARS_MIN, BULK_CHARS_MAX)

  constructor(cluster: ClusterConnection) {
    this.#cluster = cluster
  }

  /**
   * Returns documents as of the newest write, visible to searches or not.
   * @returns in the order of the reads; `undefined` for missing ones
   */
  async read(reads: readonly ProductRead[]): Promise<(StoredProduct | undefined)[]> {
    if (reads.length === 0) return []
    const { docs } = (await this.#cluster.request({
      method: 'POST',
      // A replica may not yet have the state that made the primary refuse a write.
      path: '/_mget?preference=_primary',
      body: {
        docs: reads.map(({ place, id, withJson }) => ({
          _index: place.index,
          _id: productId(place.scope, id),
          ...(place.routing === undefined ? {} : { routing: place.routing }),
          _source: withJson ? [...KEPT, 'json', 'writtenMs'] : KEPT,
        })),
      },
      repeatable: true,
      flawOf: ({ docs: got }: { docs: GotDocument[] }) =>
        got.find(({ error }) => error !== undefined)?.error!.reason,
    })) as { docs: GotDocument[] }
    return docs.map((got, at) =>
      got.found ? storedProduct(got, reads[at]!.place.scope) : undefined,
    )
  }

  /**
   * Writes documents. Completed writes are on the disks of all copies and visible to every search,
   * unless their place is being loaded.
   * @throws ClusterError: any of the writes may have been done
   */
  async write(writes: readonly ProductWrite[]): Promise<ProductOutcome[]> {
    const outcomes: ProductOutcome[] = []
    while (outcomes.length < writes.length) {
      const chunk = chunkOf(writes, outcomes.length, this.#bulkChars.now)
      const done = await this.#writeChunk(chunk)
      const lacking = chunk.filter((_, at) => lacksField(done[at]!))
      if (lacking.length > 0) {
        // An older node created the index during an upgrade.
        await addLaterFields(this.#cluster, [...new Set(lacking.map(({ place }) => place.index))])
        const again = await this.#writeChunk(lacking)
        lacking.forEach((write, i) => (done[chunk.indexOf(write)] = again[i]!))
      }
      outcomes.push(...done)
    }
    return outcomes
  }

  async #writeChunk(chunk: readonly ProductWrite[]): Promise<ProductOutcome[]> {
    const isShown = chunk.some(({ place }) => place.isLoading !== true)
    const beginMs = performance.now()
    try {
      const { items } = (await this.#cluster.request({
        method: 'POST',
        path: `/_bulk?refresh=${isShown}&timeout=${SHARD_LIMIT}`,
        lines: chunk.flatMap(linesOf),
      })) as { items: Record<string, BulkItem>[] }
      return items.map((item) => outcomeOf(Object.values(item)[0]!))
    } finally {
      const chars = chunk.reduce((sum, write) => sum + charsOf(write), 0)
      this.#bulkChars.note(chars, performance.now() - beginMs)
    }
  }

  /** Of all documents, also while they are being loaded. */
  async totals(place: ProductPlace): Promise<ProductTotals> {
    await this.#show(place)
    const { hits, aggregations } = await searchPlace<{
      bytes: { value: number }
      last: { value: number | null }
    }>(this.#cluster, place, {
      size: 0,
      track_total_hits: true,
      aggs: { bytes: { sum: { field: 'bytes' } }, last: { max: { field: 'writtenMs' } } },
    })
    return {
      docCount: hits.total.value,
      documentBytes: aggregations.bytes.value,
      lastWriteMs: aggregations.last.value ?? undefined,
    }
  }

  /** Makes documents visible whose writes did not. */
  async #show({ index, isLoading }: ProductPlace): Promise<void> {
    if (isLoading !== true) return
    await this.#cluster.request({ method: 'POST', path: `/${index}/_refresh`, repeatable: true })
  }

  /** A document by its docKey. */
  async byKey(place: ProductPlace, docKey: number): Promise<StoredProduct | undefined> {
    const { hits } = await searchPlace(this.#cluster, place, {
      query: { bool: { filter: [{ term: { scope: place.scope } }, { term: { key: docKey } }] } },
      seq_no_primary_term: true,
      size: 1,
    })
    const [hit] = hits.hits
    return hit === undefined ? undefined : storedProduct(hit, place.scope)
  }

  /** Freezes the current state of a place, to read it page by page. @returns its id */
  async openMoment(place: ProductPlace): Promise<string> {
    await this.#show(place)
    const { index, routing } = place
    const routed = routing === undefined ? '' : `&routing=${encodeURIComponent(routing)}`
    const { pit_id: id } = (await this.#cluster.request({
      method: 'POST',
      path: `/${index}/_search/point_in_time?keep_alive=${KEEP_ALIVE}${routed}`,
      repeatable: true,
    })) as { pit_id: string }
    return id
  }

  /**
   * Returns the next documents of a point in time, by ascending docKey.
   * @param among only these docKeys, at most 10,000
   * @returns the documents, and the number of documents from `after` on
   */
  async page(
    moment: string,
    scope: string,
    page: {
      readonly after: number
      readonly size: number
      readonly among?: readonly number[] | undefined
    },
  ): Promise<{ readonly documents: StoredProduct[]; readonly left: number }> {
    const { after, size, among } = page
    const { hits } = await searchStored(this.#cluster, '/_search', {
      pit: { id: moment, keep_alive: KEEP_ALIVE },
      query: {
        bool: {
          filter: [
            { term: { scope } },
            { range: { key: { gt: after } } },
            ...(among === undefined ? [] : [{ terms: { key: among } }]),
          ],
        },
      },
      sort: [{ key: 'asc' }],
      seq_no_primary_term: true,
      track_total_hits: true,
      size,
    })
    return { documents: hits.hits.map((hit) => storedProduct(hit, scope)), left: hits.total.value }
  }

  /**
   * Returns the next documents of a point in time, by when they were inserted. Those of an older
   * version that do not say it come first, with 0.
   */
  async pageInserted(
    moment: string,
    scope: string,
    { after, size }: { readonly after: InsertedPlace; readonly size: number },
  ): Promise<StoredProduct[]> {
    const { hits } = await searchStored(this.#cluster, '/_search', {
      pit: { id: moment, keep_alive: KEEP_ALIVE },
      query: { bool: { filter: [{ term: { scope } }] } },
      sort: [{ inserted: { order: 'asc', missing: 0, unmapped_type: 'long' } }, { key: 'asc' }],
      search_after: [after.inserted, after.docKey],
      seq_no_primary_term: true,
      size,
    })
    return hits.hits.map((hit) => ({ ...storedProduct(hit, scope), inserted: hit.sort?.[0] ?? 0 }))
  }

  async closeMoment(moment: string): Promise<void> {
    await this.#cluster.request({
      method: 'DELETE',
      path: '/_search/point_in_time',
      body: { pit_id: [moment] },
    })
  }

  /** Returns the scopes of an index with the most documents, at most `limit`. */
  async largest(index: string, limit: number): Promise<(ProductTotals & { scope: string })[]> {
    const { aggregations } = await searchStored<{
      scopes: { buckets: { key: string; doc_count: number; bytes: { value: number } }[] }
    }>(this.#cluster, `/${index}/_search`, {
      size: 0,
      aggs: {
        scopes: {
          terms: { field: 'scope', size: limit },
          aggs: { bytes: { sum: { field: 'bytes' } } },
        },
      },
    })
    return aggregations.scopes.buckets.map(({ key, doc_count, bytes }) => ({
      scope: key,
      docCount: doc_count,
      documentBytes: bytes.value,
      lastWriteMs: undefined,
    }))
  }

  /** Removes all documents of a scope that is no longer read or written. */
  async purge({ index, routing, scope }: ProductPlace): Promise<void> {
    try {
      const routed = routing === undefined ? '' : `&routing=${encodeURIComponent(routing)}`
      await this.#cluster.request({
        method: 'POST',
        path: `/${index}/_delete_by_query?conflicts=proceed&refresh=true${routed}`,
        body: { query: { term: { scope } } },
      })
    } catch (error) {
      if (!isIndexGone(error)) throw error
    }
  }

  /** Removes an index; a missing one counts as removed. */
  async removeIndex(index: string): Promise<void> {
    try {
      await this.#cluster.request({ method: 'DELETE', path: `/${index}` })
    } catch (error) {
      if (!isIndexGone(error)) throw error
    }
  }
}

/** The scope of the tombstones of a scope. */
export function tombstonesOf(scope: string): string {
  return `${scope}!`
}

/**
 * Marks a document as removed where its store is being moved, because otherwise the copying would
 * bring it back. It is in no searched scope.
 *
 * @param docKey greater than those of all versions of the document
 */
export function tombstoneBody(
  scope: string,
  { id, docKey }: { readonly id: string; readonly docKey: number },
  operation: string,
): string {
  return JSON.stringify({ scope: tombstonesOf(scope), id, key: docKey, operation })
}

/** The writes from a position on that are sent at once. */
function chunkOf(
  writes: readonly ProductWrite[],
  from: number,
  charsMax: number,
): readonly ProductWrite[] {
  let end = from
  for (let chars = 0; end < writes.length; end++) {
    chars += charsOf(writes[end]!)
    if (chars > charsMax && end > from) break
  }
  return writes.slice(from, end)
}

function charsOf({ body }: ProductWrite): number {
  return body?.length ?? 0
}

function linesOf({ place, id, expected, body }: ProductWrite): (object | string)[] {
  const target = {
    _index: place.index,
    _id: productId(place.scope, id),
    ...(place.routing === undefined ? {} : { routing: place.routing }),
    ...(expected === 'absent'
      ? {}
      : { if_seq_no: expected.seqNo, if_primary_term: expected.primaryTerm }),
  }
  if (body === undefined) return [{ delete: target }]
  return [expected === 'absent' ? { create: target } : { index: target }, body]
}

function outcomeOf({ status, error }: BulkItem): ProductOutcome {
  if (status === 409) return 'conflict'
  // The document to remove is already gone.
  if (error === undefined) return status === 404 ? 'conflict' : 'done'
  const { type, reason } = error
  // A shard that is closing, or no longer the primary, responds with 404 although its index exists;
  // a node that was away for a while knows no index at first.
  const isElsewhere = status === 404
  const isBlocked = type === 'cluster_block_exception'
  const isBusy = status === 429 || status >= 500 || isElsewhere || isBlocked
  return new ClusterError(isBusy ? 'busy' : 'refused', `Cannot write: ${reason}`, { status, type })
}

function lacksField(outcome: ProductOutcome): boolean {
  return outcome instanceof ClusterError && outcome.type === 'strict_dynamic_mapping_exception'
}

function isIndexGone(error: unknown): boolean {
  return error instanceof ClusterError && error.type === 'index_not_found_exception'
}
