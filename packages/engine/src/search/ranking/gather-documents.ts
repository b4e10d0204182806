import { hasBit } from '../../codec/bitset.ts'
import { WINDOW_BITS, WINDOW_SIZE } from '../../postings/postings-format.ts'
import { SHORT_PREFIX_EVIDENCE } from '../../scoring/formula.ts'
import type { PhraseDocuments } from '../words/resolved-slot.ts'
import type { WindowScratch } from './window-scratch.ts'
import { gatherOne } from './score-kernels.ts'

/**
 * Gathers the documents of a window with a phrase.
 *
 * @param among only those in this set; undefined: all
 */
export function gatherPhrase(
  phrase: { readonly documents: PhraseDocuments; next: number },
  window: number,
  { evidenceSums, qualities, slotTouched }: WindowScratch,
  touchedCount: number,
  among?: Uint32Array,
): number {
  const { docOrds, evidence, quality } = phrase.documents
  let count = touchedCount
  for (; phrase.next < docOrds.length; phrase.next++) {
    const docOrd = docOrds[phrase.next]!
    const itsWindow = docOrd >>> WINDOW_BITS
    if (itsWindow > window) break
    if (itsWindow < window) continue
    const id = docOrd & (WINDOW_SIZE - 1)
    if (among !== undefined && !hasBit(among, id)) continue
    if (qualities[id] === 0) slotTouched[count++] = id
    gatherOne(id, evidence[phrase.next]!, quality, evidenceSums, qualities)
  }
  return count
}

/** Gathers the touched documents of a window that a short prefix matches. */
export function gatherBitsAmong(
  bits: Uint32Array,
  window: number,
  quality: number,
  { evidenceSums, qualities, slotTouched, touched }: WindowScratch,
  count: number,
  touchedCount: number,
): number {
  let gathered = count
  const base = window << WINDOW_BITS
  for (let i = 0; i < touchedCount; i++) {
    const id = touched[i]!
    if (!hasBit(bits, base + id)) continue
    if (qualities[id] === 0) slotTouched[gathered++] = id
    gatherOne(id, SHORT_PREFIX_EVIDENCE, quality, evidenceSums, qualities)
  }
  return gathered
}

/** Gathers the documents of a window that a short prefix matches. */
export function gatherBits(
  bits: Uint32Array,
  window: number,
  quality: number,
  { evidenceSums, qualities, slotTouched }: WindowScratch,
  touchedCount: number,
): number {
  let count = touchedCount
  const firstWord = (window << WINDOW_BITS) >>> 5
  const lastWord = Math.min(bits.length, firstWord + (WINDOW_SIZE >>> 5))
  for (let word = firstWord; word < lastWord; word++) {
    for (let rest = bits[word]!; rest !== 0; rest &= rest - 1) {
      const id = ((word - firstWord) << 5) + 31 - Math.clz32(rest & -rest)
      if (qualities[id] === 0) slotTouched[count++] = id
      gatherOne(id, SHORT_PREFIX_EVIDENCE, quality, evidenceSums, qualities)
    }
  }
  return count
}
