import {
  ADD,
  advance,
  assign,
  AT_LEAST,
  BELOW,
  either,
  get,
  i32,
  load64,
  loadVector,
  loop,
  repeat,
  SHIFT_LEFT,
  SHIFT_RIGHT,
  store16,
  storeVector,
  SUBTRACT,
  vector,
} from './wasm-code.ts'
import { compile, instanceOver, type WasmMemory } from './wasm-memory.ts'
import { code, I32, I64, V128, type WasmFunction } from './wasm-writer.ts'

/**
 * Inner loops over document sets, one bit per document, in WebAssembly: 128 bits at a time.
 * Combining two sets of 65,536 documents takes 0.2 µs; JavaScript takes 2 µs. A set is given by its
 * start address in bytes; its size is a multiple of `SET_ALIGN` bytes.
 */
export interface SetKernels {
  /** `out = a & b` */
  and(out: number, a: number, b: number, bytes: number): void
  /** `out = a & ~b` */
  andNot(out: number, a: number, b: number, bytes: number): void
  /** `out = a | b` */
  or(out: number, a: number, b: number, bytes: number): void
  /** `out |= a & b` */
  orAnd(out: number, a: number, b: number, bytes: number): void
  /** @returns number of bits set */
  count(set: number, bytes: number): number
  /**
   * Writes the numbers of the set bits as u16, ascending. Overwrites up to `LISTED_BEYOND_BYTES`
   * after them.
   *
   * @returns how many it writes
   */
  list(set: number, bytes: number, numbers: number): number
}

/** Alignment of the start and end of a set, in bytes. */
export const SET_ALIGN = 64

const VECTOR_AND = vector(0x4e)
const VECTOR_AND_NOT = vector(0x4f)
const VECTOR_OR = vector(0x50)

/** Runs the body for every 64 bytes. @param left local with the number of bytes */
function blocks(left: number, pointers: readonly number[], body: readonly number[]): number[] {
  const isOver = code(get(left), 0x45)
  const next = pointers.flatMap((pointer) => advance(pointer, SET_ALIGN))
  const rest = code(get(left), i32(SET_ALIGN), SUBTRACT, assign(left))
  return loop(isOver, code(body, next, rest))
}

const OFFSETS = [0, 16, 32, 48]

/** @param operation on the vectors of `a` and `b`; @param isAdded ORs the result into `out` */
function combine(name: string, operation: readonly number[], isAdded = false): WasmFunction {
  const [out, a, b, left] = [0, 1, 2, 3] as const
  const body = OFFSETS.flatMap((offset) => {
    const made = code(get(a), loadVector(offset), get(b), loadVector(offset), operation)
    const added = isAdded ? code(get(out), loadVector(offset), VECTOR_OR) : []
    return code(get(out), made, added, storeVector(offset))
  })
  return {
    name,
    parameters: 4,
    hasResult: false,
    locals: [],
    body: blocks(left, [out, a, b], body),
  }
}

function countFunction(): WasmFunction {
  const [set, left, sum] = [0, 1, 2] as const
  const [popcount, addBytes, addNumbers] = [vector(0x62), vector(0x6e), vector(0xae)] as const
  const bits = OFFSETS.map((offset) => code(get(set), loadVector(offset), popcount))
  const byByte = code(bits[0]!, bits[1]!, addBytes, bits[2]!, addBytes, bits[3]!, addBytes)
  // At most 32 per byte: adding pairs twice leaves four numbers.
  const byNumber = code(byByte, vector(0x7d), vector(0x7f))
  const block = code(get(sum), byNumber, addNumbers, assign(sum))
  const lane = (i: number) => code(get(sum), vector(0x1b), i)
  return {
    name: 'count',
    parameters: 2,
    hasResult: true,
    locals: [V128],
    body: code(blocks(left, [set], block), lane(0), lane(1), ADD, lane(2), ADD, lane(3), ADD),
  }
}

/**
 * Writes four numbers at a time, even where a word of 64 bits has fewer, because no branch
 * predictor can guess how many it has (Lemire, "Really fast bitset decoding for average densities",
 * 2019).
 */
export function listFunction(): WasmFunction {
  const [set, bytes, numbers] = [0, 1, 2] as const
  const [first, word, at, end, blockEnd, stop, to] = [3, 4, 5, 6, 7, 8, 9] as const
  const lowest = code(get(word), 0x7a, 0xa7)
  // word &= word - 1
  const drop = code(get(word), get(word), 0x42, 1, 0x7d, 0x83, assign(word))
  const write = (offset: number) => code(get(to), lowest, get(first), ADD, store16(offset), drop)
  const writeFour = code(write(0), write(2), write(4), write(6), advance(to, 8))
  const behind = code(get(at), get(word), 0x7b, 0xa7, i32(1), SHIFT_LEFT, ADD, assign(stop))
  const listWord = (offset: number) =>
    code(
      code(get(set), load64(offset), assign(word), behind, get(at), assign(to)),
      repeat(writeFour, code(get(to), get(stop), BELOW)),
      code(get(stop), assign(at), advance(first, 64)),
    )
  const isAny = vector(0x53)
  const two = either(
    code(get(set), loadVector(0), isAny),
    code(listWord(0), listWord(8)),
    advance(first, 128),
  )
  const isBlockOver = code(get(set), get(blockEnd), AT_LEAST)
  const block = code(get(set), i32(SET_ALIGN), ADD, assign(blockEnd))
  const listBlock = code(block, loop(isBlockOver, code(two, advance(set, 16))))
  // In a small set, most blocks are empty.
  const loads = OFFSETS.map((offset) => code(get(set), loadVector(offset)))
  const pairs = code(loads[0]!, loads[1]!, VECTOR_OR, loads[2]!, loads[3]!, VECTOR_OR, VECTOR_OR)
  const skip = code(advance(set, SET_ALIGN), advance(first, SET_ALIGN * 8))
  return {
    name: 'list',
    parameters: 3,
    hasResult: true,
    locals: [I32, I64, I32, I32, I32, I32, I32],
    body: code(
      code(get(set), get(bytes), ADD, assign(end), get(numbers), assign(at)),
      loop(code(get(set), get(end), AT_LEAST), either(code(pairs, isAny), listBlock, skip)),
      code(get(at), get(numbers), SUBTRACT, i32(1), SHIFT_RIGHT),
    ),
  }
}

/** Bytes after the last number that `list` may overwrite. */
export const LISTED_BEYOND_BYTES = 8

const compiled = compile([
  combine('and', VECTOR_AND),
  combine('andNot', VECTOR_AND_NOT),
  combine('or', VECTOR_OR),
  combine('orAnd', VECTOR_AND, true),
  countFunction(),
  listFunction(),
])

/** The kernels over this memory. */
export function kernelsOver(memory: WasmMemory): SetKernels {
  return instanceOver(compiled, memory) as SetKernels
}
