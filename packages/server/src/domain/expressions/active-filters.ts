import type { FilterNode } from '@aisle/engine'

/**
 * The clauses that a filter requires, each as a text: equal texts are equal clauses, whatever the
 * order of their parts.
 */
export function demandedClauses(filter: FilterNode | undefined): ReadonlySet<string> {
  if (filter === undefined) return new Set()
  const nodes = filter.kind === 'and' ? filter.nodes : [filter]
  return new Set(nodes.map(clauseKey))
}

function clauseKey(node: FilterNode): string {
  switch (node.kind) {
    case 'and':
    case 'or': {
      const parts = [...new Set(node.nodes.map(clauseKey))].toSorted()
      return `${node.kind}(${parts.join()})`
    }
    case 'not':
      return `not(${clauseKey(node.node)})`
    case 'elements':
      return `elements${node.field}(${clauseKey(node.node)})`
    case 'ids':
      return `ids${JSON.stringify([...new Set(node.ids)].toSorted())}`
    case 'range': {
      const { field, low, high, lowInclusive = true, highInclusive = true } = node
      return `range${JSON.stringify([field, textOf(low), lowInclusive, textOf(high), highInclusive])}`
    }
    case 'equals': {
      const { field, value } = node
      return `equals${JSON.stringify([field, typeof value, textOf(value)])}`
    }
    case 'valuePrefix':
      return `beginning${JSON.stringify([node.field, node.prefix])}`
    case 'within':
      return `within${JSON.stringify([node.field, node.area])}`
    case 'words':
      return `words${JSON.stringify([node.field, [...new Set(node.forms)].toSorted()])}`
    case 'wordPrefix':
      return `prefix${JSON.stringify([node.field, node.prefix])}`
    case 'near':
      return `near${JSON.stringify([node.field, node.least, [...node.vector.codes]])}`
    case 'exists':
      return `exists${node.field}`
  }
}

/** -0 and 0 are the same number. */
function textOf(value: string | number | bigint | boolean | undefined): string | undefined {
  return value === undefined ? undefined : String(value)
}
