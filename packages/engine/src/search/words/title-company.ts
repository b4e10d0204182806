import { GrowableU32 } from '../../codec/growable.ts'
import { WINDOW_BITS } from '../../postings/postings-format.ts'
import {
  COMPANY_BOTH_MIN,
  companyShare,
  COMPANY_SAMPLE_MAX,
  sampledAt,
  TITLE_WORDS_MAX,
} from '../../scoring/vouching.ts'
import type { IndexView, SegmentView } from '../view/index-view.ts'
import { SharesByGroup } from '../view/shares-by-group.ts'

/** Scratch memory, within one call. */
const docOrds = new GrowableU32()
/** By word: titles of the sample with it. */
let counts = new Uint16Array(1024)
/** The distinct words of the sample. */
const seen = new Uint32Array(COMPANY_SAMPLE_MAX * TITLE_WORDS_MAX)
const titleGroups = new Uint32Array(TITLE_WORDS_MAX)
const sample = new Uint32Array(COMPANY_SAMPLE_MAX)
let titleCodes = new Uint8Array(1024)
/** Sink that keeps the fetches from being optimised away. */
let fetched = 0

/**
 * How often titles with another word have the word of this group ("Vouching" in docs/ranking.md),
 * by the group of the other word. Cached in the view.
 *
 * @param titleField ordinal of the title
 */
export function titleCompanyOf(view: IndexView, group: number, titleField: number): SharesByGroup {
  return view.titleCompanies.for(group, () => countCompany(view, group, titleField))
}

function countCompany(view: IndexView, group: number, titleField: number): SharesByGroup {
  docOrds.length = 0
  const ends = view.segments.map((segment) => {
    findInTitles(segment, group, titleField)
    return docOrds.length
  })
  const found = docOrds.length
  const size = Math.min(found, COMPANY_SAMPLE_MAX)
  if (counts.length < view.terms.count) counts = new Uint16Array(view.terms.count * 2)
  const countOf = counts
  let seenCount = 0
  const sampled = takeSample(size, found)
  let first = 0
  view.segments.forEach(({ reader: { titleWords } }, segmentIndex) => {
    let end = first
    while (end < size && sampledAt(end, found) < ends[segmentIndex]!) end++
    for (let i = first; i < end; i++) fetched ^= titleWords.fetch(sampled[i]!)
    for (let i = first; i < end; i++) {
      const count = titleWords.read(sampled[i]!, titleGroups)
      for (let at = 0; at < count; at++) {
        const word = titleGroups[at]!
        const before = countOf[word]!
        countOf[word] = before + 1
        seen[seenCount] = word
        seenCount += before === 0 ? 1 : 0
      }
    }
    first = end
  })
  const words: number[] = []
  const shares: number[] = []
  for (let i = 0; i < seenCount; i++) {
    const word = seen[i]!
    const both = countOf[word]!
    countOf[word] = 0
    // Most words end here, without a look-up of their frequency.
    if (both < COMPANY_BOTH_MIN) continue
    const inTitles = view.terms.titleDocFreq(word)
    const share = companyShare(both, found / size, inTitles, found, view.docCount)
    if (share === 0) continue
    words.push(word)
    shares.push(share)
  }
  return new SharesByGroup(words, shares)
}

/** The documents of the sample among all `found` in `docOrds`. */
function takeSample(size: number, found: number): Uint32Array {
  for (let i = 0; i < size; i++) sample[i] = docOrds.data[sampledAt(i, found)]!
  return sample
}

/**
 * Adds the live documents of a segment with the group in the title to `docOrds`. A frequent word
 * has tens of thousands of postings: an inner loop without a call or a branch per posting.
 */
function findInTitles({ reader, live }: SegmentView, group: number, titleField: number): void {
  const list = reader.listOf(group)
  const title = reader.textFields.indexOf(titleField)
  if (list < 0 || title < 0) return
  readTitleCodes(reader.impacts, reader.textFields.length, title)
  docOrds.reserve(reader.listPosting[list + 1]! - reader.listPosting[list]!)
  const { data } = docOrds
  const { codes, ids } = reader
  const isTitle = titleCodes
  let length = docOrds.length
  const lastChunk = reader.listChunk[list + 1]!
  for (let chunk = reader.listChunk[list]!; chunk < lastChunk; chunk++) {
    const base = reader.chunkWindow[chunk]! << WINDOW_BITS
    const end = reader.chunkEnd[chunk]!
    for (let posting = reader.chunkStart(chunk); posting < end; posting++) {
      const docOrd = base + ids[posting]!
      data[length] = docOrd
      const alive = live === undefined ? 1 : (live[docOrd >>> 5]! >>> (docOrd & 31)) & 1
      length += isTitle[codes[posting]!]! & alive
    }
  }
  docOrds.length = length
}

/** `titleCodes`: 1 for codes of postings with the word in the title. */
function readTitleCodes(
  impacts: SegmentView['reader']['impacts'],
  width: number,
  title: number,
): void {
  const count = impacts.length / width
  if (titleCodes.length < count) titleCodes = new Uint8Array(count * 2)
  for (let code = 0, at = title; code < count; code++, at += width) {
    titleCodes[code] = impacts[at] === 0 ? 0 : 1
  }
}
