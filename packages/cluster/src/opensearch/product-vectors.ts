import {
  spaceField,
  storedVector,
  type IndexDocument,
  type QueryVector,
  type Schema,
  type StoredVector,
} from '@aisle/engine'
import type { OwnVector } from './own-vectors.ts'

/**
 * The vectors of a document are values of one binary field, whatever their dimensions:
 *
 *     2 bytes: the ordinal of its field, or the number of its space below 0; 4 bytes: its scale, a
 *     float32; then a signed byte per number
 *
 * Numbers are those of `quantise.ts` in the engine, and so is the similarity that the script below
 * computes, to the last bit.
 */
const HEADER_BYTES = 6

/** @returns in Base64; absent without any */
export function vectorsOf(
  { fields }: Schema,
  { values, own = [] }: Pick<IndexDocument, 'values'> & { readonly own?: readonly OwnVector[] },
): { readonly vectors?: readonly string[] } {
  const vectors = fields.flatMap(({ vector }, ordinal): string[] => {
    const value = values[ordinal]
    if (vector === undefined || value === undefined) return []
    return [packedVector(ordinal, value as readonly number[], vector.metric)]
  })
  for (const { space, codes } of own) {
    if (codes.length > 0) vectors.push(packedVector(spaceField({ number: space }), codes, 'cosine'))
  }
  return vectors.length === 0 ? {} : { vectors }
}

/** @param vectors as the cluster returns them, in Base64 @returns by the number of their field */
export function unpackVectors(vectors: readonly string[]): Map<number, StoredVector> {
  return new Map(
    vectors.map((base64) => {
      const packed = Buffer.from(base64, 'base64')
      const codes = new Int8Array(packed.subarray(HEADER_BYTES))
      return [packed.readInt16BE(0), { codes, scale: packed.readFloatBE(2) }]
    }),
  )
}

function packedVector(field: number, values: ArrayLike<number>, metric: 'cosine' | 'dot'): string {
  const { codes, scale } = storedVector(values, metric)
  const packed = Buffer.alloc(HEADER_BYTES + codes.length)
  packed.writeInt16BE(field, 0)
  packed.writeFloatBE(scale, 2)
  packed.set(new Uint8Array(codes.buffer), HEADER_BYTES)
  return packed.toString('base64')
}

/** The numbers of a query are characters, because a script reads those without boxing them. */
const CHARACTER_OF_ZERO = 2_100

/** Adding 0 turns -0 into 0, which the cluster would order differently. */
const SIMILARITY = `
double similarity(def vectors, int field, String codes, double scale, double none) {
  for (int at = 0; at < vectors.size(); ++at) {
    org.apache.lucene.util.BytesRef one = vectors.get(at);
    byte[] bytes = one.bytes;
    int from = one.offset;
    int whose = (bytes[from] << 8) | (bytes[from + 1] & 255);
    if (whose != field) { continue; }
    int bits = ((bytes[from + 2] & 255) << 24) | ((bytes[from + 3] & 255) << 16)
      | ((bytes[from + 4] & 255) << 8) | (bytes[from + 5] & 255);
    int length = codes.length();
    int sum = 0;
    from += ${HEADER_BYTES};
    for (int i = 0; i < length; ++i) {
      sum += bytes[from + i] * (codes.charAt(i) - ${CHARACTER_OF_ZERO});
    }
    return (double) sum * (double) Float.intBitsToFloat(bits) * scale + 0.0;
  }
  return none;
}
double of(def vectors, def params) {
  return similarity(vectors, ((Number) params.field).intValue(), (String) params.codes,
    ((Number) params.scale).doubleValue(), ((Number) params.none).doubleValue());
}`

const NEAR = `${SIMILARITY}
return of(doc['vectors'], params) >= ((Number) params.least).doubleValue();`
const ORDER = `${SIMILARITY}
return of(doc['vectors'], params);`

/** What the vectors of documents are compared with. */
interface Compared {
  readonly field: number
  readonly vector: QueryVector
}

/** Matches documents whose vector is similar enough, among those that have one. */
export function nearQuery({
  least,
  ...compared
}: Compared & { readonly least: number }): Readonly<Record<string, unknown>> {
  return { script: { script: scriptOf(NEAR, compared, -Infinity, { least }) } }
}

/** A sort key; documents without a vector come last. */
export function similaritySort(
  compared: Compared,
  descending: boolean,
): Readonly<Record<string, unknown>> {
  const script = scriptOf(ORDER, compared, descending ? -Infinity : Infinity, {})
  return { _script: { type: 'number', order: descending ? 'desc' : 'asc', script } }
}

/** The same source for all searches, so that it is compiled once. */
function scriptOf(
  source: string,
  { field, vector }: Compared,
  none: number,
  more: Readonly<Record<string, number>>,
): object {
  const codes = String.fromCharCode(...vector.codes.map((code) => code + CHARACTER_OF_ZERO))
  const params = { field, codes, scale: vector.scale, none: finite(none), ...more }
  return { lang: 'painless', source, params }
}

/** JSON has no infinity. */
function finite(number: number): number {
  return Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, number))
}
