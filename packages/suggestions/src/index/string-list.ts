import { GrowableU16, typedRanges, type SectionReader, type SectionWriter } from '@aisle/engine'

/** Indexes from `low` to before `high`. */
export interface Range {
  readonly low: number
  readonly high: number
}

/** Whether one of the ranges has the index. */
export function isWithin(ranges: readonly Range[], i: number): boolean {
  return ranges.some(({ low, high }) => i >= low && i < high)
}

/** Strings in shared memory, as concatenated UTF-16 code units. */
export class StringList {
  readonly offsets: Uint32Array
  readonly units: Uint16Array
  readonly length: number

  constructor(reader: SectionReader, name: string) {
    this.offsets = reader.u32(`${name}.offsets`)
    this.units = reader.u16(`${name}.units`)
    this.length = this.offsets.length - 1
  }

  get(i: number): string {
    return String.fromCharCode(...this.units.subarray(this.offsets[i], this.offsets[i + 1]))
  }

  /** Returns the index of a text in a sorted list, or its insertion point. */
  lowerBound(text: string, low = 0, high = this.length): number {
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#compare(middle, text) < 0) low = middle + 1
      else high = middle
    }
    return low
  }

  /** Returns the index after the texts with a prefix in a sorted list. */
  prefixEnd(prefix: string, low = 0, high = this.length): number {
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.startsWith(middle, prefix)) low = middle + 1
      else high = middle
    }
    return low
  }

  /** Returns the texts of a sorted list that begin with a typed one, which is not empty. */
  begunRanges(typed: string): Range[] {
    return typedRanges(typed).map(({ first, last }) => {
      const low = this.lowerBound(first)
      return { low, high: this.prefixEnd(last, this.lowerBound(last, low)) }
    })
  }

  /** Returns the index of a text in a sorted list, or -1. */
  find(text: string): number {
    const at = this.lowerBound(text)
    return at < this.length && this.#compare(at, text) === 0 ? at : -1
  }

  startsWith(i: number, prefix: string): boolean {
    const start = this.offsets[i]!
    if (this.offsets[i + 1]! - start < prefix.length) return false
    for (let k = 0; k < prefix.length; k++) {
      if (this.units[start + k] !== prefix.charCodeAt(k)) return false
    }
    return true
  }

  /**
   * Visits the texts that contain `part`, which must not be empty, in order. Searches the letters
   * of all texts at once, as bytes, which Node does several times faster than a loop.
   */
  forEachWith(part: string, visit: (i: number) => void): void {
    const { offsets, units } = this
    const bytes = Buffer.from(units.buffer, units.byteOffset, units.byteLength)
    for (let at = 0, i = 0; ;) {
      const hit = bytes.indexOf(part, at * 2, 'utf16le')
      if (hit < 0) return
      i = this.#textAt(hit / 2, i)
      const isInside = hit / 2 + part.length <= offsets[i + 1]!
      if (isInside) visit(i)
      at = isInside ? offsets[i + 1]! : hit / 2 + 1
    }
  }

  /** The text that contains the unit `at`: `low` or a later one. */
  #textAt(at: number, low: number): number {
    let high = this.length
    while (high - low > 1) {
      const middle = (low + high) >>> 1
      if (this.offsets[middle]! <= at) low = middle
      else high = middle
    }
    return low
  }

  #compare(i: number, text: string): number {
    const start = this.offsets[i]!
    const length = this.offsets[i + 1]! - start
    const shared = Math.min(length, text.length)
    for (let k = 0; k < shared; k++) {
      const difference = this.units[start + k]! - text.charCodeAt(k)
      if (difference !== 0) return difference
    }
    return length - text.length
  }
}

export function addStrings(writer: SectionWriter, name: string, texts: readonly string[]): void {
  const offsets = new Uint32Array(texts.length + 1)
  const units = new GrowableU16(texts.length * 16)
  texts.forEach((text, i) => {
    units.reserve(text.length)
    for (let k = 0; k < text.length; k++) units.data[units.length++] = text.charCodeAt(k)
    offsets[i + 1] = units.length
  })
  writer.add(`${name}.offsets`, offsets)
  writer.add(`${name}.units`, units.data.subarray(0, units.length))
}

/** Lists of numbers by index: those of `i` are `values[offsets[i]..offsets[i + 1]]`. */
export class NumberLists {
  readonly offsets: Uint32Array
  readonly values: Uint32Array

  constructor(reader: SectionReader, name: string) {
    this.offsets = reader.u32(`${name}.offsets`)
    this.values = reader.u32(`${name}.values`)
  }

  of(i: number): Uint32Array {
    return this.values.subarray(this.offsets[i], this.offsets[i + 1])
  }
}

export function addLists(
  writer: SectionWriter,
  name: string,
  lists: readonly (readonly number[])[],
): void {
  const offsets = new Uint32Array(lists.length + 1)
  let length = 0
  lists.forEach((list, i) => (offsets[i + 1] = length += list.length))
  const values = new Uint32Array(length)
  lists.forEach((list, i) => values.set(list, offsets[i]))
  writer.add(`${name}.offsets`, offsets)
  writer.add(`${name}.values`, values)
}
