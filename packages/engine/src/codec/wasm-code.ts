import { code, signed, unsigned } from './wasm-writer.ts'

/** Instructions that kernels are composed of. Locals are given by number. */

export const ADD = 0x6a
export const SUBTRACT = 0x6b
export const SHIFT_LEFT = 0x74
export const SHIFT_RIGHT = 0x76
/** Unsigned a >= b. */
export const AT_LEAST = 0x4f
/** Unsigned a < b. */
export const BELOW = 0x49

export const get = (local: number) => code(0x20, unsigned(local))
export const assign = (local: number) => code(0x21, unsigned(local))
/** @param value 0 .. 2^30 */
export const i32 = (value: number) => code(0x41, signed(value))

/** An instruction on 128-bit vectors. */
export const vector = (instruction: number) => code(0xfd, unsigned(instruction))
export const loadVector = (offset: number) => code(vector(0x00), 4, unsigned(offset))
export const storeVector = (offset: number) => code(vector(0x0b), 4, unsigned(offset))

/** Loads 4 bytes. @param offset in bytes */
export const load32 = (offset: number) => code(0x28, 2, unsigned(offset))
export const store32 = (offset: number) => code(0x36, 2, unsigned(offset))
/** Loads 2 bytes, zero-extended to 4. */
export const load16 = (offset: number) => code(0x2f, 1, unsigned(offset))
export const store16 = (offset: number) => code(0x3b, 1, unsigned(offset))
/** Loads 8 bytes. */
export const load64 = (offset: number) => code(0x29, 3, unsigned(offset))

/** Adds a constant to a local. */
export const advance = (local: number, by: number) => code(get(local), i32(by), ADD, assign(local))

/** @param end instructions that leave a nonzero value when the loop is done */
export const loop = (end: readonly number[], body: readonly number[]) =>
  code(0x02, 0x40, 0x03, 0x40, end, 0x0d, 1, body, 0x0c, 0, 0x0b, 0x0b)

/**
 * Runs the body at least once.
 * @param again instructions that leave a nonzero value to repeat it
 */
export const repeat = (body: readonly number[], again: readonly number[]) =>
  code(0x03, 0x40, body, again, 0x0d, 0, 0x0b)

/** @param condition instructions that leave a nonzero value to run the first body */
export const either = (
  condition: readonly number[],
  body: readonly number[],
  otherwise: readonly number[],
) => code(condition, 0x04, 0x40, body, 0x05, otherwise, 0x0b)

/** @param condition instructions that leave a nonzero value to run the body */
export const when = (condition: readonly number[], body: readonly number[]) =>
  code(condition, 0x04, 0x40, body, 0x0b)
