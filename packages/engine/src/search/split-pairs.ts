import type { SearchPlan } from '../query/plan.ts'
import { SPLIT_DOC_FREQ_MIN } from '../scoring/formula.ts'
import type { EvidenceTables } from './evidence-tables.ts'
import type { IndexView, SegmentView } from './index-view.ts'
import type { PairDocuments } from './resolved-slot.ts'
import { forEachShared, standSideBySide } from './side-by-side.ts'

/** A cut of a word whose halves stand side by side in some document. */
export interface SplitPair {
  readonly left: string
  readonly right: string
  /** Live documents with the halves side by side in a searched field, >= 1. */
  readonly docFreq: number
  /** By segment; dead documents included. */
  readonly documents: readonly PairDocuments[]
}

/** Postings looked at between two looks at the clock. */
const POSTINGS_PER_CHECK = 4096

/** Alternative 3 of docs/ranking.md: the cuts of a word that documents write as two. */
export function findSplitPairs(
  view: IndexView,
  plan: SearchPlan,
  splits: SearchPlan['slots'][number]['splits'],
  tables: EvidenceTables,
  checkDeadline: () => void,
): SplitPair[] {
  const { terms, analyzer } = view
  const found: SplitPair[] = []
  for (const { left, right } of splits) {
    const leftForm = terms.find(left)
    const rightForm = terms.find(right)
    if (leftForm < 0 || terms.formDocFreq(leftForm) < SPLIT_DOC_FREQ_MIN) continue
    if (rightForm < 0 || terms.formDocFreq(rightForm) < SPLIT_DOC_FREQ_MIN) continue
    const leftGroup = terms.find(analyzer.stem(left))
    const rightGroup = terms.find(analyzer.stem(right))
    let docFreq = 0
    const documents = view.segments.map((segment) => {
      const pair = pairDocuments(segment, plan, leftGroup, rightGroup, tables, checkDeadline)
      for (const docOrd of pair.docOrds) if (segment.isLive(docOrd)) docFreq++
      return pair
    })
    if (docFreq > 0) found.push({ left, right, docFreq, documents })
  }
  return found
}

function pairDocuments(
  segment: SegmentView,
  plan: SearchPlan,
  leftGroup: number,
  rightGroup: number,
  tables: EvidenceTables,
  checkDeadline: () => void,
): PairDocuments {
  const { reader } = segment
  const leftList = reader.listOf(leftGroup)
  const rightList = reader.listOf(rightGroup)
  const docOrds: number[] = []
  const evidence: number[] = []
  if (leftList >= 0 && rightList >= 0) {
    const table = tables.of(segment).evidence
    const isSearched = (textField: number) =>
      (plan.fieldWeights[reader.textFields[textField]!] ?? 0) > 0
    let seen = 0
    forEachShared(reader, leftList, rightList, (docOrd, left, right) => {
      if (++seen % POSTINGS_PER_CHECK === 0) checkDeadline()
      const smaller = Math.min(table[reader.codes[left]!]!, table[reader.codes[right]!]!)
      if (smaller === 0 || !standSideBySide(reader, left, right, isSearched)) return
      docOrds.push(docOrd)
      evidence.push(smaller)
    })
  }
  return { docOrds: Uint32Array.from(docOrds), evidence: Float32Array.from(evidence) }
}
