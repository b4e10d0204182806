import { POINTS_PER_UNIT } from '../../scoring/formula.ts'

/** What a slot adds to a score besides points. */
export interface SlotFlags {
  /** Flags for a quality that counts, and for one that does not. */
  readonly counted: number
  readonly uncounted: number
  /** The lowest quality that counts. */
  readonly countedMin: number
  /** Whether a document with only this slot matches. */
  readonly carries: boolean
}

/** Scratch memory of this thread. */
const bestOfMasks = new Float64Array(256)
const NO_FACTORS = new Float64Array()
const NO_FLAGS = new Int32Array()

/**
 * Factors and flags by form mask for a slot's main list, kept from segment to segment. Rebuilt if
 * the main list of another segment is of another stem group.
 */
export class MaskTables {
  // Empty for most slots.
  factors = NO_FACTORS
  flags = NO_FLAGS
  #quality: Float64Array | undefined

  /** Prepares for a slot of another search. */
  clear(): void {
    this.#quality = undefined
  }

  fill(quality: Float64Array, weight: number, flags: SlotFlags): void {
    if (this.#quality === quality) return
    this.#quality = quality
    if (this.factors === NO_FACTORS) {
      this.factors = new Float64Array(256)
      this.flags = new Int32Array(256)
    }
    // Forms after the last matching one make no difference: the masks repeat.
    let forms = Math.min(8, quality.length)
    while (forms > 1 && quality[forms - 1] === 0) forms--
    const { factors, flags: byMask } = this
    bestOfMasks[0] = 0
    factors[0] = 0
    byMask[0] = flags.uncounted
    for (let mask = 1; mask < 1 << forms; mask++) {
      const q = Math.max(bestOfMasks[mask & (mask - 1)]!, quality[31 - Math.clz32(mask & -mask)]!)
      bestOfMasks[mask] = q
      factors[mask] = weight * q * POINTS_PER_UNIT
      byMask[mask] = q >= flags.countedMin ? flags.counted : flags.uncounted
    }
    for (let filled = 1 << forms; filled < 256; filled *= 2) {
      factors.copyWithin(filled, 0, filled)
      byMask.copyWithin(filled, 0, filled)
    }
  }
}

/** One set per thread, by slot: a search never waits. */
const tablesBySlot: MaskTables[] = []

/** Tables for this many slots, valid until the next call. */
export function maskTables(count: number): readonly MaskTables[] {
  while (tablesBySlot.length < count) tablesBySlot.push(new MaskTables())
  for (let i = 0; i < count; i++) tablesBySlot[i]!.clear()
  return tablesBySlot
}

/**
 * The best quality among the forms of each mask: 256 entries per byte of the masks.
 *
 * @param byteCount bytes of a mask, 1 or 4
 */
export function qualitiesByMask(quality: Float64Array, byteCount: number): Float64Array {
  const bestOf = new Float64Array(256 * byteCount)
  for (let byte = 0; byte < byteCount; byte++) {
    const base = 256 * byte
    for (let mask = 1; mask < 256; mask++) {
      // The better of the lowest form and the rest, whose entry is already filled.
      const rest = mask & (mask - 1)
      const lowest = quality[8 * byte + 31 - Math.clz32(mask & -mask)]!
      bestOf[base + mask] = Math.max(bestOf[base + rest]!, lowest)
    }
  }
  return bestOf
}

/** Points and flags of a slot by impact code, for a long list of one quality. */
export function pointsByCode(saturated: Float32Array, factor: number, flags: number): Int32Array {
  const points = new Int32Array(saturated.length)
  for (let code = 0; code < points.length; code++) {
    const value = saturated[code]!
    if (value !== 0) points[code] = ((factor * value + 0.5) | 0) + flags
  }
  return points
}
