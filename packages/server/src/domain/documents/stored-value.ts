import { unpackPlace, type Field, type Place, type Scalar, type Schema } from '@aisle/engine'
import { elementsAtPath } from '../json/json-paths.ts'
import { isFault, readField } from './field-value.ts'
import { declaredType, keysOf } from './nested-fields.ts'

/**
 * The places of a field in a stored document; none if it has none.
 * @param json the data object
 */
export function placesOf(json: Uint8Array, field: Field, schema: Schema): readonly Place[] {
  return elementsAtPath(json, keysOf(field, schema)).flatMap((element) => {
    const value = readField(json, element, declaredType(field), field)
    if (isFault(value)) return []
    const packed = (Array.isArray(value) ? value : [value]) as readonly bigint[]
    return packed.map(unpackPlace)
  })
}

/** The texts or numbers of a field in a stored document. @param json the data object */
export function scalarsOf(json: Uint8Array, field: Field, schema: Schema): readonly Scalar[] {
  return elementsAtPath(json, keysOf(field, schema)).flatMap((element): readonly Scalar[] => {
    if (element.kind === 'null') return []
    const value = readField(json, element, declaredType(field), field)
    if (isFault(value)) return []
    return (Array.isArray(value) ? value : [value]) as readonly Scalar[]
  })
}

/** The vector of a field in a stored document. @param json the data object */
export function vectorOf(
  json: Uint8Array,
  field: Field,
  schema: Schema,
): readonly number[] | undefined {
  const [element] = elementsAtPath(json, keysOf(field, schema))
  if (element === undefined || element.kind === 'null') return undefined
  const value = readField(json, element, field.type, field)
  return isFault(value) ? undefined : (value as readonly number[])
}
