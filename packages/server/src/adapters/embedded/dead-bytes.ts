import type { IndexSnapshot } from '@aisle/engine'

/**
 * Counts the shared memory that the older of two snapshots of an index holds and the newer does
 * not.
 *
 * Buffers cannot be compared as objects: each message brings new objects for the same memory. So
 * segments are told apart by their ids, their bitsets by the documents left in them, and the trie
 * and the arrays of dictionaries by their sizes, which grow whenever they are replaced.
 */
export function deadBytes(before: IndexSnapshot, after: IndexSnapshot): number {
  const kept = new Map(after.segments.map((segment) => [segment.id, segment]))
  let bytes = 0
  for (const { id, buffer, live, liveCount } of before.segments) {
    const now = kept.get(id)
    if (now === undefined) bytes += buffer.byteLength
    if (now?.liveCount !== liveCount) bytes += live?.byteLength ?? 0
  }
  const older = otherBuffers(before)
  const newer = otherBuffers(after)
  for (const [i, buffer] of older.entries()) {
    if (newer[i]?.byteLength !== buffer?.byteLength) bytes += buffer?.byteLength ?? 0
  }
  return bytes
}

function otherBuffers(snapshot: IndexSnapshot): (SharedArrayBuffer | undefined)[] {
  const { terms, trie, values } = snapshot
  const dictionaries = [terms.strings, ...values]
  return [
    trie,
    terms.rows,
    ...dictionaries.flatMap((dictionary) => [
      dictionary?.arena,
      dictionary?.offsets,
      dictionary?.table,
    ]),
  ]
}
