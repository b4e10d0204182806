import { ApiError, type Personalize } from '@aisle/contract'
import type { Schema } from '@aisle/engine'
import { requireField } from '../documents/field-lookup.ts'
import { hasReadablePrice, hasReadableValues } from '../documents/readable-field.ts'

/** Checks the fields of `ranking.personalize`. @throws ApiError unknown_field, invalid_parameter */
export function checkPersonalize(given: Personalize | undefined, schema: Schema): void {
  let price: string | undefined
  for (const [i, name] of (given?.fields ?? []).entries()) {
    const param = `ranking.personalize.fields[${i}]`
    const { field } = requireField(schema, name, { param })
    if (hasReadableValues(field)) continue
    if (!hasReadablePrice(field)) {
      throw new ApiError(
        'invalid_parameter',
        `\`${param}\` must be a facet of type string or string[], or a single number that is a facet or sortable: \`${name}\` is not.`,
        { param },
      )
    }
    if (price !== undefined) {
      throw new ApiError(
        'invalid_parameter',
        `\`${param}\` is a second number beside \`${price}\`: only one field can be the price.`,
        { param },
      )
    }
    price = name
  }
}
