import { saturate } from '../scoring/formula.ts'

/**
 * The inner loops of scoring. Plain functions over typed arrays: no closures, no iterators, no allocation,
 * one array type per parameter, so that they stay fast. Each works on one window of 65,536 documents.
 *
 * `scores[id]` gathers, per document of the window, an exact integer (a double below 2^53):
 *
 *     points            bits 0 .. 29, the sum over slots
 *     + HAS_SIGNIFICANT for each significant slot that the document has with a counted quality
 *     + HAS_MATCH       for each slot that makes the document match
 *
 * 0 means not touched; documents are noted in `touched` at their first slot.
 */
export const HAS_SIGNIFICANT = 2 ** 30
export const HAS_MATCH = 2 ** 40

/**
 * One list, all postings of one quality; points by code were worked out before.
 *
 * @param pointsByCode includes the flags; 0 where the word is in no searched field
 * @returns the new length of `touched`
 */
export function addTable(
  ids: Uint16Array,
  codes: Uint16Array | Uint32Array,
  from: number,
  to: number,
  pointsByCode: Float64Array,
  scores: Float64Array,
  touched: Uint16Array,
  touchedCount: number,
): number {
  let count = touchedCount
  for (let i = from; i < to; i++) {
    const points = pointsByCode[codes[i]!]!
    if (points === 0) continue
    const id = ids[i]!
    const before = scores[id]!
    if (before === 0) touched[count++] = id
    scores[id] = before + points
  }
  return count
}

/** One short list of one quality: not worth a table. `factor` = slot weight * q * 65536. */
export function addDirect(
  ids: Uint16Array,
  codes: Uint16Array | Uint32Array,
  from: number,
  to: number,
  saturated: Float32Array,
  factor: number,
  flags: number,
  scores: Float64Array,
  touched: Uint16Array,
  touchedCount: number,
): number {
  let count = touchedCount
  for (let i = from; i < to; i++) {
    const value = saturated[codes[i]!]!
    if (value === 0) continue
    const id = ids[i]!
    const before = scores[id]!
    if (before === 0) touched[count++] = id
    scores[id] = before + Math.floor(factor * value + 0.5) + flags
  }
  return count
}

/**
 * One list whose forms differ in quality.
 *
 * @param factorByMask slot weight * best q of the mask * 65536; 0 where no form of the mask matches
 * @param flagsByMask by form mask
 * @param maskOffset index of the mask of posting 0
 */
export function addMasked(
  ids: Uint16Array,
  codes: Uint16Array | Uint32Array,
  masks: Uint8Array,
  maskOffset: number,
  from: number,
  to: number,
  saturated: Float32Array,
  factorByMask: Float64Array,
  flagsByMask: Float64Array,
  scores: Float64Array,
  touched: Uint16Array,
  touchedCount: number,
): number {
  let count = touchedCount
  for (let i = from; i < to; i++) {
    const mask = masks[maskOffset + i]!
    const factor = factorByMask[mask]!
    const value = saturated[codes[i]!]!
    if (factor === 0 || value === 0) continue
    const id = ids[i]!
    const before = scores[id]!
    if (before === 0) touched[count++] = id
    scores[id] = before + Math.floor(factor * value + 0.5) + flagsByMask[mask]!
  }
  return count
}

/** A list of a slot with several alternatives, one quality: gathers evidence and the best quality. */
export function gatherUniform(
  ids: Uint16Array,
  codes: Uint16Array | Uint32Array,
  from: number,
  to: number,
  evidence: Float32Array,
  quality: number,
  evidenceSums: Float64Array,
  qualities: Float64Array,
  touched: Uint16Array,
  touchedCount: number,
): number {
  let count = touchedCount
  for (let i = from; i < to; i++) {
    const value = evidence[codes[i]!]!
    if (value === 0) continue
    const id = ids[i]!
    const before = qualities[id]!
    if (before === 0) touched[count++] = id
    if (quality > before) qualities[id] = quality
    evidenceSums[id]! += value
  }
  return count
}

/** Saturates what was gathered for a slot, adds it to the scores and clears the scratch arrays. */
export function addGathered(
  evidenceSums: Float64Array,
  qualities: Float64Array,
  slotTouched: Uint16Array,
  slotTouchedCount: number,
  factor: number,
  countedMin: number,
  flags: number,
  flagsUncounted: number,
  scores: Float64Array,
  touched: Uint16Array,
  touchedCount: number,
): number {
  let count = touchedCount
  for (let i = 0; i < slotTouchedCount; i++) {
    const id = slotTouched[i]!
    const quality = qualities[id]!
    const points = Math.floor(factor * quality * 65_536 * saturate(evidenceSums[id]!) + 0.5)
    const before = scores[id]!
    if (before === 0) touched[count++] = id
    scores[id] = before + points + (quality >= countedMin ? flags : flagsUncounted)
    evidenceSums[id] = 0
    qualities[id] = 0
  }
  return count
}
