import type { FilterNode } from '../../query/filter.ts'
import { visitLeaves } from './filter-leaves.ts'

/**
 * The filter for counting a facet regardless of the selection in its field: without top-level AND
 * clauses that test only this field. Returns the same object if there are none.
 */
export function filterForFacet(
  filter: FilterNode | undefined,
  field: number,
): FilterNode | undefined {
  if (filter === undefined) return undefined
  if (filter.kind !== 'and') return testsOnly(filter, field) ? undefined : filter
  const nodes = filter.nodes.filter((node) => !testsOnly(node, field))
  if (nodes.length === filter.nodes.length) return filter
  return nodes.length === 0 ? undefined : { kind: 'and', nodes }
}

function testsOnly(node: FilterNode, field: number): boolean {
  let isOnly = false
  let isOther = false
  visitLeaves(node, (leaf) => {
    if (leaf.kind !== 'ids' && leaf.field === field) isOnly = true
    else isOther = true
  })
  return isOnly && !isOther
}
