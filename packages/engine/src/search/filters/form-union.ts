import { MASK_INDEX, SINGLE_FORM, WIDE_MASKS, WINDOW_BITS } from '../../postings/postings-format.ts'
import type { EvidenceTable, IndexView, SegmentView } from '../view/index-view.ts'
import type { SearchRun } from '../view/search-run.ts'

/** Approximate number of postings read between two deadline checks. */
const POSTINGS_PER_CHECK = 65_536
/** Minimum number of postings for which checking whether all forms of a list match pays off. */
const LONG_LIST = 256

/** Bit masks of these forms by stem group. Skips strings that are only stems. */
export function formMasks({ terms }: IndexView, forms: Iterable<number>): Map<number, number> {
  const masks = new Map<number, number>()
  // In numeric order, which is about the order of their lists: reading those in sequence takes half
  // the time.
  for (const form of Uint32Array.from(forms).sort()) {
    const group = terms.groupOf(form)
    if (group >= 0) masks.set(group, (masks.get(group) ?? 0) | (1 << terms.numberOf(form)))
  }
  return masks
}

/** Documents of a segment with one of these forms and its stem group in a searched field. */
export function documentsWithForms(
  { view: { terms }, checkDeadline }: Pick<SearchRun, 'view' | 'checkDeadline'>,
  segment: SegmentView,
  masksByGroup: ReadonlyMap<number, number>,
  { evidence, isAllSearched }: EvidenceTable,
): Uint32Array {
  const { reader } = segment
  const bits = segment.emptyBits()
  let postings = 0
  for (const [group, formMask] of masksByGroup) {
    const list = reader.listOf(group)
    if (list < 0) continue
    const masks = reader.listMasks[list]!
    const isOneForm = masks >= SINGLE_FORM
    if (isOneForm && ((1 << (masks & 31)) & formMask) === 0) continue
    const first = reader.listPosting[list]!
    const length = reader.listPosting[list + 1]! - first
    // "green", "greens", "greener" all contain "ree", so the masks need not be checked.
    const isWhole =
      isOneForm || (length >= LONG_LIST && holdsAll(formMask, terms.formsOf(group), terms))
    postings += length
    if (postings >= POSTINGS_PER_CHECK) {
      checkDeadline()
      postings = 0
    }
    const firstChunk = reader.listChunk[list]!
    // Most words have few documents, so most lists take this shortcut.
    if (isWhole && isAllSearched && reader.listChunk[list + 1] === firstChunk + 1) {
      const base = reader.chunkWindow[firstChunk]! << WINDOW_BITS
      addAll(reader.ids, first, first + length, base, bits)
      continue
    }
    const listMasks = (masks & WIDE_MASKS) !== 0 ? reader.masks32 : reader.masks8
    const maskOffset = (masks & MASK_INDEX) - first
    const { ids, codes } = reader
    for (let chunk = firstChunk; chunk < reader.listChunk[list + 1]!; chunk++) {
      const base = reader.chunkWindow[chunk]! << WINDOW_BITS
      const from = reader.chunkStart(chunk)
      const to = reader.chunkEnd[chunk]!
      if (isWhole && isAllSearched) addAll(ids, from, to, base, bits)
      else if (isWhole) addSearched(ids, codes, from, to, evidence, base, bits)
      else addForms(ids, codes, from, to, evidence, base, bits, listMasks, maskOffset, formMask)
    }
  }
  return bits
}

/** Whether these forms are all in the mask. */
function holdsAll(formMask: number, forms: readonly number[], terms: IndexView['terms']): boolean {
  return forms.every((form) => (formMask & (1 << terms.numberOf(form))) !== 0)
}

// Inner loops: plain functions over typed arrays, called once per chunk.

function addAll(ids: Uint16Array, from: number, to: number, base: number, bits: Uint32Array): void {
  for (let i = from; i < to; i++) {
    const docOrd = base + ids[i]!
    bits[docOrd >>> 5]! |= 1 << (docOrd & 31)
  }
}

/** Sets the bits of the postings in a searched field. */
function addSearched(
  ids: Uint16Array,
  codes: Uint16Array | Uint32Array,
  from: number,
  to: number,
  evidence: Float32Array,
  base: number,
  bits: Uint32Array,
): void {
  for (let i = from; i < to; i++) {
    if (evidence[codes[i]!] === 0) continue
    const docOrd = base + ids[i]!
    bits[docOrd >>> 5]! |= 1 << (docOrd & 31)
  }
}

/** The same for postings with a form of the mask. */
function addForms(
  ids: Uint16Array,
  codes: Uint16Array | Uint32Array,
  from: number,
  to: number,
  evidence: Float32Array,
  base: number,
  bits: Uint32Array,
  masks: Uint8Array | Uint32Array,
  maskOffset: number,
  formMask: number,
): void {
  for (let i = from; i < to; i++) {
    if ((masks[maskOffset + i]! & formMask) === 0 || evidence[codes[i]!] === 0) continue
    const docOrd = base + ids[i]!
    bits[docOrd >>> 5]! |= 1 << (docOrd & 31)
  }
}
