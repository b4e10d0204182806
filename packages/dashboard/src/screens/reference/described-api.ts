import type { OpenApi, OpenApiOperation } from '../../parts/operations.ts'

/** A JSON Schema as `/openapi.json` has it. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly format?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly patternProperties?: Readonly<Record<string, Schema>>
}

interface Content {
  readonly [mediaType: string]: { readonly schema?: Schema; readonly example?: unknown }
}

export interface DescribedOperation extends OpenApiOperation {
  readonly requestBody?: { readonly required?: boolean; readonly content: Content }
  readonly responses: Readonly<
    Record<string, { readonly description: string; readonly content?: Content }>
  >
}

export interface DescribedApi extends OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

/** The target of a schema reference, and its name. */
export function resolved(schema: Schema, api: DescribedApi): { name?: string; schema: Schema } {
  const name = schema.$ref?.replace('#/components/schemas/', '')
  const target = name === undefined ? undefined : api.components.schemas[name]
  return name === undefined || target === undefined ? { schema } : { name, schema: target }
}

/** `string`, `list of integer`, `Store`, `"a" or "b"`: a type in words. */
export function typeText(given: Schema, api: DescribedApi): string {
  const { name, schema } = resolved(given, api)
  const variants = schema.anyOf ?? schema.oneOf
  if (schema.enum !== undefined) return schema.enum.map((one) => JSON.stringify(one)).join(' or ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (variants !== undefined) return variants.map((one) => typeText(one, api)).join(' or ')
  if (schema.items !== undefined) return `list of ${typeText(schema.items, api)}`
  if (schema.properties !== undefined && name !== undefined) return name
  return [schema.type ?? 'any value'].flat().join(' or ')
}

/** Its limits: `1 to 250`, `at most 128 characters`. */
export function limitsText(schema: Schema): string {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems } = schema
  return [
    range(minimum, maximum, ''),
    range(minLength, maxLength, ' characters'),
    range(minItems, maxItems, ' entries'),
    schema.default === undefined ? '' : `default ${JSON.stringify(schema.default)}`,
  ]
    .filter((part) => part !== '')
    .join('; ')
}

function range(min: number | undefined, max: number | undefined, unit: string): string {
  if (min === undefined && max === undefined) return ''
  if (max === undefined) return `at least ${min}${unit}`
  return min === undefined ? `at most ${max}${unit}` : `${min} to ${max}${unit}`
}
