import { GrowableU16, GrowableU32, GrowableU8 } from '../codec/growable.ts'
import type { SectionWriter } from '../codec/section-file.ts'
import { skipPositions } from './positions.ts'
import {
  POSITION_SKIP,
  SINGLE_FORM,
  WIDE_MASKS,
  WINDOW_BITS,
  WINDOW_SIZE,
  type PostingArrays,
} from './postings-format.ts'

/** The posting lists of a segment as a source of a merge. */
export interface SegmentPostings {
  readonly ids: Uint16Array
  readonly codes: Uint16Array | Uint32Array
  readonly chunkWindow: Uint16Array
  readonly chunkEnd: Uint32Array
  readonly listMasks: Uint32Array
  readonly positionBytes: Uint8Array
  chunkStart(chunk: number): number
  /** The forms of the list's group in the document of a posting, one bit each. */
  formMask(list: number, posting: number): number
}

/**
 * Writes the posting lists of a segment: groups in ascending order of their numbers, and within a
 * group ascending docOrds. See `postings-format.ts` for the bytes.
 */
export class PostingsWriter {
  readonly #groups = new GrowableU32()
  readonly #listPosting = new GrowableU32()
  readonly #listChunk = new GrowableU32()
  readonly #listMasks = new GrowableU32()
  readonly #chunkWindow = new GrowableU16()
  readonly #chunkEnd = new GrowableU32()
  readonly #ids: GrowableU16
  readonly #codes: GrowableU32
  readonly #masks8 = new GrowableU8()
  readonly #masks32 = new GrowableU32(16)
  readonly #skips = new GrowableU32()
  readonly #positions: GrowableU8
  /** Form masks of the current list, and their union. */
  readonly #listOfMasks = new GrowableU32()
  #union = 0
  #window = -1
  #codeMax = 0

  /** The arguments are estimates that avoid growing. */
  constructor(postingsExpected = 1024, positionBytesExpected = postingsExpected * 2) {
    this.#ids = new GrowableU16(postingsExpected)
    this.#codes = new GrowableU32(postingsExpected)
    this.#positions = new GrowableU8(positionBytesExpected)
  }

  /** Starts another segment and reuses the memory. */
  reset(): void {
    this.#groups.length = 0
    this.#listPosting.length = 0
    this.#listChunk.length = 0
    this.#listMasks.length = 0
    this.#chunkWindow.length = 0
    this.#chunkEnd.length = 0
    this.#ids.length = 0
    this.#codes.length = 0
    this.#masks8.length = 0
    this.#masks32.length = 0
    this.#skips.length = 0
    this.#positions.length = 0
    this.#window = -1
    this.#codeMax = 0
  }

  beginList(group: number): void {
    this.#groups.push(group)
    this.#listPosting.push(this.#ids.length)
    this.#listChunk.push(this.#chunkWindow.length)
    this.#listOfMasks.length = 0
    this.#union = 0
    this.#window = -1
  }

  /**
   * @param formMask bit n: the document has form number n of the group; never 0
   * @returns where the caller must immediately append the positions of this posting
   */
  addPosting(docOrd: number, code: number, formMask: number): GrowableU8 {
    const window = docOrd >>> WINDOW_BITS
    if (window !== this.#window) {
      if (this.#window >= 0) this.#chunkEnd.push(this.#ids.length)
      this.#chunkWindow.push(window)
      this.#window = window
    }
    if (this.#ids.length % POSITION_SKIP === 0) this.#skips.push(this.#positions.length)
    this.#ids.push(docOrd & ((1 << WINDOW_BITS) - 1))
    this.#codes.push(code)
    if (code > this.#codeMax) this.#codeMax = code
    this.#listOfMasks.push(formMask)
    this.#union |= formMask
    return this.#positions
  }

  /**
   * `addPosting` for all postings of a chunk of another segment; copies their positions as one
   * block. Merges spend most of their time here.
   *
   * @param reader of a segment without deleted documents
   * @param shift new docOrd - old docOrd
   * @param codeMap old code to new code
   * @param at where the positions of the chunk start
   * @returns where they end
   */
  addChunk(
    reader: SegmentPostings,
    list: number,
    chunk: number,
    shift: number,
    codeMap: Uint32Array,
    at: number,
  ): number {
    const { ids, codes, positionBytes } = reader
    const from = reader.chunkStart(chunk)
    const to = reader.chunkEnd[chunk]!
    const base = (reader.chunkWindow[chunk]! << WINDOW_BITS) + shift
    this.#ids.reserve(to - from)
    this.#codes.reserve(to - from)
    this.#listOfMasks.reserve(to - from)
    const newIds = this.#ids.data
    const newCodes = this.#codes.data
    const masks = this.#listOfMasks.data
    let mask = reader.formMask(list, from)
    const isSingle = reader.listMasks[list]! >= SINGLE_FORM
    let length = this.#ids.length
    let listed = this.#listOfMasks.length
    let end = at
    for (let posting = from; posting < to; posting++) {
      const docOrd = base + ids[posting]!
      if (docOrd >>> WINDOW_BITS !== this.#window) {
        if (this.#window >= 0) this.#chunkEnd.push(length)
        this.#window = docOrd >>> WINDOW_BITS
        this.#chunkWindow.push(this.#window)
      }
      if (length % POSITION_SKIP === 0) this.#skips.push(this.#positions.length + end - at)
      const code = codeMap[codes[posting]!]!
      if (code > this.#codeMax) this.#codeMax = code
      if (!isSingle) mask = reader.formMask(list, posting)
      this.#union |= mask
      newIds[length] = docOrd & (WINDOW_SIZE - 1)
      newCodes[length++] = code
      masks[listed++] = mask
      end = skipPositions(positionBytes, end)
    }
    this.#ids.length = length
    this.#codes.length = length
    this.#listOfMasks.length = listed
    this.#positions.append(positionBytes, at, end)
    return end
  }

  endList(): void {
    this.#chunkEnd.push(this.#ids.length)
    const { data, length } = this.#listOfMasks
    const union = this.#union
    // No mask is 0, so if their union has one bit, each mask is that bit.
    if ((union & (union - 1)) === 0) {
      this.#listMasks.push((SINGLE_FORM | (31 - Math.clz32(union))) >>> 0)
    } else if (union >>> 0 < 256) {
      this.#listMasks.push(this.#masks8.length)
      this.#masks8.reserve(length)
      for (let i = 0; i < length; i++) this.#masks8.data[this.#masks8.length++] = data[i]!
    } else {
      this.#listMasks.push((WIDE_MASKS | this.#masks32.length) >>> 0)
      this.#masks32.reserve(length)
      for (let i = 0; i < length; i++) this.#masks32.data[this.#masks32.length++] = data[i]!
    }
  }

  /** @returns the arrays that were added, from which other sections are built */
  finish(sections: SectionWriter): PostingArrays {
    this.#listPosting.push(this.#ids.length)
    this.#listChunk.push(this.#chunkWindow.length)
    const lists = {
      groups: used(this.#groups),
      listPosting: used(this.#listPosting),
      listChunk: used(this.#listChunk),
      listMasks: used(this.#listMasks),
      chunkWindow: this.#chunkWindow.data.subarray(0, this.#chunkWindow.length),
      chunkEnd: used(this.#chunkEnd),
      ids: this.#ids.data.subarray(0, this.#ids.length),
      masks8: this.#masks8.data.subarray(0, this.#masks8.length),
      masks32: used(this.#masks32),
    }
    const { masks8, masks32, ...others } = lists
    for (const [name, data] of Object.entries(others)) sections.add(name, data)
    const codes = used(this.#codes)
    if (this.#codeMax < 65_536) sections.add('codes16', new Uint16Array(codes))
    else sections.add('codes32', codes)
    sections.add('masks8', masks8)
    sections.add('masks32', masks32)
    sections.add('positionSkips', used(this.#skips))
    sections.add('positions', this.#positions.data.subarray(0, this.#positions.length))
    return lists
  }
}

function used(array: GrowableU32): Uint32Array {
  return array.data.subarray(0, array.length)
}
