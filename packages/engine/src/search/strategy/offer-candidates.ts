import type { Matches } from '../match/matches.ts'
import { scratch } from '../match/window-scratch.ts'
import type { PageCollector } from '../page/page-collector.ts'
import type { Scorer } from '../score/document-scorer.ts'
import type { SearchRun } from '../view/search-run.ts'
import type { Strategy } from './strategy.ts'

/** Scores the candidates of a strategy, window by window, and offers them to the page. */
export function* offerCandidates(
  { view, checkDeadline, isTurnOver }: SearchRun,
  matches: Matches,
  strategy: Strategy,
  scorer: Scorer,
  page: PageCollector,
): Generator<void, void> {
  for (const [segmentIndex, segment] of view.segments.entries()) {
    const { found } = yield* matches.open(segmentIndex)
    if (found.count === 0) continue
    page.beginSegment(segmentIndex, segment)
    const segmentScorer = scorer.in(segmentIndex)
    for (let window = 0; window < segment.reader.windowCount; window++) {
      checkDeadline()
      if (isTurnOver()) yield
      if (strategy.prepare !== undefined) yield* strategy.prepare(segmentIndex, window)
      const { scoreMin } = page
      const count = strategy.candidates(segmentIndex, window, scoreMin)
      if (count === 0) continue
      const scored = segmentScorer.score(window, count, scoreMin)
      yield* page.offerInSteps(scratch.docs, scratch.points, scored)
      if (strategy.narrows) page.tighten()
    }
  }
}
