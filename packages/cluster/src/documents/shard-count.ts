/** JSON bytes per shard; a larger store gets more shards. */
const SHARD_BYTES = 5_000_000_000
const SHARDS_MAX = 32

/** The number of shards of a separate index for documents of this size. */
export function shardsFor(documentBytes: number): number {
  return Math.min(SHARDS_MAX, 1 + Math.ceil(documentBytes / SHARD_BYTES))
}
