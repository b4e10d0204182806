import type {
  TArray,
  TBoolean,
  TEnum,
  TEnumValue,
  TInteger,
  TNumber,
  TObject,
  TOptional,
  TProperties,
  TSchema,
  TString,
  TUnion,
  Type as TypeBox,
} from 'typebox'

export type { TObject, TSchema } from 'typebox'

type Schema = object
type Properties = Readonly<Record<string, Schema>>
interface ObjectSchema extends Schema {
  readonly properties: Properties
}

/** Marks an optional member; listing or printing the schema does not show it. */
const OPTIONAL = '~optional'

/**
 * The schema makers of the contract. They return the same JSON Schema as TypeBox, with its types.
 * TypeBox loads its makers from 373 modules, which every thread of the service would read at
 * startup.
 */
export const Type = {
  String: (options?: object) => ({ type: 'string', ...options }),
  Number: (options?: object) => ({ type: 'number', ...options }),
  Integer: (options?: object) => ({ type: 'integer', ...options }),
  Boolean: (options?: object) => ({ type: 'boolean', ...options }),
  Null: (options?: object) => ({ type: 'null', ...options }),
  Unknown: (options?: object) => ({ ...options }),
  Literal: (value: unknown, options?: object) => ({
    type: typeof value,
    const: value,
    ...options,
  }),
  Enum: (values: readonly unknown[], options?: object) => ({ enum: values, ...options }),
  Union: (anyOf: readonly Schema[], options?: object) => ({ anyOf, ...options }),
  Array: (items: Schema, options?: object) => ({ type: 'array', items, ...options }),
  Record: (_key: Schema, value: Schema, options?: object) => ({
    type: 'object',
    patternProperties: { '^.*$': value },
    ...options,
  }),
  Object: objectOf,
  Optional: (schema: Schema) => Object.defineProperty({ ...schema }, OPTIONAL, { value: true }),
  Partial: ({ properties }: ObjectSchema, options?: object) =>
    objectOf(mapped(properties, Type.Optional), options),
  Required: ({ properties }: ObjectSchema, options?: object) =>
    objectOf(
      mapped(properties, (schema) => ({ ...schema })),
      options,
    ),
  Pick: ({ properties }: ObjectSchema, names: readonly string[], options?: object) =>
    objectOf(
      Object.fromEntries(Object.entries(properties).filter(([name]) => names.includes(name))),
      options,
    ),
} as unknown as Pick<typeof TypeBox, MakerName>

type MakerName =
  | 'String'
  | 'Number'
  | 'Integer'
  | 'Boolean'
  | 'Null'
  | 'Unknown'
  | 'Literal'
  | 'Enum'
  | 'Union'
  | 'Array'
  | 'Record'
  | 'Object'
  | 'Optional'
  | 'Partial'
  | 'Required'
  | 'Pick'

/** Makers of optional members: `Optional.String(…)` is `Type.Optional(Type.String(…))`. */
export const Optional = Object.fromEntries(
  Object.entries(Type as unknown as Record<string, (...given: unknown[]) => TSchema>).map(
    ([name, make]) => [name, (...given: unknown[]) => Type.Optional(make(...given))],
  ),
) as unknown as OptionalMakers

interface OptionalMakers {
  String(options?: object): TOptional<TString>
  Number(options?: object): TOptional<TNumber>
  Integer(options?: object): TOptional<TInteger>
  Boolean(options?: object): TOptional<TBoolean>
  Enum<V extends TEnumValue[]>(values: readonly [...V], options?: object): TOptional<TEnum<V>>
  Union<T extends TSchema[]>(anyOf: [...T], options?: object): TOptional<TUnion<T>>
  Array<T extends TSchema>(items: T, options?: object): TOptional<TArray<T>>
  Object<P extends TProperties>(properties: P, options?: object): TOptional<TObject<P>>
}

function objectOf(properties: Properties, options?: object): object {
  const required = Object.keys(properties).filter(
    (name) => !Object.hasOwn(properties[name]!, OPTIONAL),
  )
  return {
    type: 'object',
    ...(required.length > 0 ? { required } : {}),
    properties,
    ...options,
  }
}

function mapped(properties: Properties, map: (schema: Schema) => Schema): Properties {
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, map(schema)]))
}
