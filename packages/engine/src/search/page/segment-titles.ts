import { GrowableF64, GrowableU32 } from '../../codec/growable.ts'
import { PLACES_PER_FIELD, type PlaceFilter } from '../../postings/positions.ts'
import type { SegmentReader } from '../../segment/segment-reader.ts'
import type { IndexView, SegmentView } from '../view/index-view.ts'
import type { OpenedList } from '../view/list-bits.ts'
import type { ResolvedSlot } from '../words/resolved-slot.ts'

/** Positions of two words, within one call. */
const positions = new GrowableU32(64)
const others = new GrowableU32(64)
const places = new GrowableF64(64)

/** The titles of one segment, with the positions of words. */
export class SegmentTitles {
  readonly #segment: SegmentView
  readonly #reader: SegmentReader
  /** Index of the title among the text fields; -1: the segment has no titles. */
  readonly field: number
  readonly #words = new Map<ResolvedSlot, TitleWord>()

  constructor(segment: SegmentView, titleField: number) {
    const { reader } = segment
    this.#segment = segment
    this.#reader = reader
    this.field = reader.textFields.indexOf(titleField)
  }

  /** A query term in these titles. */
  wordOf(slot: ResolvedSlot): TitleWord {
    let word = this.#words.get(slot)
    if (word === undefined) {
      const lists = slot.bonusGroups
        .map((group) => this.#reader.listOf(group))
        .filter((list) => list >= 0)
        .map((list) => this.#segment.listBits.opened(list))
      word = new TitleWord(this.#reader, this.field, lists)
      this.#words.set(slot, word)
    }
    return word
  }

  /** The first position of a stem group; -1 if it is not in the title. */
  firstPlaceOf(group: number, docOrd: number): number {
    const list = this.#reader.listOf(group)
    if (list < 0 || this.field < 0) return -1
    const posting = this.#segment.listBits.opened(list).postingOf(docOrd)
    if (posting < 0 || !standsIn(this.#reader, this.field, posting)) return -1
    this.#reader.positionsIn(this.field, posting, positions)
    return positions.data[0]!
  }

  /**
   * A form of a stem group in these titles; undefined: no document of the segment has it.
   * @param number of the form in its group
   */
  formOf(group: number, number: number): TitleForm | undefined {
    const list = this.#reader.listOf(group)
    if (list < 0 || this.field < 0) return undefined
    // Looked up in many searches: its bitset is worth building.
    this.#segment.listBits.of(list)
    return new TitleForm(this.#reader, this.field, this.#segment.listBits.opened(list), number)
  }
}

/** Whether the word of a posting is in a text field. */
export function standsIn(
  { codes, impacts, textFields }: SegmentReader,
  field: number,
  posting: number,
) {
  return impacts[codes[posting]! * textFields.length + field] !== 0
}

/** The positions of what is not in a title. */
export const NOWHERE: readonly number[] = []

/** A single form in the titles of a segment. */
export class TitleForm {
  readonly #reader: SegmentReader
  readonly #title: number
  readonly #list: OpenedList
  readonly #filter: PlaceFilter

  constructor(reader: SegmentReader, title: number, list: OpenedList, number: number) {
    this.#reader = reader
    this.#title = title
    this.#list = list
    const fields = new Uint8Array(reader.textFields.length)
    fields[title] = 1
    this.#filter = { formMask: 1 << number, fields, startsOnly: false, endsOnly: false }
  }

  get list(): number {
    return this.#list.list
  }

  /** Its positions in the title of a document, ascending. */
  placesIn(docOrd: number): readonly number[] {
    const posting = this.#list.postingOf(docOrd)
    if (posting < 0 || !standsIn(this.#reader, this.#title, posting)) return NOWHERE
    const found: number[] = []
    // Usually the only form of its stem, so that the other fields need not be read.
    if (this.#reader.formMask(this.list, posting) === this.#filter.formMask) {
      this.#reader.positionsIn(this.#title, posting, positions)
      for (let i = 0; i < positions.length; i++) found.push(positions.data[i]!)
      return found
    }
    this.#reader.placesOf(this.list, posting, this.#filter, places)
    for (let i = 0; i < places.length; i++) found.push(places.data[i]! % PLACES_PER_FIELD)
    return found
  }
}

/** A query term in the titles of a segment. */
export class TitleWord {
  readonly #reader: SegmentReader
  readonly #title: number
  /** Lists of the groups whose tokens count. */
  readonly #lists: readonly OpenedList[]
  /** The last document tested: words have neighbours on both sides. */
  #docOrd = -1
  /** Its postings by list; -1: not in the title. */
  readonly #postings: number[]
  /** Its positions by list, in the document for which they were last read. */
  readonly #places: { docOrd: number; readonly positions: GrowableU32 }[] = []
  #stands = false

  constructor(reader: SegmentReader, title: number, lists: readonly OpenedList[]) {
    this.#reader = reader
    this.#title = title
    this.#lists = title < 0 ? [] : lists
    this.#postings = this.#lists.map(() => -1)
  }

  /** Whether it is in the title of a document. */
  standsIn(docOrd: number): boolean {
    if (this.#docOrd === docOrd) return this.#stands
    this.#docOrd = docOrd
    this.#stands = false
    const lists = this.#lists
    for (let i = 0; i < lists.length; i++) {
      const posting = lists[i]!.postingOf(docOrd)
      const stands = posting >= 0 && standsIn(this.#reader, this.#title, posting)
      this.#postings[i] = stands ? posting : -1
      if (stands) this.#stands = true
    }
    return this.#stands
  }

  /** Whether it is before position `end`; Infinity: anywhere. */
  standsBefore(end: number, docOrd: number): boolean {
    if (!this.standsIn(docOrd)) return false
    return end === Infinity || this.#postings.some((posting) => this.#read(posting, end))
  }

  /** Whether it is at one of the positions `first .. last`. */
  standsWithin(first: number, last: number, docOrd: number): boolean {
    if (!this.standsIn(docOrd)) return false
    for (let list = 0; list < this.#postings.length; list++) {
      if (this.#postings[list]! < 0) continue
      const { data, length } = this.#positionsIn(list)
      const at = firstFrom(first, data, length)
      if (at < length && data[at]! <= last) return true
    }
    return false
  }

  /** Its positions in the current document. A long title is tested at each of its words. */
  #positionsIn(list: number): GrowableU32 {
    const places = (this.#places[list] ??= { docOrd: -1, positions: new GrowableU32(8) })
    if (places.docOrd !== this.#docOrd) {
      places.docOrd = this.#docOrd
      this.#reader.positionsIn(this.#title, this.#postings[list]!, places.positions)
    }
    return places.positions
  }

  #read(posting: number, end: number): boolean {
    if (posting < 0) return false
    this.#reader.positionsIn(this.#title, posting, positions)
    return positions.data[0]! < end
  }

  /** Whether it directly precedes another word. Both are in the title of the document. */
  precedes(other: TitleWord): boolean {
    for (const left of this.#postings) {
      if (left < 0) continue
      this.#reader.positionsIn(this.#title, left, positions)
      for (const right of other.#postings) {
        if (right < 0) continue
        this.#reader.positionsIn(this.#title, right, others)
        if (someFollow()) return true
      }
    }
    return false
  }
}

/** Index of the first of ascending positions that is at least `wanted`. */
function firstFrom(wanted: number, positions: Uint32Array, length: number): number {
  let low = 0
  let high = length
  while (low < high) {
    const middle = (low + high) >> 1
    if (positions[middle]! < wanted) low = middle + 1
    else high = middle
  }
  return low
}

/** Whether one of `others` directly follows one of `positions`. Both ascend. */
function someFollow(): boolean {
  let j = 0
  for (let i = 0; i < positions.length; i++) {
    const wanted = positions.data[i]! + 1
    while (j < others.length && others.data[j]! < wanted) j++
    if (j < others.length && others.data[j] === wanted) return true
  }
  return false
}

/** The titles of all segments, prepared on demand. */
export class Titles {
  readonly #view: IndexView
  readonly #titleField: number
  readonly #bySegment: (SegmentTitles | undefined)[] = []

  constructor(view: IndexView, titleField: number) {
    this.#view = view
    this.#titleField = titleField
  }

  in(segmentIndex: number): SegmentTitles {
    return (this.#bySegment[segmentIndex] ??= new SegmentTitles(
      this.#view.segments[segmentIndex]!,
      this.#titleField,
    ))
  }
}
