import { setBit } from '../../codec/bitset.ts'
import { GrowableF64, GrowableU32 } from '../../codec/growable.ts'
import { relevantPoints, TIER_STEP } from '../../scoring/formula.ts'
import { allowedDocuments } from '../filters/conditions.ts'
import { Matches } from '../match/matches.ts'
import { scratch } from '../match/window-scratch.ts'
import type { WordSets } from '../match/word-sets.ts'
import { ExactValues } from '../model/exact-values.ts'
import type { SearchRun } from '../view/search-run.ts'
import type { WordDemand } from '../words/matching-words.ts'
import { DocumentScorer } from './document-scorer.ts'

/** Documents of a segment that were relevant when they were scored. */
interface Scored {
  readonly docs: GrowableU32
  readonly points: GrowableF64
}

/**
 * "Relevance" in docs/ranking.md: the documents with enough points. Scores all documents with words
 * of the query, filtered or not, because the best of them sets the scale.
 *
 * @returns by segment: a set of documents
 */
export function* relevantDocuments(
  run: SearchRun,
  sets: WordSets,
  demand: WordDemand,
): Generator<void, Uint32Array[]> {
  const { view, plan } = run
  const { segments } = view
  const allowed = (segmentIndex: number) => allowedDocuments(run, segments[segmentIndex]!)
  const matches = new Matches(run, sets, { demand, allowed }, undefined, false)
  const withoutExact = { ...run, plan: { ...plan, exactValue: [] } }
  const scorer = new DocumentScorer(run, demand.known, new ExactValues(withoutExact))
  let best = 0
  const scored: Scored[] = []
  for (const [segmentIndex, { reader }] of segments.entries()) {
    const kept: Scored = { docs: new GrowableU32(), points: new GrowableF64() }
    scored.push(kept)
    const { found } = yield* matches.open(segmentIndex)
    if (found.count === 0) continue
    for (let window = 0; window < reader.windowCount; window++) {
      run.checkDeadline()
      if (run.isTurnOver()) yield
      const count = scorer.in(segmentIndex).score(window, found.touch(window), -Infinity)
      const { docs, points } = scratch
      for (let i = 0; i < count; i++) {
        const own = points[i]! % TIER_STEP
        if (own > best) best = own
        if (own < relevantPoints(plan.minRelevance, best)) continue
        kept.docs.push(docs[i]!)
        kept.points.push(own)
      }
    }
  }
  const least = relevantPoints(plan.minRelevance, best)
  return scored.map(({ docs, points }, segmentIndex) => {
    const bits = segments[segmentIndex]!.emptyBits()
    for (let i = 0; i < docs.length; i++) if (points.data[i]! >= least) setBit(bits, docs.data[i]!)
    return bits
  })
}
