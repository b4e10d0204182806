import { GrowableF64 } from '../../codec/growable.ts'
import { PLACES_PER_FIELD, type PlaceFilter } from '../../postings/positions.ts'
import type { SegmentReader } from '../../segment/segment-reader.ts'
import type { IndexView, SegmentView } from '../view/index-view.ts'
import type { ResolvedSlot } from '../words/resolved-slot.ts'
import { ANY_FORM } from '../words/word-runs.ts'

/** Places of two words; one per thread, since a search never waits. */
const places = new GrowableF64(64)
const others = new GrowableF64(64)

/** The titles of one segment: where words stand in them. */
export class SegmentTitles {
  readonly #segment: SegmentView
  readonly #reader: SegmentReader
  /** Index of the title among the text fields; -1: the segment has no titles. */
  readonly #title: number
  readonly #filter: PlaceFilter
  readonly #words = new Map<ResolvedSlot, TitleWord>()

  constructor(segment: SegmentView, titleField: number) {
    const { reader } = segment
    this.#segment = segment
    this.#reader = reader
    this.#title = reader.textFields.indexOf(titleField)
    const fields = new Uint8Array(reader.textFields.length)
    if (this.#title >= 0) fields[this.#title] = 1
    this.#filter = { formMask: ANY_FORM, fields, startsOnly: false, endsOnly: false }
  }

  /** Whether a token of the left word stands just before one of the right word. */
  hasPair(docOrd: number, left: ResolvedSlot, right: ResolvedSlot): boolean {
    const leftWord = this.#find(left, docOrd)
    if (!leftWord.isThere) return false
    const rightWord = this.#find(right, docOrd)
    if (!rightWord.isThere) return false
    for (let i = 0; i < leftWord.lists.length; i++) {
      const leftPosting = leftWord.postings[i]!
      if (leftPosting < 0) continue
      this.#reader.placesOf(leftWord.lists[i]!, leftPosting, this.#filter, places)
      for (let j = 0; j < rightWord.lists.length; j++) {
        const rightPosting = rightWord.postings[j]!
        if (rightPosting < 0) continue
        this.#reader.placesOf(rightWord.lists[j]!, rightPosting, this.#filter, others)
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
    const { lists, isThere } = this.#find(slot, docOrd)
    if (end === Infinity) return isThere
    return lists.some((list) => {
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
    const posting = this.#title < 0 ? -1 : this.#segment.listBits.postingOf(list, docOrd)
    if (posting < 0) return -1
    return impacts[codes[posting]! * textFields.length + this.#title] === 0 ? -1 : posting
  }

  /** Where a word is in a title. The last answer is kept: words have neighbours on both sides. */
  #find(slot: ResolvedSlot, docOrd: number): TitleWord {
    const word = this.#wordOf(slot)
    if (word.docOrd === docOrd) return word
    word.docOrd = docOrd
    word.isThere = false
    for (let i = 0; i < word.lists.length; i++) {
      const posting = this.#postingOf(word.lists[i]!, docOrd)
      word.postings[i] = posting
      if (posting >= 0) word.isThere = true
    }
    return word
  }

  #wordOf(slot: ResolvedSlot): TitleWord {
    let word = this.#words.get(slot)
    if (word === undefined) {
      const lists = slot.bonusGroups
        .map((group) => this.#reader.listOf(group))
        .filter((list) => list >= 0)
      word = { lists, docOrd: -1, postings: lists.map(() => -1), isThere: false }
      this.#words.set(slot, word)
    }
    return word
  }
}

/** A word of the query in the titles of a segment. */
interface TitleWord {
  /** Of the groups whose tokens count. */
  readonly lists: readonly number[]
  /** The document that was looked at last. */
  docOrd: number
  /** Its postings by list; -1: not in the title. */
  readonly postings: number[]
  /** One of them is. */
  isThere: boolean
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
      this.#view.segments[segmentIndex]!,
      this.#titleField,
    ))
  }
}
