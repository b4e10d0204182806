import type { Field, FilterNode, Schema } from '@aisle/engine'

/**
 * Filters on `object` and `object[]` fields. The filter expression and the `filters`
 * object share it.
 */

/** Documents with an element. */
export function anyElement(objects: number): FilterNode {
  return { kind: 'elements', field: objects, node: { kind: 'and', nodes: [] } }
}

/** Whether an `object[]` field is inside the elements of another. */
export function isInElements({ fields }: Schema, ordinal: number): boolean {
  const { name } = fields[ordinal]!
  return fields.some((other) => other.type === 'object[]' && name.startsWith(`${other.name}.`))
}

export function onlyOutermost({ name }: Field): string {
  return `\`${name}\` is nested in another list of objects: filter the elements of the outer list, with \`${name}.…\` as a field inside its braces`
}

export function notAValue({ name, type }: Field): string {
  return `field \`${name}\` is ${type}: expected \`${name}:{…}\` with its fields, or one of them, \`${name}.…\``
}

export function notByElement({ name }: Field): string {
  return `field \`${name}\` cannot be filtered by element: it is not \`facet\``
}
