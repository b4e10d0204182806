import { elementType, hasColumn, isArrayType, type Field } from '@aisle/engine'

/** Whether the values of a field can be found in a query: a facet with texts. */
export function hasReadableValues({ type, facet }: Field): boolean {
  return facet && elementType(type) === 'string'
}

/** Whether a price in a query can be one of a field: one number, which filters know. */
export function hasReadablePrice(field: Field): boolean {
  const { type } = field
  const isNumber = type === 'float' || type === 'int32' || type === 'int64'
  return isNumber && !isArrayType(type) && hasColumn(field)
}
