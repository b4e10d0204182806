import type { SearchAnswer } from './product-searches.ts'
import type { SearchPlace } from './search-place.ts'
import type { StoreState } from './store-versions.ts'

/**
 * Asks for numbers that differ after any change of the documents. On one shard this is exact: a
 * write gets a greater sequence number than all before it, so if the newest one is the same,
 * documents can only have been deleted, and then their number differs. On several shards, the sums
 * serve the same purpose. So do those of keys after the loss of a primary: the next one may assign
 * a sequence number again.
 */
export function writtenBody({ scope }: SearchPlace): object {
  return {
    size: 0,
    query: { term: { scope } },
    aggs: { writes: { stats: { field: '_seq_no' } }, keys: { sum: { field: 'key' } } },
  }
}

/** @returns undefined if the time limit ended the search before all documents were counted */
export function writtenState({ aggregations, timed_out }: SearchAnswer): StoreState | undefined {
  const { writes, keys } = aggregations ?? {}
  return timed_out ? undefined : [writes?.count, writes?.max, writes?.sum, keys?.value]
}
