import { ApiError } from '@aisle/contract'
import type { Field, FilterNode, Schema } from '@aisle/engine'
import { otherKind } from '../documents/field-lookup.ts'
import { allOf, anyOf } from './filter-nodes.ts'

/**
 * The test of a field, or of the field with the other values of the same attribute if only that one
 * can have the value: `specs.size:=XL` where `specs.size` has numbers. Presence is that of either.
 *
 * @param test parses the test for a field
 * @throws ApiError of the first field, if neither can have the value
 */
export function testOfEither<Node extends FilterNode | undefined>(
  schema: Schema,
  field: Field,
  ordinal: number,
  test: (field: Field, ordinal: number) => Node,
): Node | FilterNode {
  const other = otherKind(schema, field)
  if (other === undefined) return test(field, ordinal)
  const testOther = (): Node => test(schema.fields[other]!, other)
  let node: Node
  try {
    node = test(field, ordinal)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    try {
      return testOther()
    } catch (again) {
      throw again instanceof ApiError ? error : again
    }
  }
  if (node?.kind === 'exists') return anyOf([node, testOther()!])
  const isAbsence = node?.kind === 'not' && node.node.kind === 'exists'
  return isAbsence ? allOf([node!, testOther()!]) : node
}
