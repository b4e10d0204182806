import type { FilterNode } from '@aisle/engine'
import type { Bound } from '../values/number-literal.ts'

/** AND of nodes; nested ANDs become one, so that facets can leave out single clauses of it. */
export function allOf(nodes: readonly FilterNode[]): FilterNode {
  return combine('and', nodes)
}

export function anyOf(nodes: readonly FilterNode[]): FilterNode {
  return combine('or', nodes)
}

/**
 * A test of one field that no document passes (a whole number equal to 1.5). It names its field, so
 * that a disjunctive facet over this field can leave it out like any other test.
 */
export function never(field: number): FilterNode {
  const exists: FilterNode = { kind: 'exists', field }
  return { kind: 'and', nodes: [exists, { kind: 'not', node: exists }] }
}

/** The documents with a number between two bounds; a missing one leaves that side open. */
export function rangeNode(field: number, low?: Bound, high?: Bound): FilterNode {
  if (low === undefined && high === undefined) return { kind: 'exists', field }
  // Between 1.2 and 1.8 there is no integer, and a half-open range of one number is empty.
  if (low !== undefined && high !== undefined) {
    if (low.value > high.value) return never(field)
    if (low.value === high.value && !(low.inclusive && high.inclusive)) return never(field)
  }
  return {
    kind: 'range',
    field,
    ...(low === undefined ? {} : { low: low.value }),
    ...(high === undefined ? {} : { high: high.value }),
    ...(low === undefined || low.inclusive ? {} : { lowInclusive: false }),
    ...(high === undefined || high.inclusive ? {} : { highInclusive: false }),
  }
}

function combine(kind: 'and' | 'or', nodes: readonly FilterNode[]): FilterNode {
  if (nodes.length === 1) return nodes[0]!
  return { kind, nodes: nodes.flatMap((node) => (node.kind === kind ? node.nodes : [node])) }
}
