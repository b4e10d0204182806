import { listBits, newBitset, setBit } from '../../codec/bitset.ts'
import type { QueryVector } from '../../vectors/quantise.ts'
import type { VectorColumn } from '../../vectors/vector-column.ts'
import { vectorMemory } from '../../vectors/vector-memory.ts'
import { pause, type Pace, type Steps } from '../view/steps.ts'

/** Documents compared between two looks at the clock: half a millisecond at 384 dimensions. */
const DOCUMENTS = 4_096
/** Used between two pauses. */
const docs = new Uint32Array(DOCUMENTS + 3)
const rows = new Uint32Array(DOCUMENTS)
const similarities = new Float64Array(DOCUMENTS)

/**
 * The documents of a set whose vectors have at least a similarity.
 *
 * @param set documents with a vector, by docOrd
 */
export function* similarBits(
  vectors: VectorColumn,
  { vector, least }: { readonly vector: QueryVector; readonly least: number },
  set: Uint32Array,
  pace: Pace,
): Steps<Uint32Array> {
  const bits = newBitset(vectors.ords.length)
  for (let base = 0; base < vectors.ords.length; base += DOCUMENTS) {
    yield* pause(pace)
    const count = listRows(vectors, set, base, docs, rows)
    vectorMemory.similarities(vectors, vector, rows, count, similarities)
    for (let i = 0; i < count; i++) if (similarities[i]! >= least) setBit(bits, docs[i]!)
  }
  return bits
}

function listRows(
  { ords }: VectorColumn,
  set: Uint32Array,
  base: number,
  docOrds: Uint32Array,
  rowsOfThem: Uint32Array,
): number {
  const end = Math.min(set.length, (base + DOCUMENTS) >>> 5)
  const count = listBits(set, base >>> 5, end, base, docOrds)
  for (let i = 0; i < count; i++) rowsOfThem[i] = ords[docOrds[i]!]! - 1
  return count
}
