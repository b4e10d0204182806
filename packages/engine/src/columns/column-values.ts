import type { SectionReader, SectionWriter, TypedArray } from '../codec/section-file.ts'
import { sectionName, type ColumnId } from './column-sections.ts'

/** Numbers with up to three decimals are stored as scaled integers. */
const SCALES = [1, 10, 100, 1000]
const RANGE_MAX = 2 ** 32

/** The distinct values of a column by rank: dictionary ids of texts, or numbers. */
export interface ColumnValues {
  readonly count: number
  /** Strings. */
  readonly ids: Uint32Array
  /** int32, float and bool. */
  number(rank: number): number
  /** int64. */
  bigint(rank: number): bigint
  /** int64 and geopoints, by rank: the low and the high half of each value. */
  halves(): Uint32Array
}

/**
 * Writes the values of a column. Numbers that span less than 2^32, such as prices in cents and
 * times in seconds, take 4 bytes: `(base + offset) / scale`.
 */
export function writeValues(column: ColumnId, values: TypedArray, sections: SectionWriter): void {
  const compact = values.length === 0 ? undefined : compacted(values)
  if (compact === undefined) sections.add(sectionName(column, 'values'), values)
  else {
    sections.add(sectionName(column, 'base'), compact.base)
    sections.add(sectionName(column, 'offsets'), compact.offsets)
  }
}

function compacted(values: TypedArray): CompactValues | undefined {
  if (values instanceof BigInt64Array) return compactBigints(values)
  return values instanceof Float64Array ? compactNumbers(values) : undefined
}

interface CompactValues {
  /** int64: base; others: base and scale. */
  readonly base: BigInt64Array | Float64Array
  readonly offsets: Uint32Array
}

function compactBigints(values: BigInt64Array): CompactValues | undefined {
  const base = values[0]!
  if (values.at(-1)! - base >= RANGE_MAX) return undefined
  const offsets = Uint32Array.from(values, (value) => Number(value - base))
  return { base: new BigInt64Array([base]), offsets }
}

function compactNumbers(values: Float64Array): CompactValues | undefined {
  for (const scale of SCALES) {
    const base = Math.round(values[0]! * scale)
    const last = Math.round(values.at(-1)! * scale)
    if (!Number.isSafeInteger(base) || !Number.isSafeInteger(last)) return undefined
    if (last - base >= RANGE_MAX) return undefined
    // The quotient of the integers is the double nearest to the decimal number, and so is the
    // value.
    const isExact = values.every((value) => Math.round(value * scale) / scale === value)
    if (!isExact) continue
    const offsets = Uint32Array.from(values, (value) => Math.round(value * scale) - base)
    return { base: new Float64Array([base, scale]), offsets }
  }
  return undefined
}

export function hasValues(column: ColumnId, sections: SectionReader): boolean {
  return sections.has(sectionName(column, 'values')) || sections.has(sectionName(column, 'offsets'))
}

/** Opens the values of a column, in the format that `writeValues` chose. */
export function openValues(
  column: ColumnId,
  kind: 'ids' | 'numbers' | 'bigints',
  sections: SectionReader,
): ColumnValues {
  const values = sectionName(column, 'values')
  if (kind === 'ids') {
    const ids = sections.u32(values)
    return { ...NONE, count: ids.length, ids }
  }
  const base = sectionName(column, 'base')
  const isCompact = sections.has(base)
  const offsets = isCompact ? sections.u32(sectionName(column, 'offsets')) : NO_IDS
  if (kind === 'bigints') {
    if (!isCompact) {
      const bigints = sections.i64(values)
      const { buffer, byteOffset, length } = bigints
      const halves = () => new Uint32Array(buffer, byteOffset, 2 * length)
      return { ...NONE, count: length, bigint: (rank) => bigints[rank]!, halves }
    }
    const first = sections.i64(base)[0]!
    const bigint = (rank: number): bigint => first + BigInt(offsets[rank]!)
    const halves = () =>
      new Uint32Array(BigInt64Array.from(offsets, (_, rank) => bigint(rank)).buffer)
    return { ...NONE, count: offsets.length, bigint, halves }
  }
  const numbers = isCompact ? sections.f64(base) : sections.f64(values)
  const [first, scale] = [numbers[0]!, numbers[1]!]
  return isCompact
    ? { ...NONE, count: offsets.length, number: (rank) => (first + offsets[rank]!) / scale }
    : { ...NONE, count: numbers.length, number: (rank) => numbers[rank]! }
}

const NO_IDS = new Uint32Array(0)
const NONE = { ids: NO_IDS, number: isNone, bigint: isNone, halves: isNone }

function isNone(): never {
  throw new Error('Reading a column as the wrong type')
}
