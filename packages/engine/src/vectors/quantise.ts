import type { VectorMetric } from '../schema/schema.ts'

/**
 * How vectors are stored and compared. A number becomes a signed byte, with one scale per vector;
 * the numbers of a query keep twelve bits. The scalar product of two lists of integers is exact, so
 * every way to compute a similarity gives the same number: a loop, 128-bit instructions, a twin.
 *
 *     similarity = (codes of the document . codes of the query) * scale of one * scale of the other
 *
 * For `cosine` a scale is 1 / |codes|, so that a similarity is within -1 .. 1; for `dot` it is that
 * of the numbers. A vector of zeros is similar to nothing: 0.
 */

/** Most dimensions: the scalar product of 4,096 products of 7 and 11 bits fits an int32. */
export const DIMENSIONS_MAX = 4_096
/** Largest absolute value of a number of a vector, that of a float32. */
export const COMPONENT_MAX = 3.4e38

const CODE_MAX = 127
const QUERY_CODE_MAX = 2_047

/** A vector of a document. */
export interface StoredVector {
  readonly codes: Int8Array
  /** A float32. */
  readonly scale: number
}

/** A vector to which documents are compared. */
export interface QueryVector {
  readonly codes: Int16Array
  readonly scale: number
  /** Whether only directions count: then signs alone say roughly how near a vector is. */
  readonly isByDirection: boolean
}

/** @param values finite, of the dimensions of the field */
export function storedVector(values: ArrayLike<number>, metric: VectorMetric): StoredVector {
  const codes = new Int8Array(values.length)
  return { codes, scale: Math.fround(encode(values, metric, CODE_MAX, codes)) }
}

/** @param values finite, of the dimensions of the field */
export function queryVector(values: ArrayLike<number>, metric: VectorMetric): QueryVector {
  const codes = new Int16Array(values.length)
  const scale = encode(values, metric, QUERY_CODE_MAX, codes)
  return { codes, scale, isByDirection: metric === 'cosine' }
}

/** Similarity of a vector of a document to that of a query; both have the same dimensions. */
export function similarity(vector: StoredVector, query: QueryVector): number {
  return dotProduct(vector.codes, query.codes) * vector.scale * query.scale
}

export function dotProduct(codes: Int8Array, query: Int16Array): number {
  let sum = 0
  for (let i = 0; i < codes.length; i++) sum += codes[i]! * query[i]!
  return sum
}

/** Fills in the codes. @returns their scale */
function encode(
  values: ArrayLike<number>,
  metric: VectorMetric,
  codeMax: number,
  codes: Int8Array | Int16Array,
): number {
  let largest = 0
  for (let i = 0; i < values.length; i++) largest = Math.max(largest, Math.abs(values[i]!))
  if (largest === 0) return 0
  let squares = 0
  for (let i = 0; i < values.length; i++) {
    const code = Math.round((values[i]! / largest) * codeMax)
    codes[i] = code
    squares += code * code
  }
  return metric === 'cosine' ? 1 / Math.sqrt(squares) : largest / codeMax
}
