import { GrowableF64 } from '../../codec/growable.ts'
import { Tally } from '../../codec/tally.ts'
import {
  companyShare,
  COMPANY_SAMPLE_MAX,
  sampledAt,
  TITLE_WORDS_MAX,
} from '../../scoring/vouching.ts'
import type { IndexView } from '../view/index-view.ts'
import { SharesByGroup } from '../view/shares-by-group.ts'

/** Scratch of this thread: a search never waits, so one is enough. */
const places = new GrowableF64()
const tally = new Tally()
const titleGroups = new Uint32Array(TITLE_WORDS_MAX)
/** Segment and document in one number: `segmentIndex * SEGMENT_STEP + docOrd`. */
const SEGMENT_STEP = 2 ** 32

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
  findInTitles(view, group, titleField)
  const found = places.length
  const size = Math.min(found, COMPANY_SAMPLE_MAX)
  tally.reserve(view.terms.count)
  for (let i = 0; i < size; i++) {
    const place = places.data[sampledAt(i, found)]!
    const segmentIndex = Math.floor(place / SEGMENT_STEP)
    const docOrd = place - segmentIndex * SEGMENT_STEP
    const count = view.segments[segmentIndex]!.reader.titleWords.read(docOrd, titleGroups)
    for (let at = 0; at < count; at++) tally.add(titleGroups[at]!)
  }
  const { counts, seen } = tally
  const words: number[] = []
  const shares: number[] = []
  for (let i = 0; i < seen.length; i++) {
    const word = seen.data[i]!
    const inTitles = view.terms.titleDocFreq(word)
    const share = companyShare(counts[word]!, found / size, inTitles, found, view.docCount)
    if (share === 0) continue
    words.push(word)
    shares.push(share)
  }
  tally.clear()
  return new SharesByGroup(words, shares)
}

/** Fills `places` with the live documents that have the group in the title, by docKey. */
function findInTitles(view: IndexView, group: number, titleField: number): void {
  places.length = 0
  view.segments.forEach((segment, segmentIndex) => {
    const { reader } = segment
    const { codes, impacts } = reader
    const list = reader.listOf(group)
    const title = reader.textFields.indexOf(titleField)
    if (list < 0 || title < 0) return
    const width = reader.textFields.length
    reader.forEachPosting(list, (docOrd, posting) => {
      if (impacts[codes[posting]! * width + title] === 0 || !segment.isLive(docOrd)) return
      places.push(segmentIndex * SEGMENT_STEP + docOrd)
    })
  })
}
