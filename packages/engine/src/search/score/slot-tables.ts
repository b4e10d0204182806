import type { WordModel } from '../model/word-model.ts'

/** Scratch memory of this thread. */
const bestOfMasks = new Float64Array(256)

/**
 * Factors and flags by form mask for the main list of a word, kept from segment to segment. Rebuilt
 * for another word, or if the main list of another segment is of another stem group.
 */
export class MaskTables {
  readonly factors = new Float64Array(256)
  readonly flags = new Int32Array(256)
  #quality: Float64Array | undefined
  #model: WordModel | undefined

  fill(quality: Float64Array, model: WordModel): void {
    if (this.#quality === quality && this.#model === model) return
    this.#quality = quality
    this.#model = model
    // Forms after the last matching one make no difference: the masks repeat.
    let forms = Math.min(8, quality.length)
    while (forms > 1 && quality[forms - 1] === 0) forms--
    const { factors, flags } = this
    bestOfMasks[0] = 0
    factors[0] = 0
    flags[0] = 0
    for (let mask = 1; mask < 1 << forms; mask++) {
      const q = Math.max(bestOfMasks[mask & (mask - 1)]!, quality[31 - Math.clz32(mask & -mask)]!)
      bestOfMasks[mask] = q
      factors[mask] = model.factor(q)
      flags[mask] = model.flag(q)
    }
    for (let filled = 1 << forms; filled < 256; filled *= 2) {
      factors.copyWithin(filled, 0, filled)
      flags.copyWithin(filled, 0, filled)
    }
  }
}

/** One per word of a query. */
const tables: MaskTables[] = []

/** The tables of this thread for the word with this number. */
export function maskTablesOf(word: number): MaskTables {
  while (tables.length <= word) tables.push(new MaskTables())
  return tables[word]!
}
