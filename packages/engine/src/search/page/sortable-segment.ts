import { evaluateIn, filterableSegment } from '../filters/filterable-segment.ts'
import type { Popularity } from '../model/popularity.ts'
import type { SegmentView } from '../view/index-view.ts'
import type { SearchRun } from '../view/search-run.ts'
import type { SortableSegment } from './sort-keys.ts'

/** Adapts a segment to the interface of the sort keys. */
export function sortableSegment(
  run: SearchRun,
  segmentIndex: number,
  segment: SegmentView,
  popularity: Popularity | undefined,
): SortableSegment {
  const filterable = filterableSegment(run.view, segment)
  return {
    docKeys: segment.reader.docKeys,
    insertions: segment.reader.insertions,
    fullPoints: run.fullPoints,
    popularityLevels: () => popularity?.levels(segmentIndex),
    column: (field) => filterable.column(field),
    vectors: (field) => segment.reader.vectors(run.view.schema, field),
    evaluate: (filter) => evaluateIn(run, filterable, filter),
    valueOrderInSteps: (field, pace) =>
      segment.valueOrderInSteps(field, filterable.column(field)!, pace),
  }
}
