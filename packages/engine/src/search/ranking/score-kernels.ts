import { saturate, slotPoints, WEIGHT_STRONG_MIN } from '../../scoring/formula.ts'

/**
 * The inner loops of scoring, each over one window of 65,536 documents. To stay fast they are plain
 * functions over typed arrays: no closures, no iterators, no allocation, one array type per
 * parameter.
 *
 * `scores[id]` holds three counters of a document in one int32:
 *
 *     bits  0 .. 21  points, the sum over slots
 *     bits 22 .. 26  significant slots that the document has with a counted quality
 *     bits 27 .. 31  slots that make the document match
 *
 * 0 means not touched; a document is added to `touched` at its first slot. At most 31 words of a
 * query are scored (QUERY_WORDS_MAX of the contract), so no counter overflows into the next.
 */
export const HAS_SIGNIFICANT = 1 << 22
export const HAS_MATCH = 1 << 27

export function pointsOf(score: number): number {
  return score & 0x3fffff
}

export function significantOf(score: number): number {
  return (score >>> 22) & 31
}

export function matchesOf(score: number): number {
  return score >>> 27
}

/**
 * One list whose postings all have the same quality, with precomputed points by code.
 *
 * @param pointsByCode includes the flags; 0 if the word is in no searched field
 * @returns the new length of `touched`
 */
export function addTable(
  ids: Uint16Array,
  codes: Uint16Array | Uint32Array,
  from: number,
  to: number,
  pointsByCode: Int32Array,
  scores: Int32Array,
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
    scores[id] = (before + points) | 0
  }
  return count
}

/** One list of one quality, too short for a table. `factor` = slot weight * q * POINTS_PER_UNIT. */
export function addDirect(
  ids: Uint16Array,
  codes: Uint16Array | Uint32Array,
  from: number,
  to: number,
  saturated: Float32Array,
  factor: number,
  flags: number,
  scores: Int32Array,
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
    scores[id] = (before + ((factor * value + 0.5) | 0) + flags) | 0
  }
  return count
}

/**
 * One list whose forms differ in quality.
 *
 * @param factorByMask slot weight * best q of the mask * POINTS_PER_UNIT; 0 if no form of the mask
 * matches
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
  flagsByMask: Int32Array,
  scores: Int32Array,
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
    scores[id] = (before + ((factor * value + 0.5) | 0) + flagsByMask[mask]!) | 0
  }
  return count
}

/**
 * A list of one quality, of a slot with several alternatives: gathers evidence and the best
 * quality.
 */
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
    if (qualities[id] === 0) touched[count++] = id
    gatherOne(id, value, quality, evidenceSums, qualities)
  }
  return count
}

/** The same for only some postings of the list. */
export function gatherHits(
  hitIds: Uint16Array,
  codes: Uint16Array | Uint32Array,
  hits: Uint32Array,
  hitCount: number,
  evidence: Float32Array,
  quality: number,
  evidenceSums: Float64Array,
  qualities: Float64Array,
  touched: Uint16Array,
  touchedCount: number,
): number {
  if (quality === 0) return touchedCount
  let count = touchedCount
  for (let i = 0; i < hitCount; i++) {
    const value = evidence[codes[hits[i]!]!]!
    if (value === 0) continue
    const id = hitIds[i]!
    if (qualities[id] === 0) touched[count++] = id
    gatherOne(id, value, quality, evidenceSums, qualities)
  }
  return count
}

/**
 * The same for a list whose forms differ in quality.
 *
 * @param byMask best quality by form mask, 0 if no form of the mask matches
 * @param maskOffset index of the mask of posting 0
 */
export function gatherMasks(
  ids: Uint16Array,
  codes: Uint16Array | Uint32Array,
  masks: Uint8Array,
  maskOffset: number,
  from: number,
  to: number,
  evidence: Float32Array,
  byMask: Float64Array,
  evidenceSums: Float64Array,
  qualities: Float64Array,
  touched: Uint16Array,
  touchedCount: number,
): number {
  let count = touchedCount
  for (let i = from; i < to; i++) {
    const value = evidence[codes[i]!]!
    const quality = byMask[masks[maskOffset + i]!]!
    if (value === 0 || quality === 0) continue
    const id = ids[i]!
    if (qualities[id] === 0) touched[count++] = id
    gatherOne(id, value, quality, evidenceSums, qualities)
  }
  return count
}

/**
 * The same for masks of 32 forms.
 * @param byMask 256 entries for each byte of a mask, the lowest first
 */
export function gatherWideMasks(
  ids: Uint16Array,
  codes: Uint16Array | Uint32Array,
  masks: Uint32Array,
  maskOffset: number,
  from: number,
  to: number,
  evidence: Float32Array,
  byMask: Float64Array,
  evidenceSums: Float64Array,
  qualities: Float64Array,
  touched: Uint16Array,
  touchedCount: number,
): number {
  let count = touchedCount
  for (let i = from; i < to; i++) {
    const value = evidence[codes[i]!]!
    const mask = masks[maskOffset + i]!
    const low = Math.max(byMask[mask & 255]!, byMask[256 + ((mask >>> 8) & 255)]!)
    const high = Math.max(byMask[512 + ((mask >>> 16) & 255)]!, byMask[768 + (mask >>> 24)]!)
    const quality = Math.max(low, high)
    if (value === 0 || quality === 0) continue
    const id = ids[i]!
    if (qualities[id] === 0) touched[count++] = id
    gatherOne(id, value, quality, evidenceSums, qualities)
  }
  return count
}

/**
 * Adds one more alternative to the gathered evidence of a document. Alternatives may come in any
 * order: strong ones replace weak ones.
 */
export function gatherOne(
  id: number,
  evidence: number,
  quality: number,
  evidenceSums: Float64Array,
  qualities: Float64Array,
): void {
  const before = qualities[id]!
  const wasStrong = before >= WEIGHT_STRONG_MIN
  const isStrong = quality >= WEIGHT_STRONG_MIN
  if (wasStrong && !isStrong) return
  if (quality > before) qualities[id] = quality
  evidenceSums[id] = isStrong && !wasStrong ? evidence : evidenceSums[id]! + evidence
}

/**
 * Saturates the gathered evidence of a slot, adds it to the scores and clears the scratch arrays.
 */
export function addGathered(
  evidenceSums: Float64Array,
  qualities: Float64Array,
  slotTouched: Uint16Array,
  slotTouchedCount: number,
  weight: number,
  countedMin: number,
  flags: number,
  flagsUncounted: number,
  scores: Int32Array,
  touched: Uint16Array,
  touchedCount: number,
): number {
  let count = touchedCount
  for (let i = 0; i < slotTouchedCount; i++) {
    const id = slotTouched[i]!
    const quality = qualities[id]!
    const points = slotPoints(weight, quality, saturate(evidenceSums[id]!))
    const before = scores[id]!
    if (before === 0) touched[count++] = id
    scores[id] = (before + points + (quality >= countedMin ? flags : flagsUncounted)) | 0
    evidenceSums[id] = 0
    qualities[id] = 0
  }
  return count
}
