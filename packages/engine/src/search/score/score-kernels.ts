import { pointsOfFactor, WEIGHT_STRONG_MIN } from '../../scoring/formula.ts'

/**
 * The inner loops of scoring, each over the postings of one list whose documents are wanted. To
 * stay fast they are plain functions over typed arrays: no closures, no iterators, no allocation,
 * one array type per parameter. `scores` holds sums (word-model.ts); `saturated` and `evidence` are
 * 0 where the word is in no searched field.
 */

/** Adds the points of a list whose postings all have the same quality. */
export function addHits(
  hitIds: Uint16Array,
  codes: Uint16Array | Uint32Array,
  hits: Uint32Array,
  hitCount: number,
  saturated: Float32Array,
  factor: number,
  flag: number,
  scores: Int32Array,
): void {
  for (let i = 0; i < hitCount; i++) {
    const value = saturated[codes[hits[i]!]!]!
    if (value === 0) continue
    const id = hitIds[i]!
    scores[id] = (scores[id]! + pointsOfFactor(factor, value) + flag) | 0
  }
}

/**
 * The same for a list whose forms differ in quality.
 *
 * @param maskOffset index of the mask of posting 0
 * @param factorByMask 0 if no form of the mask matches
 */
export function addMaskedHits(
  hitIds: Uint16Array,
  codes: Uint16Array | Uint32Array,
  masks: Uint8Array,
  maskOffset: number,
  hits: Uint32Array,
  hitCount: number,
  saturated: Float32Array,
  factorByMask: Float64Array,
  flagByMask: Int32Array,
  scores: Int32Array,
): void {
  for (let i = 0; i < hitCount; i++) {
    const posting = hits[i]!
    const mask = masks[maskOffset + posting]!
    const factor = factorByMask[mask]!
    const value = saturated[codes[posting]!]!
    if (factor === 0 || value === 0) continue
    const id = hitIds[i]!
    scores[id] = (scores[id]! + pointsOfFactor(factor, value) + flagByMask[mask]!) | 0
  }
}

/**
 * Gathers a list of one quality, of a slot with several alternatives: evidence and best quality by
 * document.
 *
 * @returns the new length of `touched`, the documents with evidence
 */
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
