import { vectorTraits, type VectorTraits } from '../cells/vector-text.ts'
import { ValueStats } from './value-stats.ts'

/** Statistics on the values of one column, over all rows read. */
export class ColumnProfile {
  /** Statistics on whole values, or on the elements of lists. */
  readonly whole = new ValueStats()
  /** Number of rows with a value. */
  valueCount = 0
  hasLists = false
  hasSingles = false
  hasNulls = false
  /** Values that are places, and those that are not. */
  placeCount = 0
  otherCount = 0
  /** Long lists of numbers, all of one length so far. */
  #vectorCount = 0
  #vectorLength: number | undefined
  #hasFractions = false
  /** Cells that contain the list separator. */
  dividedCount = 0
  isSpaced = false
  #parts: ValueStats | undefined

  /** Statistics on the parts of cells between separators. */
  get parts(): ValueStats {
    return this.#parts ?? this.whole
  }

  /** How many numbers each value has, if all are vectors of a model. */
  get vectorLength(): number | undefined {
    const isVector = this.#vectorCount === this.valueCount && this.#hasFractions
    return isVector ? this.#vectorLength : undefined
  }

  /** @param listSeparator of a table; empty: cells are not split */
  add(value: unknown, row: number, listSeparator: string): void {
    this.valueCount++
    const vector = vectorTraits(value)
    if (vector !== undefined) {
      this.#addVector(vector, row, Array.isArray(value))
      return
    }
    const isList = Array.isArray(value)
    if (isList) this.hasLists = true
    else this.hasSingles = true
    const elements = isList ? (value as unknown[]).filter((one) => one !== null) : [value]
    if (isList && elements.length < (value as unknown[]).length) this.hasNulls = true
    if (elements.length > 0) {
      if (elements.every(isPlace)) this.placeCount++
      else this.otherCount++
    }
    const divided =
      typeof value === 'string' && listSeparator !== '' ? value.split(listSeparator) : undefined
    if (divided !== undefined) this.#divide(divided, row)
    for (const element of elements) this.whole.add(element, row)
  }

  /** Counting each of a thousand numbers would take longer than the rest of the row. */
  #addVector({ length, hasFraction, sample }: VectorTraits, row: number, isList: boolean): void {
    if (isList) this.hasLists = true
    else this.hasSingles = true
    this.otherCount++
    this.#vectorLength ??= length
    if (length === this.#vectorLength) this.#vectorCount++
    this.#hasFractions ||= hasFraction
    for (const one of sample) this.whole.add(one, row)
  }

  #divide(parts: readonly string[], row: number): void {
    if (parts.length > 1) {
      this.#parts ??= this.whole.copy()
      this.dividedCount++
      this.isSpaced ||= parts.some((part, i) => /^\s/.test(part) && i > 0)
    }
    for (const part of parts) if (part.trim() !== '') this.#parts?.add(part.trim(), row)
  }
}

/** `{"lat": 48.85, "lon": 2.35}`, and nothing else in it. Two numbers in a list may be anything. */
export function isPlace(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const { lat, lon, lng = lon, ...others } = value as Readonly<Record<string, unknown>>
  const isWithin = (one: unknown, max: number): boolean => {
    const number = Number(JSON.stringify(one))
    return typeof one !== 'string' && Math.abs(number) <= max
  }
  const isOnEarth = isWithin(lat, 90) && isWithin(lng, 180)
  return isOnEarth && lat !== null && lng !== null && Object.keys(others).length === 0
}
