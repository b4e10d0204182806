import type { FilterNode } from '../../query/filter.ts'

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
  const fields = new Set<number>()
  collectFields(node, fields)
  return fields.size === 1 && fields.has(field)
}

/** Fields that a filter tests; -1 is the document id. */
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
      fields.add(-1)
      break
    default:
      fields.add(node.field)
  }
}
