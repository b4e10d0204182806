import type { FilterLeaf, FilterNode } from '../../query/filter.ts'
import { allBoosts } from '../../query/personal.ts'
import type { IndexView } from '../view/index-view.ts'
import type { SearchRun } from '../view/search-run.ts'
import { finish, type Pace, type Steps } from '../view/steps.ts'
import type { ValueIndex } from '../view/value-index.ts'
import { visitLeaves } from './filter-leaves.ts'

/** The words of all values of a field; undefined: not indexed. */
export function readValueIndex(
  view: IndexView,
  field: number,
  checkDeadline: () => void,
  isForFacets = false,
): ValueIndex | undefined {
  const index = view.valueIndex(field, isForFacets)
  if (index !== undefined) finish(index.read({ checkDeadline }))
  return index
}

/** Reads the values that a search tests for words, in turns: the first time, there may be many. */
export function* readValues(run: SearchRun): Steps {
  const { view, plan } = run
  const fields = wordFields([
    ...(plan.filter === undefined ? [] : [plan.filter]),
    ...allBoosts(plan).map(({ filter }) => filter),
    ...plan.sort.flatMap((key) => (key.kind === 'filter' ? [key.filter] : [])),
  ])
  yield* readValuesOf(view, fields, run)
  for (const { field, query } of plan.facets) {
    if (query !== undefined) yield* view.valueIndex(field, true)?.read(run) ?? []
  }
}

/** The fields whose values some filters test for words. */
export function wordFields(filters: readonly FilterNode[]): Set<number> {
  const fields = new Set<number>()
  const collect = (leaf: FilterLeaf): void => {
    if (leaf.kind === 'words' || leaf.kind === 'wordPrefix') fields.add(leaf.field)
  }
  for (const filter of filters) visitLeaves(filter, collect)
  return fields
}

export function* readValuesOf(view: IndexView, fields: Iterable<number>, pace: Pace): Steps {
  for (const field of fields) {
    const index = view.valueIndex(field)
    if (index !== undefined) yield* index.read(pace)
  }
}
