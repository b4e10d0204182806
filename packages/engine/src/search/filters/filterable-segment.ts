import type { FilterNode } from '../../query/filter.ts'
import type { IndexView, SegmentView } from '../view/index-view.ts'
import { evaluateFilter, type FilterableSegment } from './filter-evaluator.ts'
import { documentsWithWordPrefix, documentsWithWords } from './word-bits.ts'

/** Documents of a segment that meet a filter, dead ones included. May be shared: do not modify. */
export function filterBits(
  view: IndexView,
  segment: SegmentView,
  filter: FilterNode,
  resolveId: (id: string) => number | undefined,
  checkDeadline: () => void,
): Uint32Array {
  const filterable = filterableSegment(view, segment, checkDeadline)
  return evaluateIn(view, filterable, filter, resolveId, checkDeadline)
}

/** @returns a bitset by docOrd that may be shared: do not modify */
export function evaluateIn(
  { schema, analyzer }: IndexView,
  segment: FilterableSegment,
  filter: FilterNode,
  resolveId: (id: string) => number | undefined,
  checkDeadline: () => void,
): Uint32Array {
  return evaluateFilter(filter, segment, { schema, analyzer, resolveId, checkDeadline })
}

/** Adapts a segment to the interface of the filters. */
export function filterableSegment(
  view: IndexView,
  segment: SegmentView,
  checkDeadline: () => void,
): FilterableSegment {
  const { reader } = segment
  return {
    docCount: reader.docCount,
    filterCache: segment.filters,
    column: (field) => view.column(segment, field),
    docOrdOf: (docKey) => reader.docOrdOf(docKey),
    wordsBits: (field, forms) => documentsWithWords(view, segment, field, forms, checkDeadline),
    wordPrefixBits: (field, prefix) =>
      documentsWithWordPrefix(view, segment, field, prefix, checkDeadline),
    presenceBits: (field) => reader.presence(field),
  }
}
