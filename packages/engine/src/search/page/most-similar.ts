import { listBits } from '../../codec/bitset.ts'
import type { VectorColumn } from '../../vectors/vector-column.ts'
import { vectorMemory } from '../../vectors/vector-memory.ts'
import { pause, type Pace, type Steps } from '../view/steps.ts'
import type { KeySource } from './sort-keys.ts'

/** Up to this many vectors, all are compared. */
const COMPARED_MAX = 16_384
/** Of more, those that differ in the fewest signs: this many, and this many per hit wanted. */
const CANDIDATES_MIN = 2_048
const CANDIDATES_PER_HIT = 20
/** Vectors between two looks at the clock. */
const BLOCK = 4_096

/**
 * The documents of a set whose vectors are the most similar to that of an order. Of many vectors,
 * only those with most signs in common are compared by their numbers (Charikar, "Similarity
 * estimation techniques from rounding algorithms", 2002): a million take a fifth of the time, and
 * the best are found among 2,048 candidates, as `npm run bench vectors` measures.
 *
 * @param set one bit per document of the segment: the matches
 * @param k how many are wanted
 * @param source an order by similarity, most similar first
 * @param comparedMax tests lower it, and `candidatesMin`
 * @returns docOrds, ascending: at least the first k; undefined: all have to be compared one by one
 */
export function* mostSimilar(
  set: Uint32Array,
  k: number,
  source: KeySource,
  pace: Pace,
  comparedMax = COMPARED_MAX,
  candidatesMin = CANDIDATES_MIN,
): Steps<Uint32Array | undefined> {
  const { vectors, vector, sign } = source
  if (vectors === undefined || vector === undefined || sign > 0) return undefined
  const found = listDocuments(set, vectors)
  // Documents without a vector are on the page.
  if (found.docs.length < k) return undefined
  let { docs, rows } = found
  const wanted = Math.max(candidatesMin, k * CANDIDATES_PER_HIT)
  if (vector.isByDirection && docs.length > Math.max(comparedMax, 2 * wanted)) {
    const distances = new Uint16Array(docs.length)
    for (let from = 0; from < docs.length; from += BLOCK) {
      yield* pause(pace)
      const block = rows.subarray(from, from + BLOCK)
      vectorMemory.signDistances(vectors, vector, block, block.length, distances.subarray(from))
    }
    const limit = distanceOf(distances, wanted, vectors.dimensions)
    const near = (_: number, i: number) => distances[i]! <= limit
    docs = docs.filter(near)
    rows = rows.filter(near)
  }
  const similarities = new Float64Array(docs.length)
  for (let from = 0; from < docs.length; from += BLOCK) {
    yield* pause(pace)
    const block = rows.subarray(from, from + BLOCK)
    vectorMemory.similarities(vectors, vector, block, block.length, similarities.subarray(from))
  }
  const least = similarities.toSorted()[similarities.length - k]!
  return docs.filter((_, i) => similarities[i]! >= least)
}

/** The documents of a set with a vector, and its row. */
function listDocuments(
  set: Uint32Array,
  { ords, presence }: VectorColumn,
): { readonly docs: Uint32Array; readonly rows: Uint32Array } {
  const all = new Uint32Array(ords.length + 3)
  const both = set.map((word, i) => word & presence[i]!)
  const docs = all.subarray(0, listBits(both, 0, both.length, 0, all))
  return { docs, rows: docs.map((docOrd) => ords[docOrd]! - 1) }
}

/** The distance of the `rank`th nearest, by counting how many have each. */
function distanceOf(distances: Uint16Array, rank: number, distanceMax: number): number {
  const counts = new Uint32Array(distanceMax + 1)
  for (const distance of distances) counts[distance]!++
  let count = 0
  for (let distance = 0; distance <= distanceMax; distance++) {
    count += counts[distance]!
    if (count >= rank) return distance
  }
  return distanceMax
}
