import { GrowableF64 } from '../../codec/growable.ts'
import { PLACES_PER_FIELD, type PlaceFilter } from '../../postings/positions.ts'
import type { SegmentReader } from '../../segment/segment-reader.ts'
import type { IndexView } from '../view/index-view.ts'
import type { ResolvedSlot } from '../words/resolved-slot.ts'
import { ANY_FORM } from '../words/word-runs.ts'

/** Places of two words; one per thread, since a search never waits. */
const places = new GrowableF64(64)
const others = new GrowableF64(64)

/** The titles of one segment: where words stand in them. */
export class SegmentTitles {
  readonly #reader: SegmentReader
  /** Index of the title among the text fields; -1: the segment has no titles. */
  readonly #title: number
  readonly #filter: PlaceFilter
  readonly #lists = new Map<ResolvedSlot, readonly number[]>()

  constructor(reader: SegmentReader, titleField: number) {
    this.#reader = reader
    this.#title = reader.textFields.indexOf(titleField)
    const fields = Uint8Array.from(reader.textFields, (field) => (field === titleField ? 1 : 0))
    this.#filter = { formMask: ANY_FORM, fields, startsOnly: false, endsOnly: false }
  }

  /** Whether a token of the left word stands just before one of the right word. */
  hasPair(docOrd: number, left: ResolvedSlot, right: ResolvedSlot): boolean {
    for (const leftList of this.#listsOf(left)) {
      const leftPosting = this.#postingOf(leftList, docOrd)
      if (leftPosting < 0) continue
      for (const rightList of this.#listsOf(right)) {
        const rightPosting = this.#postingOf(rightList, docOrd)
        if (rightPosting < 0) continue
        this.#reader.placesOf(leftList, leftPosting, this.#filter, places)
        this.#reader.placesOf(rightList, rightPosting, this.#filter, others)
        if (someFollow()) return true
      }
    }
    return false
  }

  /**
   * The first position of a stem group, or of some of its forms; -1 when the title does not have
   * it.
   */
  firstPlaceOf(group: number, docOrd: number, formMask = ANY_FORM): number {
    const list = this.#reader.listOf(group)
    return list < 0 ? -1 : this.#firstPlaceIn(list, docOrd, formMask)
  }

  /** Whether a token of the word stands before position `end`; Infinity: anywhere. */
  standsBefore(end: number, docOrd: number, slot: ResolvedSlot): boolean {
    return this.#listsOf(slot).some((list) => {
      if (end === Infinity) return this.#postingOf(list, docOrd) >= 0
      const place = this.#firstPlaceIn(list, docOrd, ANY_FORM)
      return place >= 0 && place < end
    })
  }

  #firstPlaceIn(list: number, docOrd: number, formMask: number): number {
    const posting = this.#postingOf(list, docOrd)
    if (posting < 0) return -1
    const filter = formMask === ANY_FORM ? this.#filter : { ...this.#filter, formMask }
    this.#reader.placesOf(list, posting, filter, places)
    return places.length === 0 ? -1 : places.data[0]! % PLACES_PER_FIELD
  }

  /** @returns the posting of a document that has a list's words in its title; else -1 */
  #postingOf(list: number, docOrd: number): number {
    const { codes, impacts, textFields } = this.#reader
    const posting = this.#title < 0 ? -1 : this.#reader.postingOf(list, docOrd)
    if (posting < 0) return -1
    return impacts[codes[posting]! * textFields.length + this.#title] === 0 ? -1 : posting
  }

  /** The lists of the groups whose tokens count. */
  #listsOf(slot: ResolvedSlot): readonly number[] {
    let lists = this.#lists.get(slot)
    if (lists === undefined) {
      lists = slot.bonusGroups.map((group) => this.#reader.listOf(group)).filter((at) => at >= 0)
      this.#lists.set(slot, lists)
    }
    return lists
  }
}

/** Whether one of `others` is just behind one of `places`. Both ascend. */
function someFollow(): boolean {
  let j = 0
  for (let i = 0; i < places.length; i++) {
    const wanted = places.data[i]! + 1
    while (j < others.length && others.data[j]! < wanted) j++
    if (j < others.length && others.data[j] === wanted) return true
  }
  return false
}

/** The titles of all segments, each prepared when first asked for. */
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
      this.#view.segments[segmentIndex]!.reader,
      this.#titleField,
    ))
  }
}
