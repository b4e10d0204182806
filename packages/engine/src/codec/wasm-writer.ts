/**
 * Writes small WebAssembly modules: functions over one imported memory, with parameters, results
 * and locals of simple value types. Inner loops use them for 128-bit instructions, which JavaScript
 * lacks.
 */

/** Value types of the binary format. */
export const I32 = 0x7f
export const I64 = 0x7e
export const V128 = 0x7b

/** A function of a module, exported by its name. */
export interface WasmFunction {
  readonly name: string
  /** Number of parameters, all i32. */
  readonly parameters: number
  /** Whether it returns an i32. */
  readonly hasResult: boolean
  /** Types of the locals after the parameters. */
  readonly locals: readonly number[]
  /** Instructions. */
  readonly body: readonly number[]
}

/** Concatenates instructions. */
export function code(...parts: readonly (number | readonly number[])[]): number[] {
  return parts.flat()
}

/** @returns the bytes of a module that imports `env.memory` and exports the functions */
export function wasmModule(functions: readonly WasmFunction[]): Uint8Array<ArrayBuffer> {
  const types = functions.map(({ parameters, hasResult }) => {
    const taken = Array.from({ length: parameters }, () => [I32])
    return code(0x60, vector(taken), vector(hasResult ? [[I32]] : []))
  })
  const memory = code(text('env'), text('memory'), 0x02, 0x00, 0x01)
  const exports = functions.map(({ name }, i) => code(text(name), 0x00, unsigned(i)))
  const bodies = functions.map(({ locals, body }) => {
    const whole = code(vector(locals.map((type) => [1, type])), body, 0x0b)
    return code(unsigned(whole.length), whole)
  })
  const start = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00]
  return Uint8Array.from(
    code(
      start,
      section(1, vector(types)),
      section(2, vector([memory])),
      section(3, vector(functions.map((_, i) => unsigned(i)))),
      section(7, vector(exports)),
      section(10, vector(bodies)),
    ),
  )
}

/** LEB128. */
export function unsigned(value: number): number[] {
  const bytes: number[] = []
  let rest = value
  for (; rest > 127; rest >>>= 7) bytes.push((rest & 127) | 128)
  return [...bytes, rest]
}

/** The operand of `i32.const` and `i64.const`: signed LEB128. @param value 0 .. 2^30 */
export function signed(value: number): number[] {
  const bytes: number[] = []
  let rest = value
  for (; rest > 63; rest >>>= 7) bytes.push((rest & 127) | 128)
  return [...bytes, rest]
}

function section(id: number, content: readonly number[]): number[] {
  return code(id, unsigned(content.length), content)
}

function vector(items: readonly (readonly number[])[]): number[] {
  return code(unsigned(items.length), items.flat())
}

function text(name: string): number[] {
  return vector([...new TextEncoder().encode(name)].map((byte) => [byte]))
}
