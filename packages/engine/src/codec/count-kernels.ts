import { listFunction } from './set-kernels.ts'
import {
  ADD,
  advance,
  assign,
  AT_LEAST,
  get,
  i32,
  load16,
  load32,
  loadVector,
  loop,
  SHIFT_LEFT,
  SHIFT_RIGHT,
  store16,
  store32,
  storeVector,
  SUBTRACT,
  vector,
  when,
} from './wasm-code.ts'
import { compile, instanceOver, type WasmMemory } from './wasm-memory.ts'
import { code, I32, V128, type WasmFunction } from './wasm-writer.ts'

/**
 * Inner loops that count how many documents have each value number of a column. All addresses are
 * in bytes.
 */
export interface CountKernels {
  /** See `SetKernels.list`. */
  list(set: number, bytes: number, numbers: number): number
  /**
   * Counts the numbers at the listed positions of a column.
   *
   * @param list positions as u16
   * @param listed number of positions
   * @param column u16 by position
   * @param table u32 counters by number
   */
  count(list: number, listed: number, column: number, table: number): void
  /** The same for several columns, each with its table, reading the list once. */
  countTwo(list: number, listed: number, ...columnsAndTables: number[]): void
  countThree(list: number, listed: number, ...columnsAndTables: number[]): void
  /**
   * Finds the maximum of every sixteen counters. The counters of lane `l` of a block of
   * `BLOCK_COUNTERS` are `l`, `l + 4`, `l + 8` ...
   *
   * @param bytes size of the table, a multiple of a block
   * @param maxima u32 by block and lane
   * @returns number of counters that are 0
   */
  most(table: number, bytes: number, maxima: number): number
  /**
   * Lists the counters with at least this count, using the maxima of `most`.
   *
   * @param least >= 1
   * @param numbers receives their numbers as u16, ascending
   * @returns how many it lists
   */
  atLeast(table: number, bytes: number, maxima: number, least: number, numbers: number): number
}

/** Counters per block and lanes per vector, see `CountKernels.most`. */
export const BLOCK_COUNTERS = 64
export const LANES = 4
const BLOCK_BYTES = 4 * BLOCK_COUNTERS

/** Two documents at a time, so that their memory accesses overlap. */
function countFunction(): WasmFunction {
  const [list, listed, column, table, end, counter, second] = [0, 1, 2, 3, 4, 5, 6] as const
  const read = (offset: number, to: number) =>
    code(get(list), load16(offset), i32(1), SHIFT_LEFT, counterOf(column, table), assign(to))
  const isOver = code(get(list), get(end), AT_LEAST)
  const pair = code(read(0, counter), read(2, second), add(counter), add(second), advance(list, 4))
  const ofPairs = code(get(listed), i32(1), SHIFT_RIGHT, i32(2), SHIFT_LEFT)
  const rest = code(get(end), get(listed), i32(1), 0x71, i32(1), SHIFT_LEFT, ADD, assign(end))
  return {
    name: 'count',
    parameters: 4,
    hasResult: false,
    locals: [I32, I32, I32],
    body: code(
      code(get(list), ofPairs, ADD, assign(end), loop(isOver, pair)),
      code(rest, loop(isOver, code(read(0, counter), add(counter), advance(list, 2)))),
    ),
  }
}

/** Interleaves the columns, so that other work separates two accesses to the same counter. */
function countSeveral(name: string, columns: number): WasmFunction {
  const [list, listed, first] = [0, 1, 2] as const
  const end = first + 2 * columns
  const [place, counter] = [end + 1, end + 2] as const
  const each = [...Array(columns).keys()]
  const reads = each.flatMap((i) => {
    const [column, table] = [first + 2 * i, first + 2 * i + 1] as const
    return code(get(place), counterOf(column, table), assign(counter + i))
  })
  const read = code(get(list), load16(0), i32(1), SHIFT_LEFT, assign(place), reads)
  const adds = each.flatMap((i) => add(counter + i))
  return {
    name,
    parameters: 2 + 2 * columns,
    hasResult: false,
    locals: [I32, I32, ...each.map(() => I32)],
    body: code(
      code(get(list), get(listed), i32(1), SHIFT_LEFT, ADD, assign(end)),
      loop(code(get(list), get(end), AT_LEAST), code(read, adds, advance(list, 2))),
    ),
  }
}

/** Takes the position of a document in a column, in bytes; leaves the address of its counter. */
const counterOf = (column: number, table: number) =>
  code(get(column), ADD, load16(0), i32(2), SHIFT_LEFT, get(table), ADD)

/** @param counter local with the address of a counter */
const add = (counter: number) =>
  code(get(counter), get(counter), load32(0), i32(1), ADD, store32(0))

function mostFunction(): WasmFunction {
  const [table, bytes, maxima, end, zeros, most, four] = [0, 1, 2, 3, 4, 5, 6] as const
  const [isEqual, addNumbers, larger] = [vector(0x37), vector(0xae), vector(0xb9)] as const
  const none = code(i32(0), vector(0x11))
  const take = Array.from({ length: BLOCK_BYTES / 16 }, (_, i) =>
    code(
      code(get(table), loadVector(16 * i), assign(four)),
      code(get(most), get(four), larger, assign(most)),
      // Equal lanes have all bits set, which is -1.
      code(get(zeros), get(four), none, isEqual, addNumbers, assign(zeros)),
    ),
  )
  const begin = code(none, assign(most))
  const write = code(get(maxima), get(most), storeVector(0))
  const next = code(advance(table, BLOCK_BYTES), advance(maxima, 4 * LANES))
  const lane = (i: number) => code(get(zeros), vector(0x1b), i)
  return {
    name: 'most',
    parameters: 3,
    hasResult: true,
    locals: [I32, V128, V128, V128],
    body: code(
      code(get(table), get(bytes), ADD, assign(end)),
      loop(code(get(table), get(end), AT_LEAST), code(begin, take.flat(), write, next)),
      code(i32(0), lane(0), SUBTRACT, lane(1), SUBTRACT, lane(2), SUBTRACT, lane(3), SUBTRACT),
    ),
  }
}

/** Sixteen counters at a time; most blocks have none that is large enough. */
function atLeastFunction(): WasmFunction {
  const [table, bytes, maxima, least, numbers] = [0, 1, 2, 3, 4] as const
  const [end, start, first, mask, leasts] = [5, 6, 7, 8, 9] as const
  const [reaches, narrowTo16, narrowTo8] = [vector(0x40), vector(0x85), vector(0x65)] as const
  const four = (offset: number) => code(get(table), loadVector(offset), get(leasts), reaches)
  const eight = (offset: number) => code(four(offset), four(offset + 16), narrowTo16)
  const lowest = code(get(mask), 0x68)
  // mask &= mask - 1
  const drop = code(get(mask), get(mask), i32(1), SUBTRACT, 0x71, assign(mask))
  const list = (i: number) =>
    code(
      code(get(numbers), get(first), lowest, ADD, i32(16 * i), ADD, store16(0)),
      code(drop, advance(numbers, 2)),
    )
  const sixteen = (i: number) =>
    code(
      code(eight(64 * i), eight(64 * i + 32), narrowTo8, vector(0x64), assign(mask)),
      loop(code(get(mask), 0x45), list(i)),
    )
  const isAny = code(get(maxima), loadVector(0), get(leasts), reaches, vector(0x53))
  const next = code(advance(table, BLOCK_BYTES), advance(maxima, 4 * LANES), advance(first, 64))
  return {
    name: 'atLeast',
    parameters: 5,
    hasResult: true,
    locals: [I32, I32, I32, I32, V128],
    body: code(
      code(get(least), vector(0x11), assign(leasts), get(numbers), assign(start)),
      code(get(table), get(bytes), ADD, assign(end)),
      loop(
        code(get(table), get(end), AT_LEAST),
        code(when(isAny, [0, 1, 2, 3].flatMap(sixteen)), next),
      ),
      code(get(numbers), get(start), SUBTRACT, i32(1), SHIFT_RIGHT),
    ),
  }
}

const compiled = compile([
  listFunction(),
  countFunction(),
  countSeveral('countTwo', 2),
  countSeveral('countThree', 3),
  mostFunction(),
  atLeastFunction(),
])

/** The kernels over this memory. */
export function countKernelsOver(memory: WasmMemory): CountKernels {
  return instanceOver(compiled, memory) as CountKernels
}
