import { newBitset } from '../codec/bitset.ts'
import type { GrowableF64, GrowableU32 } from '../codec/growable.ts'
import { SectionReader } from '../codec/section-file.ts'
import { type Column, openColumn } from '../columns/column-reader.ts'
import type { DictionaryReader } from '../dictionary/shared-dictionary.ts'
import { findId } from '../postings/find-id.ts'
import {
  readFieldPositions,
  readPlaces,
  readPositions,
  skipPostings,
} from '../postings/positions.ts'
import type { Occurrence, PlaceFilter } from '../postings/positions.ts'
import {
  MASK_INDEX,
  POSITION_SKIP,
  POSITION_SKIP_BITS,
  SINGLE_FORM,
  WIDE_MASKS,
  WINDOW_BITS,
  WINDOW_SIZE,
} from '../postings/postings-format.ts'
import { type Schema, hasColumn, vectorShape } from '../schema/schema.ts'
import { openVectors, type VectorColumn } from '../vectors/vector-column.ts'
import { Beginnings } from './beginnings.ts'
import { openElements, type ElementSpace } from './element-space.ts'
import { openInsertions, type InsertionOrder } from './insertion-order.ts'
import type { SegmentProperties } from './segment-format.ts'
import { lengthSection, presenceSection, SEGMENT_MAGIC } from './segment-format.ts'

/**
 * With at least this many lists, and a list for at least one group in this many, a table replaces
 * the binary search for the list of a group. (Small segments of a large index have no table: it
 * would cover all groups, and every batch of a bulk load would rebuild it.)
 */
const TABLE_LISTS_MIN = 4096
const TABLE_GROUPS_PER_LIST_MAX = 8

/** Postings `from .. to - 1`; the docOrd of one is `base + ids[posting]`. */
export interface PostingSlice {
  readonly base: number
  readonly from: number
  readonly to: number
}

/**
 * One immutable segment. The inner loops of the searcher read the arrays directly.
 *
 * Thread safety: any number of readers, each with a separate object over the same bytes.
 */
export class SegmentReader {
  readonly buffer: SharedArrayBuffer
  readonly docCount: number
  readonly windowCount: number
  /** Ascending: docOrds follow the order in which documents were written. */
  readonly docKeys: Float64Array
  readonly insertions: InsertionOrder
  readonly textFields: readonly number[]
  readonly groups: Uint32Array
  readonly listPosting: Uint32Array
  readonly listChunk: Uint32Array
  readonly listMasks: Uint32Array
  readonly chunkWindow: Uint16Array
  readonly chunkEnd: Uint32Array
  readonly ids: Uint16Array
  readonly codes: Uint16Array | Uint32Array
  readonly masks8: Uint8Array
  readonly masks32: Uint32Array
  /** Impact tuples, `textFields.length` bytes each. */
  readonly impacts: Uint8Array
  readonly #positionSkips: Uint32Array
  readonly #positions: Uint8Array
  readonly #sections: SectionReader
  readonly #columns = new Map<number, Column | undefined>()
  readonly #vectors = new Map<number, VectorColumn | undefined>()
  readonly #elements = new Map<number, ElementSpace | undefined>()
  readonly #hasTable: boolean
  #table: Int32Array | undefined
  #beginnings: Beginnings | undefined

  /** @throws CorruptDataError if the bytes are not a segment */
  constructor(buffer: SharedArrayBuffer) {
    const sections = new SectionReader(buffer, SEGMENT_MAGIC)
    const properties = sections.properties as SegmentProperties
    this.buffer = buffer
    this.#sections = sections
    this.docCount = properties.docCount
    this.windowCount = Math.ceil(properties.docCount / WINDOW_SIZE)
    this.textFields = properties.textFields
    this.docKeys = sections.f64('docKeys')
    this.insertions = openInsertions(sections, this.docKeys)
    this.groups = sections.u32('groups')
    const listCount = this.groups.length
    this.#hasTable =
      listCount >= TABLE_LISTS_MIN && this.groups.at(-1)! < listCount * TABLE_GROUPS_PER_LIST_MAX
    this.listPosting = sections.u32('listPosting')
    this.listChunk = sections.u32('listChunk')
    this.listMasks = sections.u32('listMasks')
    this.chunkWindow = sections.u16('chunkWindow')
    this.chunkEnd = sections.u32('chunkEnd')
    this.ids = sections.u16('ids')
    this.codes = sections.has('codes16') ? sections.u16('codes16') : sections.u32('codes32')
    this.masks8 = sections.u8('masks8')
    this.masks32 = sections.u32('masks32')
    this.impacts = sections.u8('impacts')
    this.#positionSkips = sections.u32('positionSkips')
    this.#positions = sections.u8('positions')
  }

  get bytes(): number {
    return this.buffer.byteLength
  }

  /** Documents by prefix, in a merged segment; a segment of one batch has none. */
  get beginnings(): Beginnings {
    return (this.#beginnings ??= new Beginnings(this.#sections, this.docCount))
  }

  get impactCount(): number {
    return this.textFields.length === 0 ? 0 : this.impacts.length / this.textFields.length
  }

  /** @returns the posting list of a group; -1 if no document of the segment has it */
  listOf(group: number): number {
    if (this.#hasTable) {
      this.#table ??= this.#makeTable()
      return group < this.#table.length ? this.#table[group]! : -1
    }
    let low = 0
    let high = this.groups.length - 1
    while (low <= high) {
      const middle = (low + high) >>> 1
      const other = this.groups[middle]!
      if (other === group) return middle
      if (other < group) low = middle + 1
      else high = middle - 1
    }
    return -1
  }

  #makeTable(): Int32Array {
    const { groups } = this
    const table = new Int32Array(groups.at(-1)! + 1).fill(-1)
    for (let list = 0; list < groups.length; list++) table[groups[list]!] = list
    return table
  }

  /** First posting of a chunk. */
  chunkStart(chunk: number): number {
    return chunk === 0 ? 0 : this.chunkEnd[chunk - 1]!
  }

  /** The forms of the list's group in the document of a posting, one bit each. */
  formMask(list: number, posting: number): number {
    const masks = this.listMasks[list]!
    if (masks >= SINGLE_FORM) return 1 << (masks & 31)
    const index = (masks & MASK_INDEX) + posting - this.listPosting[list]!
    return (masks & WIDE_MASKS) !== 0 ? this.masks32[index]! : this.masks8[index]!
  }

  /** @returns the posting of a document in a list; -1 if it is not in the list */
  postingOf(list: number, docOrd: number): number {
    const window = docOrd >>> WINDOW_BITS
    const low16 = docOrd & (WINDOW_SIZE - 1)
    const lastChunk = this.listChunk[list + 1]!
    for (let chunk = this.listChunk[list]!; chunk < lastChunk; chunk++) {
      if (this.chunkWindow[chunk] !== window) continue
      return findId(this.ids, this.chunkStart(chunk), this.chunkEnd[chunk]!, low16)
    }
    return -1
  }

  /** Positions of a posting's word in its document. */
  occurrencesOf(posting: number): Occurrence[] {
    const at = this.#positionsAt(posting)
    const tuple = this.codes[posting]! * this.textFields.length
    return readPositions(this.#positions, at, this.impacts, tuple)
  }

  /** Like `occurrencesOf`, for inner loops: see `readPlaces`. */
  placesOf(list: number, posting: number, filter: PlaceFilter, places: GrowableF64): number {
    const at = this.#positionsAt(posting)
    const tuple = this.codes[posting]! * this.textFields.length
    const formMask = this.formMask(list, posting)
    return readPlaces(this.#positions, at, this.impacts, tuple, formMask, filter, places)
  }

  /** Positions of a posting's word in one of its text fields: see `readFieldPositions`. */
  positionsIn(field: number, posting: number, positions: GrowableU32): void {
    const at = this.#positionsAt(posting)
    const tuple = this.codes[posting]! * this.textFields.length
    readFieldPositions(this.#positions, at, this.impacts, tuple, field, positions)
  }

  /** Start of the positions of a posting. */
  #positionsAt(posting: number): number {
    const bytes = this.#positions
    const at = this.#positionSkips[posting >>> POSITION_SKIP_BITS]!
    return skipPostings(bytes, at, posting & (POSITION_SKIP - 1))
  }

  /** Bytes of the positions of all postings; merges copy them. */
  get positionBytes(): Uint8Array {
    return this.#positions
  }

  /** @returns docOrd of a docKey; -1 if it is not in the segment */
  docOrdOf(docKey: number): number {
    let low = 0
    let high = this.docCount - 1
    while (low <= high) {
      const middle = (low + high) >>> 1
      const key = this.docKeys[middle]!
      if (key === docKey) return middle
      if (key < docKey) low = middle + 1
      else high = middle - 1
    }
    return -1
  }

  /** The column of a field; `undefined` if no document of the segment can have a value. */
  column(
    schema: Schema,
    field: number,
    dictionary: DictionaryReader | undefined,
  ): Column | undefined {
    const description = schema.fields[field]!
    if (!hasColumn(description)) return undefined
    if (!this.#columns.has(field)) {
      this.#columns.set(
        field,
        openColumn(this.#sections, description, field, dictionary, this.docCount),
      )
    }
    const column = this.#columns.get(field)
    if (column !== undefined && dictionary !== undefined) column.dictionary = dictionary
    return column
  }

  /** The vectors of a field or space; `undefined` if no document of the segment has one. */
  vectors(schema: Schema, field: number): VectorColumn | undefined {
    const vector = vectorShape(schema, field)
    if (vector === undefined) return undefined
    if (!this.#vectors.has(field)) {
      this.#vectors.set(field, openVectors(this.#sections, field, vector, this.docCount))
    }
    return this.#vectors.get(field)
  }

  /** The elements of an `object[]` field; `undefined` if no document of the segment has one. */
  elements(objects: number): ElementSpace | undefined {
    if (!this.#elements.has(objects)) {
      this.#elements.set(objects, openElements(this.#sections, objects))
    }
    return this.#elements.get(objects)
  }

  /** Field lengths in tokens by docOrd; `undefined` for a field that was added later. */
  lengths(field: number): Uint8Array | Uint16Array | Uint32Array | undefined {
    const name = lengthSection(field)
    if (!this.#sections.has(name)) return undefined
    const bytes = this.#sections.u8(name)
    if (bytes.length === this.docCount) return bytes
    return bytes.length === this.docCount * 2 ? this.#sections.u16(name) : this.#sections.u32(name)
  }

  /** Documents with a value in a searchable field that has no column. */
  presence(field: number): Uint32Array {
    const name = presenceSection(field)
    return this.#sections.has(name) ? this.#sections.u32(name) : newBitset(this.docCount)
  }

  /** Visits the postings of a list in order. Not for inner loops: one call per posting. */
  forEachPosting(list: number, visit: (docOrd: number, posting: number) => void): void {
    this.somePosting(list, (docOrd, posting) => {
      visit(docOrd, posting)
      return false
    })
  }

  /** The postings of a list in order, up to `sizeMax` at a time. */
  *postingSlices(list: number, sizeMax: number): Generator<PostingSlice, void> {
    const lastChunk = this.listChunk[list + 1]!
    for (let chunk = this.listChunk[list]!; chunk < lastChunk; chunk++) {
      const base = this.chunkWindow[chunk]! << WINDOW_BITS
      const end = this.chunkEnd[chunk]!
      for (let from = this.chunkStart(chunk); from < end; from += sizeMax) {
        yield { base, from, to: Math.min(end, from + sizeMax) }
      }
    }
  }

  /** Like `forEachPosting`, until a visit returns true. @returns whether one did */
  somePosting(list: number, visit: (docOrd: number, posting: number) => boolean): boolean {
    const lastChunk = this.listChunk[list + 1]!
    for (let chunk = this.listChunk[list]!; chunk < lastChunk; chunk++) {
      const base = this.chunkWindow[chunk]! << WINDOW_BITS
      const end = this.chunkEnd[chunk]!
      for (let posting = this.chunkStart(chunk); posting < end; posting++) {
        if (visit(base + this.ids[posting]!, posting)) return true
      }
    }
    return false
  }
}
