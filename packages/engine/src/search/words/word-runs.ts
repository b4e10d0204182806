import { hasBit } from '../../codec/bitset.ts'
import { GrowableF64 } from '../../codec/growable.ts'
import type { PlaceFilter } from '../../postings/positions.ts'
import { WINDOW_BITS } from '../../postings/postings-format.ts'
import type { SegmentReader } from '../../segment/segment-reader.ts'

/** Any form of a group matches. */
export const ANY_FORM = 0x7fffffff

/** A word of a run, as numbers of one segment. */
export interface RunWord {
  /** Posting list of its stem group. */
  readonly list: number
  /** The forms that match: a bit per form number. */
  readonly formMask: number
  /** The documents of the list, if available as a bitset: decides most of them. */
  readonly bits?: Uint32Array | undefined
}

/** What a run must satisfy. */
export interface RunRule {
  /**
   * By impact code: 0 if a posting with it can be skipped; 2 if it needs no further check when the
   * run is one word and the document has just one form of its group; otherwise 1.
   */
  readonly codes: Uint8Array
  /** By text field: 1 where a run counts. */
  readonly fields: Uint8Array
  /** The run must be a whole value. */
  readonly wholeValue: boolean
}

/** Queries about the words of a run of two or more in one document. */
export interface FoundWords {
  /** @param values by impact code @returns the smallest of the words */
  smallest(values: Float32Array): number
}

/** Postings read between two deadline checks. */
const POSTINGS_PER_CHECK = 4096

/** Places of the words of one run, within one call. */
const found = new GrowableF64()
const other = new GrowableF64()

/**
 * Visits the documents with these words side by side in this order, ascending. Iterates over the
 * rarest list and looks up its documents in the others; reads positions last, only for the few
 * documents with all words.
 *
 * @param words not empty
 * @param visit may query the words of the document, but only during the call
 */
export function forEachRun(
  reader: SegmentReader,
  words: readonly RunWord[],
  rule: RunRule,
  checkDeadline: () => void,
  visit: (docOrd: number, run: FoundWords) => void,
): void {
  const { list, formMask } = rarestOf(reader, words)
  const { codes, ids } = reader
  // Most iterations meet no document whose positions must be read.
  let run: Run | undefined
  let seen = 0
  for (let chunk = reader.listChunk[list]!; chunk < reader.listChunk[list + 1]!; chunk++) {
    const base = reader.chunkWindow[chunk]! << WINDOW_BITS
    const end = reader.chunkEnd[chunk]!
    for (let posting = reader.chunkStart(chunk); posting < end; posting++) {
      if (++seen % POSTINGS_PER_CHECK === 0) checkDeadline()
      const fit = rule.codes[codes[posting]!]!
      if (fit === 0) continue
      const mask = reader.formMask(list, posting)
      if ((mask & formMask) === 0) continue
      const isSure = words.length === 1 && fit === 2 && (formMask === ANY_FORM || isOneForm(mask))
      run ??= new Run(reader, words, rule)
      if (isSure || run.standsIn(base + ids[posting]!, posting)) visit(base + ids[posting]!, run)
    }
  }
}

/** Whether one document has these words side by side in this order. @param words not empty */
export function hasRun(
  reader: SegmentReader,
  words: readonly RunWord[],
  rule: RunRule,
  docOrd: number,
): boolean {
  const { list, formMask } = rarestOf(reader, words)
  const posting = reader.postingOf(list, docOrd)
  if (posting < 0 || rule.codes[reader.codes[posting]!] === 0) return false
  if ((reader.formMask(list, posting) & formMask) === 0) return false
  return new Run(reader, words, rule).standsIn(docOrd, posting)
}

function rarestOf(reader: SegmentReader, words: readonly RunWord[]): RunWord {
  let rarest = words[0]!
  for (const word of words) {
    if (sizeOf(reader, word) < sizeOf(reader, rarest)) rarest = word
  }
  return rarest
}

function sizeOf({ listPosting }: SegmentReader, { list }: RunWord): number {
  return listPosting[list + 1]! - listPosting[list]!
}

function isOneForm(mask: number): boolean {
  return (mask & (mask - 1)) === 0
}

/** The words of a run, rarest first. */
class Run implements FoundWords {
  readonly #reader: SegmentReader
  readonly #rule: RunRule
  readonly #words: readonly OrderedWord[]

  constructor(reader: SegmentReader, words: readonly RunWord[], rule: RunRule) {
    this.#reader = reader
    this.#rule = rule
    this.#words = words
      .map((word, place) => ({
        ...word,
        place,
        filter: {
          formMask: word.formMask,
          fields: rule.fields,
          startsOnly: rule.wholeValue && place === 0,
          endsOnly: rule.wholeValue && place + 1 === words.length,
        },
        chunk: reader.listChunk[word.list]!,
        posting: reader.listPosting[word.list]!,
      }))
      .toSorted((a, b) => sizeOf(reader, a) - sizeOf(reader, b))
  }

  /** @param posting of the rarest word; documents come in ascending order */
  standsIn(docOrd: number, posting: number): boolean {
    const words = this.#words
    const rarest = words[0]!
    rarest.posting = posting
    for (let i = 1; i < words.length; i++) {
      const { bits } = words[i]!
      if (bits !== undefined && !hasBit(bits, docOrd)) return false
    }
    for (let i = 1; i < words.length; i++) {
      const word = words[i]!
      if (!seek(this.#reader, word, docOrd)) return false
      if (this.#rule.codes[this.#reader.codes[word.posting]!] === 0) return false
      if ((this.#reader.formMask(word.list, word.posting) & word.formMask) === 0) return false
    }
    this.#placesOf(rarest, found)
    for (let i = 1; i < words.length && found.length > 0; i++) {
      this.#placesOf(words[i]!, other)
      intersect(found, rarest.place, other, words[i]!.place)
    }
    return found.length > 0
  }

  smallest(values: Float32Array): number {
    const { codes } = this.#reader
    let least = Infinity
    for (const { posting } of this.#words) least = Math.min(least, values[codes[posting]!]!)
    return least
  }

  #placesOf({ list, posting, filter }: OrderedWord, places: GrowableF64): void {
    this.#reader.placesOf(list, posting, filter, places)
  }
}

interface OrderedWord extends RunWord {
  /** Its index in the run. */
  readonly place: number
  readonly filter: PlaceFilter
  /** How far the list has been read. */
  chunk: number
  posting: number
}

/** Advances a word to a document; `false` if its list does not contain it. */
function seek(reader: SegmentReader, word: OrderedWord, docOrd: number): boolean {
  const window = docOrd >>> WINDOW_BITS
  const chunkEnd = reader.listChunk[word.list + 1]!
  while (word.chunk < chunkEnd && reader.chunkWindow[word.chunk]! < window) {
    word.posting = reader.chunkEnd[word.chunk++]!
  }
  if (word.chunk === chunkEnd || reader.chunkWindow[word.chunk] !== window) return false
  const id = docOrd & 0xffff
  word.posting = firstAtLeast(reader.ids, word.posting, reader.chunkEnd[word.chunk]!, id)
  return word.posting < reader.chunkEnd[word.chunk]! && reader.ids[word.posting] === id
}

/** Galloping search (Bentley and Yao, 1976): the target is usually near. */
function firstAtLeast(ids: Uint16Array, from: number, to: number, id: number): number {
  let step = 1
  let low = from
  let high = from
  while (high < to && ids[high]! < id) {
    low = high + 1
    high += step
    step *= 2
  }
  if (high > to) high = to
  while (low < high) {
    const middle = (low + high) >>> 1
    if (ids[middle]! < id) low = middle + 1
    else high = middle
  }
  return low
}

/**
 * Keeps the places of one word that have the other word at the right distance. Both lists ascend.
 */
function intersect(places: GrowableF64, place: number, others: GrowableF64, otherPlace: number) {
  const distance = otherPlace - place
  const a = places.data
  const b = others.data
  let kept = 0
  let j = 0
  for (let i = 0; i < places.length; i++) {
    const wanted = a[i]! + distance
    while (j < others.length && b[j]! < wanted) j++
    if (j < others.length && b[j] === wanted) a[kept++] = a[i]!
  }
  places.length = kept
}
