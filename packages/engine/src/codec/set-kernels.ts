import {
  code,
  I32,
  I64,
  signed,
  unsigned,
  V128,
  wasmModule,
  type WasmFunction,
} from './wasm-writer.ts'

/**
 * Inner loops over sets of documents, a bit each, in WebAssembly: 128 bits at a time. To combine
 * two sets of 65,536 documents takes .2 us, where JavaScript takes 2. A set is known by where it
 * starts, in bytes, and has a multiple of `SET_ALIGN` bytes.
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
  /** @returns how many bits are set */
  count(set: number, bytes: number): number
  /** Writes the numbers of the bits that are set as u16, ascending. @returns how many */
  list(set: number, bytes: number, numbers: number): number
}

/** Sets start and end at such places. */
export const SET_ALIGN = 64

const get = (local: number) => code(0x20, unsigned(local))
const assign = (local: number) => code(0x21, unsigned(local))
const i32 = (value: number) => code(0x41, signed(value))
const vector = (instruction: number) => code(0xfd, unsigned(instruction))
const load = (offset: number) => code(vector(0x00), 4, unsigned(offset))
const store = (offset: number) => code(vector(0x0b), 4, unsigned(offset))
const ADD = 0x6a
const SUBTRACT = 0x6b
const VECTOR_AND = vector(0x4e)
const VECTOR_AND_NOT = vector(0x4f)
const VECTOR_OR = vector(0x50)

/** Adds to a local. */
const advance = (local: number, by: number) => code(get(local), i32(by), ADD, assign(local))

/** @param end instructions that leave something but 0 when it is over */
const loop = (end: readonly number[], body: readonly number[]) =>
  code(0x02, 0x40, 0x03, 0x40, end, 0x0d, 1, body, 0x0c, 0, 0x0b, 0x0b)

/** Runs the body for each 64 bytes. @param left local with the number of bytes */
function blocks(left: number, pointers: readonly number[], body: readonly number[]): number[] {
  const isOver = code(get(left), 0x45)
  const next = pointers.flatMap((pointer) => advance(pointer, SET_ALIGN))
  const rest = code(get(left), i32(SET_ALIGN), SUBTRACT, assign(left))
  return loop(isOver, code(body, next, rest))
}

const OFFSETS = [0, 16, 32, 48]

/** @param operation on the vectors of `a` and `b`; @param isAdded to what stands in `out` */
function combine(name: string, operation: readonly number[], isAdded = false): WasmFunction {
  const [out, a, b, left] = [0, 1, 2, 3] as const
  const body = OFFSETS.flatMap((offset) => {
    const made = code(get(a), load(offset), get(b), load(offset), operation)
    const added = isAdded ? code(get(out), load(offset), VECTOR_OR) : []
    return code(get(out), made, added, store(offset))
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
  const bits = OFFSETS.map((offset) => code(get(set), load(offset), popcount))
  const byByte = code(bits[0]!, bits[1]!, addBytes, bits[2]!, addBytes, bits[3]!, addBytes)
  // At most 32 a byte: sums of pairs, twice, are four numbers.
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

function listFunction(): WasmFunction {
  const [set, bytes, numbers, first, word, at, end, blockEnd] = [0, 1, 2, 3, 4, 5, 6, 7] as const
  const lowest = code(get(word), 0x7a, 0xa7)
  const write = code(get(at), lowest, get(first), ADD, 0x3b, 1, 0, advance(at, 2))
  // word &= word - 1
  const drop = code(get(word), get(word), 0x42, 1, 0x7d, 0x83, assign(word))
  const bits = loop(code(get(word), 0x50), code(write, drop))
  const read = code(get(set), 0x29, 3, 0, assign(word))
  const next = code(advance(set, 8), advance(first, 64))
  const words = loop(code(get(set), get(blockEnd), 0x4f), code(read, bits, next))
  const block = code(get(set), i32(SET_ALIGN), ADD, assign(blockEnd), words)
  // Most blocks of a set of few documents are empty.
  const loads = OFFSETS.map((offset) => code(get(set), load(offset)))
  const pairs = code(loads[0]!, loads[1]!, VECTOR_OR, loads[2]!, loads[3]!, VECTOR_OR, VECTOR_OR)
  const skip = code(advance(set, SET_ALIGN), advance(first, SET_ALIGN * 8))
  const either = code(pairs, vector(0x53), 0x04, 0x40, block, 0x05, skip, 0x0b)
  return {
    name: 'list',
    parameters: 3,
    hasResult: true,
    locals: [I32, I64, I32, I32, I32],
    body: code(
      code(get(set), get(bytes), ADD, assign(end), get(numbers), assign(at)),
      loop(code(get(set), get(end), 0x4f), either),
      code(get(at), get(numbers), SUBTRACT, i32(1), 0x76),
    ),
  }
}

/** The part in use. The types of Node.js do not have it. */
interface WebAssemblyApi {
  readonly Module: new (bytes: Uint8Array<ArrayBuffer>) => object
  readonly Instance: new (module: object, imports: object) => { readonly exports: object }
  readonly Memory: new (size: { readonly initial: number }) => WasmMemory
}

export interface WasmMemory {
  /** Another one after `grow`. */
  readonly buffer: ArrayBuffer
  /** @param pages of 64 KiB */
  grow(pages: number): number
}

const { Module, Instance, Memory } = (globalThis as unknown as { WebAssembly: WebAssemblyApi })
  .WebAssembly

const compiled = new Module(
  wasmModule([
    combine('and', VECTOR_AND),
    combine('andNot', VECTOR_AND_NOT),
    combine('or', VECTOR_OR),
    combine('orAnd', VECTOR_AND, true),
    countFunction(),
    listFunction(),
  ]),
)

/** @param pages of 64 KiB */
export function newMemory(pages: number): WasmMemory {
  return new Memory({ initial: pages })
}

export function kernelsOver(memory: WasmMemory): SetKernels {
  const { exports } = new Instance(compiled, { env: { memory } })
  return exports as SetKernels
}
