import { andInto } from '../../codec/bitset.ts'
import type { FilterNode } from '../../query/filter.ts'
import { allBoosts } from '../../query/personal.ts'
import type { IndexView, SegmentView } from '../view/index-view.ts'
import type { FilterRun, SearchRun } from '../view/search-run.ts'
import type { Pace, Steps } from '../view/steps.ts'
import type { ValueIndex } from '../view/value-index.ts'
import {
  evaluateFilter,
  filterSteps,
  type FilterableSegment,
  type FilterContext,
} from './filter-evaluator.ts'
import { filterableElements } from './filterable-elements.ts'
import { filterKey } from './filter-key.ts'
import { readValueIndex } from './value-indexes.ts'
import { documentsWithWordPrefix, documentsWithWords } from './word-bits.ts'

/**
 * Documents of a segment that match a filter, deleted ones included. May be shared: do not modify.
 */
export function filterBits(run: FilterRun, segment: SegmentView, filter: FilterNode): Uint32Array {
  return evaluateIn(run, filterableSegment(run.view, segment), filter)
}

/**
 * The allowed documents of a segment that match a filter; undefined if all are allowed and there is
 * no filter. May be shared: do not modify.
 */
export function* allowedBits(
  run: FilterRun & Pace,
  segment: SegmentView,
  filter: FilterNode | undefined,
  allowed: Uint32Array | undefined,
): Steps<Uint32Array | undefined> {
  if (filter === undefined) return allowed
  const bits = yield* filterBitsInSteps(run, segment, filter)
  if (allowed === undefined) return bits
  const both = bits.slice()
  andInto(both, allowed)
  return both
}

/** @returns a bitset by docOrd that may be shared: do not modify */
export function evaluateIn(
  run: FilterRun,
  segment: FilterableSegment,
  filter: FilterNode,
): Uint32Array {
  return evaluateFilter(filter, segment, contextOf(run))
}

/** `filterBits` in steps. Read the values of the filter first. */
export function filterBitsInSteps(
  run: FilterRun & Pace,
  segment: SegmentView,
  filter: FilterNode,
): Steps<Uint32Array> {
  const { isTurnOver } = run
  return filterSteps(filter, filterableSegment(run.view, segment), {
    ...contextOf(run),
    isTurnOver,
  })
}

/**
 * Evaluates the filters of boosts, sort keys and facets in steps. Their bits stay in the cache of
 * the segment, from which ranking and counting take them in the middle of a turn.
 *
 * @param ofFacets undefined, or that of the plan: evaluated with the matches
 */
export function* readFilters(run: SearchRun, ofFacets: readonly (FilterNode | undefined)[]): Steps {
  const { view, plan } = run
  const filters = new Set(allBoosts(plan).map(({ filter }) => filter))
  for (const key of plan.sort) if (key.kind === 'filter') filters.add(key.filter)
  for (const filter of ofFacets) {
    if (filter !== undefined && filter !== plan.filter) filters.add(filter)
  }
  for (const filter of filters) {
    if (filterKey(filter) === null) continue
    for (const segment of view.segments) yield* filterBitsInSteps(run, segment, filter)
  }
}

function contextOf({ view, resolveId, checkDeadline }: FilterRun): FilterContext {
  const { schema, analyzer, valueWords } = view
  const read = new Map<number, ValueIndex | undefined>()
  const valueIndex = (field: number): ValueIndex | undefined => {
    if (!read.has(field)) read.set(field, readValueIndex(view, field, checkDeadline))
    return read.get(field)
  }
  return { schema, analyzer, valueWords, resolveId, checkDeadline, valueIndex }
}

/** Adapts a segment to the interface of the filters. */
export function filterableSegment(view: IndexView, segment: SegmentView): FilterableSegment {
  const { reader } = segment
  return {
    docCount: reader.docCount,
    filterCache: segment.filters,
    column: (field) => view.column(segment, field),
    valueOrder: (field) => segment.valueOrder(field, view.column(segment, field)!),
    docOrdOf: (docKey) => reader.docOrdOf(docKey),
    wordsBits: (field, forms, pace) => documentsWithWords(view, segment, field, forms, pace),
    wordPrefixBits: (field, prefix, pace) =>
      documentsWithWordPrefix(view, segment, field, prefix, pace),
    vectors: (field) => reader.vectors(view.schema, field),
    presenceBits: (field) => reader.vectors(view.schema, field)?.presence ?? reader.presence(field),
    elements: (field) => filterableElements(view, segment, field),
  }
}
