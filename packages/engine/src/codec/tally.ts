import { GrowableU32 } from './growable.ts'

/** Counts by number, and the numbers that were counted. Kept from one use to the next. */
export class Tally {
  counts = new Uint32Array(1024)
  readonly seen = new GrowableU32(1024)

  /** Room for numbers below `length`. Nothing must be counted yet. */
  reserve(length: number): void {
    if (this.counts.length < length) this.counts = new Uint32Array(length * 2)
  }

  add(number: number): void {
    if (this.counts[number]!++ === 0) this.seen.push(number)
  }

  clear(): void {
    const { counts, seen } = this
    for (let i = 0; i < seen.length; i++) counts[seen.data[i]!] = 0
    seen.length = 0
  }
}
