import { andInto } from '../../codec/bitset.ts'
import type { FilterNode } from '../../query/filter.ts'
import type { SegmentView } from '../view/index-view.ts'
import type { FilterRun } from '../view/search-run.ts'
import { evaluateFilter, type FilterableSegment } from './filter-evaluator.ts'
import { filterableElements } from './filterable-elements.ts'
import { readValueIndex } from './value-indexes.ts'
import { documentsWithWordPrefix, documentsWithWords } from './word-bits.ts'

/**
 * Documents of a segment that match a filter, deleted ones included. May be shared: do not modify.
 */
export function filterBits(run: FilterRun, segment: SegmentView, filter: FilterNode): Uint32Array {
  return evaluateIn(run, filterableSegment(run, segment), filter)
}

/**
 * The allowed documents of a segment that match a filter; undefined if all are allowed and there is
 * no filter. May be shared: do not modify.
 */
export function allowedBits(
  run: FilterRun,
  segment: SegmentView,
  filter: FilterNode | undefined,
  allowed: Uint32Array | undefined,
): Uint32Array | undefined {
  if (filter === undefined) return allowed
  const bits = filterBits(run, segment, filter)
  if (allowed === undefined) return bits
  const both = bits.slice()
  andInto(both, allowed)
  return both
}

/** @returns a bitset by docOrd that may be shared: do not modify */
export function evaluateIn(
  { view, resolveId, checkDeadline }: FilterRun,
  segment: FilterableSegment,
  filter: FilterNode,
): Uint32Array {
  const { schema, analyzer } = view
  const valueIndex = (field: number) => readValueIndex(view, field, checkDeadline)
  return evaluateFilter(filter, segment, { schema, analyzer, resolveId, checkDeadline, valueIndex })
}

/** Adapts a segment to the interface of the filters. */
export function filterableSegment(run: FilterRun, segment: SegmentView): FilterableSegment {
  const { view } = run
  const { reader } = segment
  return {
    docCount: reader.docCount,
    filterCache: segment.filters,
    column: (field) => view.column(segment, field),
    valueOrder: (field) => segment.valueOrder(field, view.column(segment, field)!),
    docOrdOf: (docKey) => reader.docOrdOf(docKey),
    wordsBits: (field, forms) => documentsWithWords(run, segment, field, forms),
    wordPrefixBits: (field, prefix) => documentsWithWordPrefix(run, segment, field, prefix),
    presenceBits: (field) => reader.presence(field),
    elements: (field) => filterableElements(run, segment, field),
  }
}
