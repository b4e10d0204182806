import type { SegmentView } from '../view/index-view.ts'
import type { SearchRun } from '../view/search-run.ts'
import type { PhraseDocuments } from './resolved-slot.ts'
import { forEachShared, standInRow } from './side-by-side.ts'

/** Postings read between two deadline checks. */
const POSTINGS_PER_CHECK = 4096

/** Words side by side, over the whole index. */
export interface FoundPhrase {
  /** By segment; dead documents included. */
  readonly documents: readonly PhraseDocuments[]
  /** Live documents. */
  readonly docFreq: number
}

/** `phraseDocuments` of every segment. */
export function findPhrase(
  run: SearchRun,
  groups: readonly number[],
  quality: number,
  ownGroup = -1,
): FoundPhrase {
  const { view } = run
  let docFreq = 0
  const documents = view.segments.map((segment) => {
    const found = phraseDocuments(run, segment, groups, quality, ownGroup)
    for (const docOrd of found.docOrds) if (segment.isLive(docOrd)) docFreq++
    return found
  })
  return { documents, docFreq }
}

/**
 * Documents of a segment, dead ones included, with tokens of these stem groups side by side, in
 * this order, in a searched field. The evidence for the phrase is that for its weakest word.
 *
 * @param groups two or more
 * @param quality q of the phrase as an alternative
 * @param ownGroup documents with this group in a searched field are skipped; -1: no group
 */
function phraseDocuments(
  run: SearchRun,
  segment: SegmentView,
  groups: readonly number[],
  quality: number,
  ownGroup: number,
): PhraseDocuments {
  const { plan, tables, checkDeadline } = run
  const { reader } = segment
  const lists = groups.map((group) => reader.listOf(group))
  const docOrds: number[] = []
  const evidence: number[] = []
  if (lists.every((list) => list >= 0)) {
    const table = tables.of(segment).evidence
    const isSearched = (textField: number) =>
      (plan.fieldWeights[reader.textFields[textField]!] ?? 0) > 0
    // Walks the two shortest lists in parallel and looks up their common documents in the others.
    const sizeOf = (list: number) => reader.listPosting[list + 1]! - reader.listPosting[list]!
    const [one, two, ...others] = [...lists.keys()].sort(
      (a, b) => sizeOf(lists[a]!) - sizeOf(lists[b]!),
    ) as [number, number, ...number[]]
    const postings = groups.map(() => -1)
    const own = ownGroup < 0 ? -1 : reader.listOf(ownGroup)
    const hasOwn = (docOrd: number) => {
      const posting = own < 0 ? -1 : reader.postingOf(own, docOrd)
      return posting >= 0 && table[reader.codes[posting]!] !== 0
    }
    let seen = 0
    forEachShared(reader, lists[one]!, lists[two]!, (docOrd, first, second) => {
      if (++seen % POSTINGS_PER_CHECK === 0) checkDeadline()
      postings[one] = first
      postings[two] = second
      for (const other of others) {
        postings[other] = reader.postingOf(lists[other]!, docOrd)
        if (postings[other] < 0) return
      }
      let smallest = Infinity
      for (const posting of postings) {
        smallest = Math.min(smallest, table[reader.codes[posting]!]!)
      }
      if (smallest === 0 || hasOwn(docOrd)) return
      if (!standInRow(reader, postings, isSearched)) return
      docOrds.push(docOrd)
      evidence.push(smallest)
    })
  }
  return {
    docOrds: Uint32Array.from(docOrds),
    evidence: Float32Array.from(evidence),
    quality,
  }
}
