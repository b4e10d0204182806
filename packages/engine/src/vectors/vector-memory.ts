import { newMemory, PAGE_BYTES, type WasmMemory } from '../codec/wasm-memory.ts'
import { DIMENSIONS_MAX, type QueryVector } from './quantise.ts'
import type { VectorColumn } from './vector-column.ts'
import { vectorKernelsOver, type VectorKernels } from './vector-kernels.ts'

/** Bytes of rows per call of a kernel: they stay in the cache between copying and reading. */
const ROWS_BYTES = 128 * 1024
const QUERY_AT = 0
const RESULTS_AT = 2 * DIMENSIONS_MAX
/** Rows of signs are the shortest: 16 bytes. */
const ROWS_MAX = ROWS_BYTES / 16
const ROWS_AT = RESULTS_AT + 4 * ROWS_MAX

/**
 * Compares many vectors with one, sixteen numbers at a time. Rows are copied to the memory of the
 * kernels in blocks, which takes a fraction of comparing them and keeps nothing.
 */
class VectorMemory {
  readonly #bytes: Uint8Array
  readonly #words: Int32Array
  readonly #kernels: VectorKernels

  constructor() {
    const memory: WasmMemory = newMemory(Math.ceil((ROWS_AT + ROWS_BYTES) / PAGE_BYTES))
    this.#bytes = new Uint8Array(memory.buffer)
    this.#words = new Int32Array(memory.buffer)
    this.#kernels = vectorKernelsOver(memory)
  }

  /**
   * @param rows of the column, ascending
   * @param similarities receives those of the first `count` rows
   */
  similarities(
    column: VectorColumn,
    query: QueryVector,
    rows: Uint32Array,
    count: number,
    similarities: Float64Array,
  ): void {
    const { codes, stride, scales } = column
    const { buffer } = this.#bytes
    new Uint8Array(buffer, QUERY_AT, 2 * stride).fill(0)
    new Int16Array(buffer, QUERY_AT, query.codes.length).set(query.codes)
    const products = new Int32Array(buffer, RESULTS_AT, ROWS_MAX)
    const blockMax = Math.floor(ROWS_BYTES / stride)
    for (let from = 0; from < count; from += blockMax) {
      const block = Math.min(blockMax, count - from)
      this.#copy(codes, stride, rows, from, block)
      this.#kernels.dots(ROWS_AT, block * stride, stride, QUERY_AT, RESULTS_AT)
      for (let i = 0; i < block; i++) {
        similarities[from + i] = products[i]! * scales[rows[from + i]!]! * query.scale
      }
    }
  }

  /**
   * In how many signs vectors differ from that of a query: the fewer, the more alike are their
   * directions.
   */
  signDistances(
    column: VectorColumn,
    query: QueryVector,
    rows: Uint32Array,
    count: number,
    distances: Uint16Array,
  ): void {
    const { signs, signStride } = column
    const { buffer } = this.#bytes
    const querySigns = new Uint8Array(buffer, QUERY_AT, signStride).fill(0)
    query.codes.forEach((value, i) => {
      if (value > 0) querySigns[i >>> 3]! |= 1 << (i & 7)
    })
    const results = new Uint16Array(buffer, RESULTS_AT, ROWS_MAX)
    const blockMax = Math.floor(ROWS_BYTES / signStride)
    for (let from = 0; from < count; from += blockMax) {
      const block = Math.min(blockMax, count - from)
      this.#copy(signs, signStride, rows, from, block)
      this.#kernels.distances(ROWS_AT, block * signStride, signStride, QUERY_AT, RESULTS_AT)
      distances.set(results.subarray(0, block), from)
    }
  }

  #copy(
    source: Int8Array | Uint8Array,
    stride: number,
    rows: Uint32Array,
    from: number,
    count: number,
  ): void {
    const first = rows[from]!
    const { buffer, byteOffset } = source
    if (isRun(rows, from, count)) {
      const bytes = new Uint8Array(buffer, byteOffset + first * stride, count * stride)
      this.#bytes.set(bytes, ROWS_AT)
      return
    }
    // Words are copied one by one, because a call for each row would take longer.
    const words = new Int32Array(buffer, byteOffset, source.length >>> 2)
    const [width, own] = [stride >>> 2, this.#words]
    let to = ROWS_AT >>> 2
    for (let i = from; i < from + count; i++) {
      const start = rows[i]! * width
      for (let word = start; word < start + width; word++) own[to++] = words[word]!
    }
  }
}

/** Whether rows are neighbours in ascending order; callers may give them in any. */
function isRun(rows: Uint32Array, from: number, count: number): boolean {
  const first = rows[from]!
  if (rows[from + count - 1]! - first !== count - 1) return false
  for (let i = 1; i < count; i++) if (rows[from + i]! - first !== i) return false
  return true
}

/** Used within one call. */
export const vectorMemory = new VectorMemory()
