import type { FilterNode } from '../../query/filter.ts'
import type { IndexView } from '../view/index-view.ts'
import type { SearchRun } from '../view/search-run.ts'
import type { ValueIndex } from '../view/value-index.ts'
import { isOfWords } from './filter-evaluator.ts'

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
  if (plan.filter !== undefined) collectFields(plan.filter, fields)
  for (const { filter } of plan.boosts) collectFields(filter, fields)
  for (const key of plan.sort) if (key.kind === 'filter') collectFields(key.filter, fields)
  for (const { field, query } of plan.facets) if (query !== undefined) fields.add(field)
  for (const field of fields) {
    const index = view.valueIndex(field)
    if (index !== undefined) yield* index.read(isTurnOver, checkDeadline)
  }
}

function collectFields(node: FilterNode, fields: Set<number>): void {
  switch (node.kind) {
    case 'and':
    case 'or':
      for (const child of node.nodes) collectFields(child, fields)
      break
    case 'not':
    case 'elements':
      collectFields(node.node, fields)
      break
    case 'ids':
      break
    default:
      if (isOfWords(node)) fields.add(node.field)
  }
}
