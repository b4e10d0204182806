import {
  ADD,
  advance,
  assign,
  AT_LEAST,
  get,
  i32,
  loadVector,
  loop,
  store16,
  store32,
  vector,
} from '../codec/wasm-code.ts'
import { compile, instanceOver, type WasmMemory } from '../codec/wasm-memory.ts'
import { code, I32, V128, type WasmFunction } from '../codec/wasm-writer.ts'

/** Inner loops over rows of vectors. All addresses are in bytes. */
export interface VectorKernels {
  /**
   * Scalar products of rows with a query.
   *
   * @param rows i8, `stride` bytes a row, a multiple of 16
   * @param bytes of all rows
   * @param query i16, `2 * stride` bytes
   * @param products i32 by row
   */
  dots(rows: number, bytes: number, stride: number, query: number, products: number): void
  /**
   * In how many bits rows differ from a query.
   *
   * @param rows `stride` bytes a row, a multiple of 16
   * @param query `stride` bytes
   * @param distances u16 by row
   */
  distances(rows: number, bytes: number, stride: number, query: number, distances: number): void
}

const NONE = code(i32(0), vector(0x11))
const XOR = vector(0x51)
const COUNT_BITS = vector(0x62)
const ADD_PAIRS_OF_BYTES = vector(0x7d)
const ADD_PAIRS = vector(0x7f)
const LOW_HALF = vector(0x87)
const HIGH_HALF = vector(0x88)
const ADD_SHORTS = vector(0x8e)
const ADD_INTEGERS = vector(0xae)
const DOT_SHORTS = vector(0xba)

/** Leaves the sum of the four integers of a local. */
const sumOf = (local: number) => {
  const lane = (i: number) => code(get(local), vector(0x1b), i)
  return code(lane(0), lane(1), ADD, lane(2), ADD, lane(3), ADD)
}

/** Sixteen numbers at a time. */
function dots(): WasmFunction {
  const [rows, bytes, stride, query, products] = [0, 1, 2, 3, 4] as const
  const [end, rowEnd, at, sum, sixteen] = [5, 6, 7, 8, 9] as const
  const take = (half: readonly number[], offset: number) =>
    code(
      code(get(sum), get(sixteen), half, get(at), loadVector(offset), DOT_SHORTS),
      code(ADD_INTEGERS, assign(sum)),
    )
  const step = code(
    code(get(rows), loadVector(0), assign(sixteen)),
    code(take(LOW_HALF, 0), take(HIGH_HALF, 16)),
    code(advance(rows, 16), advance(at, 32)),
  )
  const row = code(
    code(NONE, assign(sum), get(query), assign(at)),
    code(get(rows), get(stride), ADD, assign(rowEnd)),
    loop(code(get(rows), get(rowEnd), AT_LEAST), step),
    code(get(products), sumOf(sum), store32(0), advance(products, 4)),
  )
  return {
    name: 'dots',
    parameters: 5,
    hasResult: false,
    locals: [I32, I32, I32, V128, V128],
    body: code(
      code(get(rows), get(bytes), ADD, assign(end)),
      loop(code(get(rows), get(end), AT_LEAST), row),
    ),
  }
}

function distances(): WasmFunction {
  const [rows, bytes, stride, query, results] = [0, 1, 2, 3, 4] as const
  const [end, rowEnd, at, sum] = [5, 6, 7, 8] as const
  const step = code(
    code(get(sum), get(rows), loadVector(0), get(at), loadVector(0), XOR, COUNT_BITS),
    code(ADD_PAIRS_OF_BYTES, ADD_SHORTS, assign(sum)),
    code(advance(rows, 16), advance(at, 16)),
  )
  const row = code(
    code(NONE, assign(sum), get(query), assign(at)),
    code(get(rows), get(stride), ADD, assign(rowEnd)),
    loop(code(get(rows), get(rowEnd), AT_LEAST), step),
    code(get(sum), ADD_PAIRS, assign(sum)),
    code(get(results), sumOf(sum), store16(0), advance(results, 2)),
  )
  return {
    name: 'distances',
    parameters: 5,
    hasResult: false,
    locals: [I32, I32, I32, V128],
    body: code(
      code(get(rows), get(bytes), ADD, assign(end)),
      loop(code(get(rows), get(end), AT_LEAST), row),
    ),
  }
}

const compiled = compile([dots(), distances()])

/** The kernels over this memory. */
export function vectorKernelsOver(memory: WasmMemory): VectorKernels {
  return instanceOver(compiled, memory) as VectorKernels
}
