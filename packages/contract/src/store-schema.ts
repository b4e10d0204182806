import type { Static } from 'typebox'
import { Optional, Type } from './type.ts'
import { optionalSymbols } from './symbols.ts'
import { FIELD_NAME_MAX_CHARS, LANGUAGE_MAX_CHARS, SCHEMA_FIELDS_MAX } from './limits.ts'

const name = Type.String({
  minLength: 1,
  maxLength: FIELD_NAME_MAX_CHARS,
  description:
    'Field name; snake_case by convention. `id` is reserved. `specs.*` below an object `specs` is a pattern: documents add the fields.',
})
const type = Type.Enum(
  [
    'string',
    'int32',
    'int64',
    'float',
    'bool',
    'date',
    'string[]',
    'int32[]',
    'int64[]',
    'float[]',
    'bool[]',
    'date[]',
    'geopoint',
    'geopoint[]',
    'object',
    'object[]',
    'auto',
  ],
  {
    description:
      'Type of the values. A `date` is an ISO 8601 text or a number of seconds since 1970. A `geopoint` is `[latitude, longitude]` or `{"lat": …, "lon": …}`; it can be filtered by area and sorted by distance without any role. An `object` or `object[]` holds the fields named `<name>.<field>`; a type below an `object[]` is the type within one element. `auto` is only for patterns: the first value of each new field decides.',
  },
)
const searchable = Type.Boolean({
  default: false,
  description: 'Queries match its words.',
})
const facet = Type.Boolean({
  default: false,
  description: 'Can be filtered and counted as a facet.',
})
const language = Optional.String({
  maxLength: LANGUAGE_MAX_CHARS,
  description:
    'Language of a text field, as a BCP 47 tag, if it differs from that of the store: inflections match too.',
})
const pattern = Optional.String({
  maxLength: FIELD_NAME_MAX_CHARS,
  description: 'The pattern through which a document added this field.',
})
const sort = Type.Boolean({ default: false, description: 'Results can be ordered by it.' })

/** A field in a response, with every role. */
export const SchemaField = Type.Object(
  { name, type, searchable, facet, sort, language, ...optionalSymbols, pattern },
  { $id: 'SchemaField' },
)

/** A field in a request. */
export const SchemaFieldRequest = Type.Object(
  {
    name,
    type,
    searchable: Type.Optional(searchable),
    facet: Type.Optional(facet),
    sort: Type.Optional(sort),
    language,
    ...optionalSymbols,
    pattern,
  },
  { $id: 'SchemaFieldRequest' },
)

export const StoreSchema = Type.Object(
  { fields: Type.Array(SchemaField) },
  { $id: 'StoreSchema', description: 'Empty until a schema is defined.' },
)

export const ChangeSchemaRequest = Type.Object(
  {
    mode: Optional.Enum(['additive', 'replace'], {
      default: 'additive',
      description:
        '`additive` appends new fields and keeps all documents; `replace` deletes all documents.',
    }),
    fields: Type.Array(SchemaFieldRequest, { maxItems: SCHEMA_FIELDS_MAX }),
  },
  { $id: 'ChangeSchemaRequest' },
)

export const ChangedSchema = Type.Object(
  {
    success: Type.Literal(true),
    message: Type.String(),
    fields_added: Type.Array(Type.String()),
    fields_unchanged: Type.Array(Type.String()),
    mode: Type.Enum(['additive', 'replace']),
    warnings: Optional.Array(Type.String()),
  },
  { $id: 'ChangedSchema' },
)
export type SchemaField = Static<typeof SchemaField>
export type SchemaFieldRequest = Static<typeof SchemaFieldRequest>
export type StoreSchema = Static<typeof StoreSchema>
export type ChangeSchemaRequest = Static<typeof ChangeSchemaRequest>
export type ChangedSchema = Static<typeof ChangedSchema>
