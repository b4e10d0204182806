import type { FilterLeaf, FilterNode } from '../../query/filter.ts'

/** Calls `visit` with each leaf of a filter. */
export function visitLeaves(node: FilterNode, visit: (leaf: FilterLeaf) => void): void {
  switch (node.kind) {
    case 'and':
    case 'or':
      for (const child of node.nodes) visitLeaves(child, visit)
      break
    case 'not':
    case 'elements':
      visitLeaves(node.node, visit)
      break
    default:
      visit(node)
  }
}
