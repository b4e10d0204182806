import type { FilterLeaf } from '../../query/filter.ts'
import type { IndexView } from '../view/index-view.ts'
import type { SearchRun } from '../view/search-run.ts'
import type { ValueIndex } from '../view/value-index.ts'
import { visitLeaves } from './filter-leaves.ts'

/** The words of all values of a field; undefined: not indexed. */
export function readValueIndex(
  view: IndexView,
  field: number,
  checkDeadline: () => void,
): ValueIndex | undefined {
  const index = view.valueIndex(field)
  index?.read(() => false, checkDeadline).next()
  return index
}

/** Reads the values that filters test for words, in turns: the first time, there may be many. */
export function* readValues(run: SearchRun): Generator<void, void> {
  const { view, plan, isTurnOver, checkDeadline } = run
  const fields = new Set<number>()
  const collect = (leaf: FilterLeaf): void => {
    if (leaf.kind === 'words' || leaf.kind === 'wordPrefix') fields.add(leaf.field)
  }
  if (plan.filter !== undefined) visitLeaves(plan.filter, collect)
  for (const { filter } of plan.boosts) visitLeaves(filter, collect)
  for (const key of plan.sort) if (key.kind === 'filter') visitLeaves(key.filter, collect)
  for (const { field, query } of plan.facets) if (query !== undefined) fields.add(field)
  for (const field of fields) {
    const index = view.valueIndex(field)
    if (index !== undefined) yield* index.read(isTurnOver, checkDeadline)
  }
}
