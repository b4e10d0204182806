import { hasBit } from '../../codec/bitset.ts'
import { WINDOW_BITS, WINDOW_SIZE } from '../../postings/postings-format.ts'
import type { FewPostings } from '../match/few-postings.ts'
import { scratch } from '../match/window-scratch.ts'
import type { PhraseDocuments } from '../words/resolved-slot.ts'
import { gatherOne } from './score-kernels.ts'

/**
 * Gathers those copied postings of a window whose documents are wanted.
 *
 * @param evidence by impact code
 * @param wanted one bit per document
 * @returns the new number of gathered documents
 */
export function gatherFew(
  few: FewPostings | undefined,
  window: number,
  evidence: Float32Array,
  wanted: Uint32Array,
  gathered: number,
): number {
  if (few === undefined) return gathered
  const { evidenceSums, qualities, slotTouched } = scratch
  let count = gathered
  const to = few.ends[window]!
  for (let i = window === 0 ? 0 : few.ends[window - 1]!; i < to; i++) {
    const id = few.ids[i]!
    if (((wanted[id >>> 5]! >>> (id & 31)) & 1) === 0) continue
    const value = evidence[few.codes[i]!]!
    if (value === 0) continue
    if (qualities[id] === 0) slotTouched[count++] = id
    gatherOne(id, value, few.qualityOf[few.qualities[i]!]!, evidenceSums, qualities)
  }
  return count
}

/** The documents of a phrase, with the place where the last window ended. */
export interface PhraseCursor {
  readonly documents: PhraseDocuments
  next: number
}

/** The same for a phrase. */
export function gatherPhrase(phrase: PhraseCursor, window: number, gathered: number): number {
  const { evidenceSums, qualities, slotTouched, seen } = scratch
  const { docOrds, evidence, quality } = phrase.documents
  const base = window << WINDOW_BITS
  let next = phrase.next
  // A strategy with several parts goes over the windows again.
  if (next > 0 && docOrds[next - 1]! >= base) next = 0
  let count = gathered
  for (; next < docOrds.length; next++) {
    const docOrd = docOrds[next]!
    if (docOrd < base) continue
    if (docOrd - base >= WINDOW_SIZE) break
    const id = docOrd - base
    if (!hasBit(seen, id)) continue
    if (qualities[id] === 0) slotTouched[count++] = id
    gatherOne(id, evidence[next]!, quality, evidenceSums, qualities)
  }
  phrase.next = next
  return count
}

/**
 * The same for the documents in a bitset of the segment, all with the same evidence.
 * @param wantedCount number of documents of the scratch memory
 */
export function gatherBits(
  bits: Uint32Array,
  window: number,
  evidence: number,
  quality: number,
  wantedCount: number,
  gathered: number,
): number {
  const { evidenceSums, qualities, slotTouched, touched } = scratch
  const base = window << WINDOW_BITS
  let count = gathered
  for (let i = 0; i < wantedCount; i++) {
    const id = touched[i]!
    if (!hasBit(bits, base + id)) continue
    if (qualities[id] === 0) slotTouched[count++] = id
    gatherOne(id, evidence, quality, evidenceSums, qualities)
  }
  return count
}
