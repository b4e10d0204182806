/**
 * Posting lists of a segment, one per stem group, in shared memory:
 *
 *     groups:        u32[list]      group numbers, ascending
 *     listPosting:   u32[list + 1]  first posting of the list
 *     listChunk:     u32[list + 1]  first chunk of the list
 *     listMasks:     u32[list]      where the form masks are: SINGLE_FORM | form number (all postings have just
 *                                   that form), or an index into masks8, or WIDE_MASKS | index into masks32
 *     chunkWindow:   u16[chunk]     a chunk holds the postings of one window of 65,536 documents
 *     chunkEnd:      u32[chunk]     posting behind its last; it starts where the chunk before ended
 *     ids:           u16[posting]   docOrd within the window, ascending
 *     codes16|32:    u16|u32[posting] number of the impact tuple (`impacts`, see ImpactTable)
 *     masks8|32:     forms of the group that the document holds, in any field, a bit each
 *     positionSkips: u32[posting / 32] where the positions of every 32nd posting start
 *     positions:     u8[]           per posting its occurrences, by field and position: a byte each if the
 *                                   flags are usual and the delta is small, see positions.ts
 *         delta counts from the occurrence before in the same field, or from 0. newField: it is in the next field
 *         that the impact tuple of the posting names; the first occurrence is always in a new one.
 *         The form is given when the document holds several forms of the group. endsValue: no token of the
 *         same value (of the same array element) stands behind it.
 *
 * Thread safety: written once by one thread, then immutable.
 */
export const WINDOW_BITS = 16
export const WINDOW_SIZE = 1 << WINDOW_BITS
/** The start of the positions is stored for every so many postings. */
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
