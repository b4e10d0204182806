/**
 * Posting lists of a segment, one per stem group, in shared memory:
 *
 *     groups:        u32[list]      group numbers, ascending
 *     listPosting:   u32[list + 1]  first posting of the list
 *     listChunk:     u32[list + 1]  first chunk of the list
 *     listMasks:     u32[list]      where the form masks are: SINGLE_FORM | form number (all postings have just
 *                                   that form), or an index into masks8, or WIDE_MASKS | index into masks32
 *     chunkWindow:   u16[chunk]     a chunk holds the postings of one window of 65,536 documents
 *     chunkEnd:      u32[chunk]     end of its postings; they start at the end of the previous chunk
 *     ids:           u16[posting]   docOrd within the window, ascending
 *     codes16|32:    u16|u32[posting] number of the impact tuple (`impacts`, see ImpactTable)
 *     masks8|32:     forms of the group in the document, in any field, one bit each
 *     positionSkips: u32[posting / 32] where the positions of every 32nd posting start
 *     positions:     u8[]           per posting its occurrences, by field and position: a byte each if the
 *                                   flags are usual and the delta is small, see positions.ts
 *         delta counts from the previous occurrence in the same field, or from 0. newField: it is in the next
 *         field of the posting's impact tuple; the first occurrence always starts a new field.
 *         The form is given if the document has several forms of the group. endsValue: it is the last token
 *         of its value (of its array element).
 *
 * Thread safety: written once by one thread, then immutable.
 */
export const WINDOW_BITS = 16
export const WINDOW_SIZE = 1 << WINDOW_BITS
/** Skip interval: the start of the positions is stored for every 2^5 postings. */
export const POSITION_SKIP_BITS = 5
export const POSITION_SKIP = 1 << POSITION_SKIP_BITS
export const SINGLE_FORM = 0x80000000
export const WIDE_MASKS = 0x40000000
export const MASK_INDEX = 0x3fffffff

/** The lists of a segment as arrays, without positions and impacts. */
export interface PostingArrays {
  readonly groups: Uint32Array
  readonly listPosting: Uint32Array
  readonly listChunk: Uint32Array
  readonly listMasks: Uint32Array
  readonly chunkWindow: Uint16Array
  readonly chunkEnd: Uint32Array
  readonly ids: Uint16Array
  readonly masks8: Uint8Array
  readonly masks32: Uint32Array
}
