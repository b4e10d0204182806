import { hasBit } from '../../codec/bitset.ts'
import type { FacetCollector } from '../facets/facet-collector.ts'
import { filterBits } from '../filters/filterable-segment.ts'
import type { SearchRun } from '../view/search-run.ts'
import type { Steps } from '../view/steps.ts'
import { NO_MATCHES, type Matches } from './matches.ts'
import { WINDOW_SIZE } from '../../postings/postings-format.ts'
import type { SimilarDocuments } from './similar-documents.ts'
import type { PinnedDocument, PinnedDocuments } from './pinned-documents.ts'

/** What a search finds, counted so far. */
export interface MatchCount {
  found: number
  /** Pinned documents that pass the filter. They are found regardless of their words. */
  pinned: readonly PinnedDocument[]
  /** Documents among those found that only their meaning found. */
  similar?: number
}

/**
 * Counts the documents found, and their facets: once per search, regardless of what was scored.
 *
 * @param matches undefined: no document matches by its words
 * @param similar the documents that only their meaning found; absent: none
 */
export function* countMatches(
  run: SearchRun,
  matches: Matches | undefined,
  pinned: PinnedDocuments,
  facets: FacetCollector,
  counted: MatchCount,
  similar?: SimilarDocuments,
): Steps {
  const { view, plan } = run
  if (similar !== undefined) {
    counted.found += similar.count
    counted.similar = similar.count
  }
  for (const [segmentIndex, segment] of view.segments.entries()) {
    const own = pinned.in(segmentIndex)
    const { found, all } = matches === undefined ? NO_MATCHES : yield* matches.open(segmentIndex)
    counted.found += found.count
    const near = similar?.all[segmentIndex]
    const isCounted = !facets.isEmpty && (all.count > 0 || near !== undefined)
    if (isCounted || own.length > 0) yield* facets.openSegment(segment)
    if (own.length > 0) {
      const bits = plan.filter && filterBits(run, segment, plan.filter)
      const admitted = own.filter(({ docOrd }) => bits === undefined || hasBit(bits, docOrd))
      counted.pinned = [...counted.pinned, ...admitted]
      counted.found += admitted.length
      facets.all.addDocs(docOrdsOf(own), own.length)
      facets.found.addDocs(docOrdsOf(admitted), admitted.length)
    }
    if (!isCounted) continue
    for (let window = 0; window < segment.reader.windowCount; window++) {
      run.checkDeadline()
      if (run.isTurnOver()) yield
      if (facets.coversMore) all.visit(window, facets.all)
      found.visit(window, facets.found)
      if (near === undefined) continue
      const part = [(window * WINDOW_SIZE) >>> 5, ((window + 1) * WINDOW_SIZE) >>> 5] as const
      if (facets.coversMore) facets.all.addSet(near.subarray(...part), window)
      facets.found.addSet(similar!.found[segmentIndex]!.subarray(...part), window)
    }
  }
}

function docOrdsOf(pinned: readonly PinnedDocument[]): Uint32Array {
  return Uint32Array.from(pinned, ({ docOrd }) => docOrd).sort()
}
