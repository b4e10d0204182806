import type { FilterNode } from '@aisle/engine'
import type { Bound } from '../values/number-literal.ts'

/** AND of nodes. Nested ANDs are flattened, so that facets can leave out single clauses. */
export function allOf(nodes: readonly FilterNode[]): FilterNode {
  return combine('and', nodes)
}

export function anyOf(nodes: readonly FilterNode[]): FilterNode {
  return combine('or', nodes)
}

/**
 * The same filter as one condition. A disjunctive facet ignores conditions that are only about its
 * own field, and must not ignore this one: an alternative that matches no document and names no
 * field is added.
 */
export function asOneCondition(node: FilterNode): FilterNode {
  return { kind: 'or', nodes: [node, NOTHING] }
}

/** No document. */
export const NOTHING: FilterNode = { kind: 'ids', ids: [] }

/**
 * A test of one field that no document passes (an integer equal to 1.5). It names its field, so a
 * disjunctive facet over this field can leave it out like any other test.
 */
export function never(field: number): FilterNode {
  const exists: FilterNode = { kind: 'exists', field }
  return { kind: 'and', nodes: [exists, { kind: 'not', node: exists }] }
}

/** Documents with a number between two bounds; an absent bound leaves that side open. */
export function rangeNode(field: number, low?: Bound, high?: Bound): FilterNode {
  if (low === undefined && high === undefined) return { kind: 'exists', field }
  // There is no integer between 1.2 and 1.8, and a half-open range of one number is empty.
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
