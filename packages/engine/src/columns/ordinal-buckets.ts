import type { Column } from './column-reader.ts'

/** Upper bound of bucket numbers; leaves two 16-bit numbers free. */
export const BUCKETS_MAX = 0xfffe

/** Documents sampled to find the frequent values. */
const SAMPLE = 65_536

/** Ordinals divided into ranges with about equally many documents each. */
export interface OrdinalBuckets {
  /**
   * By bucket: its first ordinal; has one entry more than there are buckets. Bucket 0 is ordinal 0
   * alone.
   */
  readonly firstOrds: Uint32Array
  /** By ordinal. */
  readonly bucketOf: Uint16Array
}

/**
 * Divides the ordinals of a column. A frequent value gets a separate bucket, so that few documents
 * share a bucket with another value.
 *
 * @param bucketsMax tests lower it; at least 8
 */
export function ordinalBuckets(column: Column, bucketsMax = BUCKETS_MAX): OrdinalBuckets {
  const { ordCount } = column
  const bucketOf = new Uint16Array(ordCount)
  const { counts, counted } = countSample(column)
  // Two adjacent buckets have more than this together, which bounds their number.
  const most = Math.max(1, counted / (bucketsMax / 2 - 2))
  const firstOrds = [0, 1]
  bucketOf[1] = 1
  let inBucket = counts[1]!
  for (let ord = 2; ord < ordCount; ord++) {
    const count = counts[ord]!
    if (inBucket > 0 && inBucket + count > most) {
      firstOrds.push(ord)
      inBucket = 0
    }
    inBucket += count
    bucketOf[ord] = firstOrds.length - 1
  }
  firstOrds.push(ordCount)
  return { firstOrds: Uint32Array.from(firstOrds), bucketOf }
}

/** Counts each ordinal except 0 in documents at equal distances. */
function countSample({ ords, ordCount, docCount }: Column): {
  readonly counts: Uint32Array
  readonly counted: number
} {
  const counts = new Uint32Array(ordCount)
  const step = Math.max(1, Math.floor(docCount / SAMPLE))
  for (let doc = 0; doc < docCount; doc += step) counts[ords[doc]!]!++
  return { counts, counted: Math.ceil(docCount / step) - counts[0]! }
}
