import type { Analyzer } from '../analysis/analyzer.ts'
import { valueAnalyzer } from '../analysis/field-analyzer.ts'
import { areaHolds } from '../places/area.ts'
import { unpackPlace } from '../places/place.ts'
import type { FilterLeaf, FilterNode } from '../query/filter.ts'
import { type Scalar, elementsAt, fieldValue } from '../schema/schema.ts'
import { type CandidateDocument, elementsOf, textOf } from './candidate-document.ts'
import { similarityOf } from './similarity.ts'

/**
 * Whether the document matches the filter, by its values alone. An array field matches a condition
 * if any of its elements does. Each element of an `object[]` field is tested like a document.
 */
export function matches(
  document: CandidateDocument,
  filter: FilterNode,
  analyzer: Analyzer,
): boolean {
  switch (filter.kind) {
    case 'and':
      return filter.nodes.every((node) => matches(document, node, analyzer))
    case 'or':
      return filter.nodes.some((node) => matches(document, node, analyzer))
    case 'not':
      return !matches(document, filter.node, analyzer)
    case 'ids':
      return filter.ids.includes(document.id)
    case 'near': {
      const similarity = similarityOf(document, filter.field, filter.vector)
      return similarity !== undefined && similarity >= filter.least
    }
    case 'elements':
      return elementsAt(document.values, filter.field).some((element) => {
        const values = document.values.map((_, field) => element.get(field))
        return matches({ ...document, values }, filter.node, analyzer)
      })
    default:
      return elementsOf(fieldValue(document.values, filter.field)).some((element) =>
        elementMatches(element, filter, valueAnalyzer(analyzer, document.fields[filter.field]!)),
      )
  }
}

function elementMatches(
  element: Scalar,
  leaf: Exclude<FilterLeaf, { kind: 'ids' } | { kind: 'near' }>,
  analyzer: Analyzer,
): boolean {
  switch (leaf.kind) {
    case 'exists':
      return true
    case 'equals':
      return (typeof element === 'string' ? analyzer.fold(element) : element) === leaf.value
    case 'valuePrefix':
      return typeof element === 'string' && analyzer.fold(element).startsWith(leaf.prefix)
    case 'range':
      return isInRange(element, leaf)
    case 'within':
      return typeof element === 'bigint' && areaHolds(leaf.area, unpackPlace(element))
    case 'words': {
      const forms = formsIn(element, analyzer)
      return leaf.forms.every((form) => forms.includes(form))
    }
    case 'wordPrefix':
      return formsIn(element, analyzer).some((form) => form.startsWith(leaf.prefix))
  }
}

/** Whether a number is within the bounds; false for any other value. */
export function isInRange(
  element: Scalar,
  range: {
    readonly low?: number | bigint
    readonly high?: number | bigint
    readonly lowInclusive?: boolean
    readonly highInclusive?: boolean
  },
): boolean {
  if (typeof element !== 'number' && typeof element !== 'bigint') return false
  const { low, high, lowInclusive = true, highInclusive = true } = range
  if (low !== undefined && !(lowInclusive ? element >= low : element > low)) return false
  if (high !== undefined && !(highInclusive ? element <= high : element < high)) return false
  return true
}

/** The words of one value, including joined spellings. */
export function formsIn(element: Scalar, analyzer: Analyzer): string[] {
  return analyzer.analyze(textOf(element)).map((token) => token.form)
}

/**
 * The filter without the conditions on one facet's own field. Top-level clauses (the parts of the
 * outermost `and`, or the filter as a whole) are dropped if all their leaves test this field.
 */
export function withoutField(filter: FilterNode, field: number): FilterNode {
  const clauses = filter.kind === 'and' ? filter.nodes : [filter]
  return { kind: 'and', nodes: clauses.filter((clause) => !testsOnly(clause, field)) }
}

function testsOnly(clause: FilterNode, field: number): boolean {
  const leaves = leavesOf(clause)
  return leaves.length > 0 && leaves.every((leaf) => leaf.kind !== 'ids' && leaf.field === field)
}

function leavesOf(node: FilterNode): FilterLeaf[] {
  if (node.kind === 'and' || node.kind === 'or') return node.nodes.flatMap(leavesOf)
  return node.kind === 'not' || node.kind === 'elements' ? leavesOf(node.node) : [node]
}
