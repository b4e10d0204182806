import type { FilterNode } from '@aisle/engine'

/** AND of nodes; nested ANDs become one, so that facets can leave out single clauses of it. */
export function allOf(nodes: readonly FilterNode[]): FilterNode {
  return combine('and', nodes)
}

export function anyOf(nodes: readonly FilterNode[]): FilterNode {
  return combine('or', nodes)
}

/**
 * A test of one field that no document passes (a whole number equal to 1.5). It
 * names its field, so that a disjunctive facet over this field can leave it out like any other test.
 */
export function never(field: number): FilterNode {
  const exists: FilterNode = { kind: 'exists', field }
  return { kind: 'and', nodes: [exists, { kind: 'not', node: exists }] }
}

function combine(kind: 'and' | 'or', nodes: readonly FilterNode[]): FilterNode {
  if (nodes.length === 1) return nodes[0]!
  return { kind, nodes: nodes.flatMap((node) => (node.kind === kind ? node.nodes : [node])) }
}
