import { WINDOW_BITS } from '../../postings/postings-format.ts'
import type { SearchPlan } from '../../query/plan.ts'
import type { SegmentReader } from '../../segment/segment-reader.ts'
import type { IndexView } from '../view/index-view.ts'
import { NOWHERE, standsIn, type TitleForm, type Titles } from './segment-titles.ts'

/** The marks in the titles of a segment. Segments never change. */
interface SegmentMarks {
  readonly forms: readonly TitleForm[]
  /** By document: a bit for each form that its title has, or another form of its stem. */
  readonly masks: Uint8Array
  /** Positions in the titles of the last pages, which searches share. */
  readonly places: Map<number, readonly number[]>
}

/** The bits of a mask; marks past them are not looked for. */
const MARKS_MAX = 8

/** The accessory marks of a plan in the titles of an index. */
export class TitleMarks {
  readonly #view: IndexView
  readonly #titles: Titles
  readonly #marks: readonly string[]
  readonly #key: string
  readonly #bySegment: (SegmentMarks | undefined)[] = []

  constructor(view: IndexView, { accessoryMarks = [], titleField }: SearchPlan, titles: Titles) {
    this.#view = view
    this.#titles = titles
    this.#marks = accessoryMarks
    this.#key = `${titleField} ${accessoryMarks.join(' ')}`
  }

  get isEmpty(): boolean {
    return this.#marks.length === 0
  }

  /** The positions of all marks in the title of a document. */
  placesIn(segmentIndex: number, docOrd: number): readonly number[] {
    const { masks, forms, places } = (this.#bySegment[segmentIndex] ??= this.#in(segmentIndex))
    const mask = masks[docOrd]!
    // Most titles have no mark.
    if (mask === 0) return NOWHERE
    let found = places.get(docOrd)
    if (found === undefined) {
      found = forms.flatMap((form, i) => ((mask >>> i) & 1 ? form.placesIn(docOrd) : NOWHERE))
      if (places.size >= PLACES_MAX) places.clear()
      places.set(docOrd, found)
    }
    return found
  }

  #in(segmentIndex: number): SegmentMarks {
    const { reader } = this.#view.segments[segmentIndex]!
    let kept = marksBySegment.get(reader)
    if (kept === undefined) marksBySegment.set(reader, (kept = new Map()))
    let marks = kept.get(this.#key)
    if (marks === undefined) {
      // Only the language and the title of a store decide the key.
      if (kept.size >= KEYS_MAX) kept.clear()
      kept.set(this.#key, (marks = this.#find(segmentIndex, reader)))
    }
    return marks
  }

  #find(segmentIndex: number, reader: SegmentReader): SegmentMarks {
    const { terms } = this.#view
    const titles = this.#titles.in(segmentIndex)
    const forms = this.#marks
      .slice(0, MARKS_MAX)
      .map((mark) => terms.find(mark))
      .filter((form) => form >= 0)
      .map((form) => titles.formOf(terms.groupOf(form), terms.numberOf(form)))
      .filter((form) => form !== undefined)
    return { forms, masks: titleMasks(reader, titles.field, forms), places: new Map() }
  }
}

/** Titles whose positions are kept per segment. */
const PLACES_MAX = 4096

/** Kept per segment, with a byte per document each. */
const KEYS_MAX = 4

/** By title field and marks. */
const marksBySegment = new WeakMap<SegmentReader, Map<string, SegmentMarks>>()

/** @param title index among the text fields; -1: the segment has no titles */
function titleMasks(reader: SegmentReader, title: number, forms: readonly TitleForm[]): Uint8Array {
  const masks = new Uint8Array(reader.docCount)
  const { ids, listChunk, chunkWindow, chunkEnd } = reader
  for (const [i, { list }] of forms.entries()) {
    for (let chunk = listChunk[list]!; chunk < listChunk[list + 1]!; chunk++) {
      const base = chunkWindow[chunk]! << WINDOW_BITS
      for (let posting = reader.chunkStart(chunk); posting < chunkEnd[chunk]!; posting++) {
        if (standsIn(reader, title, posting)) masks[base + ids[posting]!]! |= 1 << i
      }
    }
  }
  return masks
}
