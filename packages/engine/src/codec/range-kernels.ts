import {
  ADD,
  advance,
  assign,
  AT_LEAST,
  get,
  i32,
  loadVector,
  loop,
  SHIFT_RIGHT,
  store16,
  SUBTRACT,
  vector,
  when,
} from './wasm-code.ts'
import { compile, instanceOver, type WasmMemory } from './wasm-memory.ts'
import { code, I32, V128, type WasmFunction } from './wasm-writer.ts'

/** Inner loops over columns of 16-bit numbers. All addresses are in bytes. */
export interface RangeKernels {
  /**
   * Sets the bits of numbers in `low .. low + span` and clears all others.
   *
   * @param column a multiple of `RANGE_ALIGN` bytes
   * @param bits one per number
   */
  within(column: number, bytes: number, low: number, span: number, bits: number): void
  /**
   * The same, and lists the positions of two further numbers, which should be rare.
   *
   * @param list receives the positions of `edgeA` and `edgeB` in the column as u16, ascending
   * @returns how many it lists
   */
  withinEdges(
    column: number,
    bytes: number,
    low: number,
    span: number,
    bits: number,
    edgeA: number,
    edgeB: number,
    list: number,
  ): number
}

/** Alignment of the start and end of a column: 64 numbers. */
export const RANGE_ALIGN = 128

const SIXTEENS = [0, 1, 2, 3]
const SPLAT = vector(0x10)
const EQUAL = vector(0x2d)
const AT_MOST = vector(0x34)
const SUBTRACT_NUMBERS = vector(0x91)
const NARROW = vector(0x65)
const OR = vector(0x50)
const IS_ANY = vector(0x53)
const BITMASK = vector(0x64)

type Four = [number, number, number, number]

/**
 * Leaves a mask of 16 bits.
 * @param eight takes the offset of 8 numbers; leaves -1 in matching lanes
 */
const maskOf = (eight: (offset: number) => number[], i: number) =>
  code(eight(32 * i), eight(32 * i + 16), NARROW, BITMASK)

/** Sixteen numbers at a time. */
function within(lists: boolean): WasmFunction {
  const [column, bytes, low, span, bits, edgeA, edgeB, list] = [0, 1, 2, 3, 4, 5, 6, 7] as const
  const parameters = lists ? 8 : 5
  const locals = [I32, I32, I32, I32, V128, V128, V128, V128]
  const [start, end, first, mask] = [0, 1, 2, 3].map((i) => parameters + i) as Four
  const [lows, spans, as, bs] = [4, 5, 6, 7].map((i) => parameters + i) as Four
  const splat = (from: number, to: number) => code(get(from), SPLAT, assign(to))
  const isIn = (offset: number) =>
    code(get(column), loadVector(offset), get(lows), SUBTRACT_NUMBERS, get(spans), AT_MOST)
  const isEdge = (offset: number) =>
    code(
      code(get(column), loadVector(offset), get(as), EQUAL),
      code(get(column), loadVector(offset), get(bs), EQUAL, OR),
    )
  const lowest = code(get(mask), 0x68)
  // mask &= mask - 1
  const drop = code(get(mask), get(mask), i32(1), SUBTRACT, 0x71, assign(mask))
  const write = (i: number) =>
    code(get(list), get(first), lowest, ADD, i32(16 * i), ADD, store16(0), drop, advance(list, 2))
  const listSixteen = (i: number) =>
    code(maskOf(isEdge, i), assign(mask), loop(code(get(mask), 0x45), write(i)))
  const eights = SIXTEENS.flatMap((i) => [32 * i, 32 * i + 16])
  const anyEdge = eights.flatMap((offset, i) => code(isEdge(offset), i === 0 ? [] : OR))
  const edges = lists ? when(code(anyEdge, IS_ANY), SIXTEENS.flatMap(listSixteen)) : []
  const set = SIXTEENS.flatMap((i) => code(get(bits), maskOf(isIn, i), store16(2 * i)))
  const next = code(advance(column, RANGE_ALIGN), advance(bits, 8), advance(first, 64))
  return {
    name: lists ? 'withinEdges' : 'within',
    parameters,
    hasResult: lists,
    locals,
    body: code(
      code(splat(low, lows), splat(span, spans)),
      lists ? code(splat(edgeA, as), splat(edgeB, bs), get(list), assign(start)) : [],
      code(get(column), get(bytes), ADD, assign(end)),
      loop(code(get(column), get(end), AT_LEAST), code(set, edges, next)),
      lists ? code(get(list), get(start), SUBTRACT, i32(1), SHIFT_RIGHT) : [],
    ),
  }
}

const compiled = compile([within(false), within(true)])

/** The kernels over this memory. */
export function rangeKernelsOver(memory: WasmMemory): RangeKernels {
  return instanceOver(compiled, memory) as RangeKernels
}
