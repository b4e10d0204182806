import type { Static } from 'typebox'
import { Optional, Type } from './type.ts'
import { optionalSymbols } from './symbols.ts'
import {
  FIELD_NAME_MAX_CHARS,
  LANGUAGE_MAX_CHARS,
  SCHEMA_FIELDS_MAX,
  VECTOR_DIMENSIONS_MAX,
  VECTOR_DIMENSIONS_MIN,
} from './limits.ts'

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
    'vector',
    'object',
    'object[]',
    'auto',
  ],
  {
    description:
      'Type of the values. A `date` is an ISO 8601 text or a number of seconds since 1970. A `geopoint` is `[latitude, longitude]` or `{"lat": …, "lon": …}`; it can be filtered by area and sorted by distance without any role. A `vector` is a list of `dimensions` numbers that says what a document is about; searches compare it with the parameter `vector`. An `object` or `object[]` holds the fields named `<name>.<field>`; a type below an `object[]` is the type within one element. `auto` is only for patterns: the first value of each new field decides.',
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
const takes_single = Optional.Boolean({
  description:
    'A list may be written as its only value, without brackets. Set when a change of type made the field a list, because its documents are as they were written.',
})
const sort = Type.Boolean({ default: false, description: 'Results can be ordered by it.' })
const dimensions = Optional.Integer({
  minimum: VECTOR_DIMENSIONS_MIN,
  maximum: VECTOR_DIMENSIONS_MAX,
  description: 'For a `vector`, which requires it: how many numbers each one has.',
})
const metric = Optional.Enum(['cosine', 'dot'], {
  description:
    'How vectors are compared: `cosine` by their directions, the usual case and default; `dot` by their scalar product, to which their lengths count.',
})

/** A field in a response, with every role. */
export const SchemaField = Type.Object(
  {
    name,
    type,
    searchable,
    facet,
    sort,
    language,
    ...optionalSymbols,
    dimensions,
    metric,
    takes_single,
    pattern,
  },
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
    dimensions,
    metric,
    takes_single,
    pattern,
  },
  { $id: 'SchemaFieldRequest' },
)

/** Fields that are being redefined while the former definitions serve. */
export const RunningSchemaChange = Type.Object(
  {
    state: Type.Enum(['running', 'failed'], {
      description: '`failed`: it is tried again at the next start of the service.',
    }),
    fields: Type.Array(SchemaField, { description: 'The fields as they will be.' }),
    documents_done: Type.Integer(),
    documents_total: Type.Integer(),
    seconds_left: Optional.Integer({ description: 'An estimate, as soon as there is one.' }),
  },
  { $id: 'RunningSchemaChange' },
)

export const StoreSchema = Type.Object(
  {
    fields: Type.Array(SchemaField),
    change: Type.Optional(RunningSchemaChange),
    previous_fields: Optional.Array(SchemaField, {
      description:
        'The fields that the last change redefined, as they were. Sending them with mode `change` undoes it.',
    }),
  },
  { $id: 'StoreSchema', description: 'Empty until a schema is defined.' },
)

export const ChangeSchemaRequest = Type.Object(
  {
    mode: Optional.Enum(['additive', 'change', 'replace'], {
      default: 'additive',
      description:
        '`additive` appends new fields and keeps all documents; `change` also redefines the fields that it names, and keeps all documents; `replace` deletes all documents.',
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
    fields_changed: Optional.Array(Type.String(), { description: 'With mode `change`.' }),
    mode: Type.Enum(['additive', 'change', 'replace']),
    job: Type.Optional(RunningSchemaChange),
    warnings: Optional.Array(Type.String()),
  },
  { $id: 'ChangedSchema' },
)
export const CancelledSchemaChange = Type.Object(
  { success: Type.Literal(true), message: Type.String() },
  { $id: 'CancelledSchemaChange' },
)

export type SchemaField = Static<typeof SchemaField>
export type SchemaFieldRequest = Static<typeof SchemaFieldRequest>
export type RunningSchemaChange = Static<typeof RunningSchemaChange>
export type StoreSchema = Static<typeof StoreSchema>
export type ChangeSchemaRequest = Static<typeof ChangeSchemaRequest>
export type CancelledSchemaChange = Static<typeof CancelledSchemaChange>
export type ChangedSchema = Static<typeof ChangedSchema>
