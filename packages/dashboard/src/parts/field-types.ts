import type { SchemaFieldRequest } from '@aisle/contract'

export type FieldType = SchemaFieldRequest['type']

/** Types of fields in everyday words. The values are the names in the API. */
export const FIELD_TYPES: readonly { readonly value: FieldType; readonly label: string }[] = [
  { value: 'string', label: 'string' },
  { value: 'int32', label: 'int32' },
  { value: 'int64', label: 'int64' },
  { value: 'float', label: 'float' },
  { value: 'bool', label: 'bool' },
  { value: 'string[]', label: 'string[]' },
  { value: 'int32[]', label: 'int32[]' },
  { value: 'int64[]', label: 'int64[]' },
  { value: 'float[]', label: 'float[]' },
  { value: 'bool[]', label: 'bool[]' },
]
