import { hasBit } from '../../codec/bitset.ts'
import type { FacetCollector } from '../facets/facet-collector.ts'
import { filterBits } from '../filters/filterable-segment.ts'
import type { SearchRun } from '../view/search-run.ts'
import type { Steps } from '../view/steps.ts'
import { NO_MATCHES, type Matches } from './matches.ts'
import type { PinnedDocument, PinnedDocuments } from './pinned-documents.ts'

/** What a search finds, counted so far. */
export interface MatchCount {
  found: number
  /** Pinned documents that pass the filter. They are found regardless of their words. */
  pinned: readonly PinnedDocument[]
}

/**
 * Counts the documents found, and their facets: once per search, regardless of what was scored.
 *
 * @param matches undefined: no document matches by its words
 */
export function* countMatches(
  run: SearchRun,
  matches: Matches | undefined,
  pinned: PinnedDocuments,
  facets: FacetCollector,
  counted: MatchCount,
): Steps {
  const { view, plan } = run
  for (const [segmentIndex, segment] of view.segments.entries()) {
    const own = pinned.in(segmentIndex)
    const { found, all } = matches === undefined ? NO_MATCHES : yield* matches.open(segmentIndex)
    counted.found += found.count
    const isCounted = !facets.isEmpty && all.count > 0
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
    }
  }
}

function docOrdsOf(pinned: readonly PinnedDocument[]): Uint32Array {
  return Uint32Array.from(pinned, ({ docOrd }) => docOrd).sort()
}
