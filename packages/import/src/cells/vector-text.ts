import { isExactNumber } from '@aisle/client'

/** Shorter lists of numbers are usually sizes, ratings or places. */
const VECTOR_LENGTH_MIN = 32
/** The service takes no longer ones. */
const VECTOR_LENGTH_MAX = 4_096

/** What a list of numbers of a file may be: the vector of a language model. */
export interface VectorTraits {
  readonly length: number
  /** Lists of whole numbers only are not vectors. */
  readonly hasFraction: boolean
  /** Some of its numbers, with the least and the greatest: those of all rows say the type. */
  readonly sample: readonly number[]
}

const SAMPLE = 4

/**
 * @param value a list of numbers, or a cell such as `[0.12, -0.5, …]`, as pgvector and pandas write
 * @returns undefined if it is not a list of 32 to 4,096 numbers
 */
export function vectorTraits(value: unknown): VectorTraits | undefined {
  const numbers = Array.isArray(value) ? numbersOf(value) : numbersOfText(value)
  if (numbers === undefined || numbers.length < VECTOR_LENGTH_MIN) return undefined
  if (numbers.length > VECTOR_LENGTH_MAX) return undefined
  let [least, greatest] = [Infinity, -Infinity]
  let fraction: number | undefined
  for (const one of numbers) {
    if (one < least) least = one
    if (one > greatest) greatest = one
    if (!Number.isInteger(one)) fraction = one
  }
  const few = [...numbers.slice(0, SAMPLE), least, greatest]
  return {
    length: numbers.length,
    hasFraction: fraction !== undefined,
    sample: fraction === undefined ? few : [...few, fraction],
  }
}

/** The JSON of a cell with a list of numbers; undefined for other texts. */
export function vectorJson(text: string): string | undefined {
  const numbers = numbersOfText(text)
  return numbers === undefined ? undefined : JSON.stringify(numbers)
}

function numbersOfText(text: unknown): number[] | undefined {
  if (typeof text !== 'string' || !text.startsWith('[') || !text.endsWith(']')) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? numbersOf(value) : undefined
  } catch {
    // Numpy separates by spaces.
    const parts = text.slice(1, -1).trim().split(/\s+/)
    const numbers = parts.map(Number)
    return parts.every((one) => one !== '') && numbers.every(Number.isFinite) ? numbers : undefined
  }
}

function numbersOf(value: readonly unknown[]): number[] | undefined {
  const numbers: number[] = []
  for (const one of value) {
    const number = isExactNumber(one) ? Number(JSON.stringify(one)) : one
    if (typeof number !== 'number' || !Number.isFinite(number)) return undefined
    numbers.push(number)
  }
  return numbers
}
