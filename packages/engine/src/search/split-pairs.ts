import { WINDOW_BITS } from '../postings/postings-format.ts'
import type { SearchPlan } from '../query/plan.ts'
import { WEIGHT_SPLIT } from '../scoring/formula.ts'
import type { EvidenceTables } from './evidence-tables.ts'
import type { IndexView, SegmentView } from './index-view.ts'
import { phraseDocuments } from './phrase-documents.ts'
import type { PhraseDocuments } from './resolved-slot.ts'

/** A cut of a word whose halves stand side by side in some document. */
export interface SplitPair {
  readonly left: string
  readonly right: string
  /** Live documents with the halves side by side in a searched field, >= 1. */
  readonly docFreq: number
  /** By segment; dead documents included. */
  readonly documents: readonly PhraseDocuments[]
}

/**
 * Alternative 3 of docs/ranking.md: the cuts of a word that documents write as two.
 *
 * @param ownGroup stem group of the word, -1 when there is none; documents that have it need no pair
 */
export function findSplitPairs(
  view: IndexView,
  plan: SearchPlan,
  splits: SearchPlan['slots'][number]['splits'],
  ownGroup: number,
  tables: EvidenceTables,
  checkDeadline: () => void,
): SplitPair[] {
  const { terms, analyzer } = view
  const found: SplitPair[] = []
  for (const { left, right } of splits) {
    const leftForm = terms.find(left)
    if (leftForm < 0 || terms.formDocFreq(leftForm) === 0) continue
    const rightGroup = terms.find(analyzer.stem(right))
    if (rightGroup < 0 || terms.groupDocFreq(rightGroup) === 0) continue
    const leftGroup = terms.find(analyzer.stem(left))
    let docFreq = 0
    const documents = view.segments.map((segment) => {
      const pair = phraseDocuments(
        segment,
        plan,
        [leftGroup, rightGroup],
        WEIGHT_SPLIT,
        tables,
        checkDeadline,
        docOrdsOf(segment.reader, ownGroup),
      )
      for (const docOrd of pair.docOrds) if (segment.isLive(docOrd)) docFreq++
      return pair
    })
    if (docFreq > 0) found.push({ left, right, docFreq, documents })
  }
  return found
}

/** The documents of a stem group. Few: words that are common as one are not cut. */
function docOrdsOf(reader: SegmentView['reader'], group: number): ReadonlySet<number> {
  const docOrds = new Set<number>()
  const list = group < 0 ? -1 : reader.listOf(group)
  if (list < 0) return docOrds
  for (let chunk = reader.listChunk[list]!; chunk < reader.listChunk[list + 1]!; chunk++) {
    const base = reader.chunkWindow[chunk]! << WINDOW_BITS
    const end = reader.chunkEnd[chunk]!
    for (let i = reader.chunkStart(chunk); i < end; i++) docOrds.add(base + reader.ids[i]!)
  }
  return docOrds
}
