import { Compile } from 'typebox/schema'
import type { HttpAnswer } from '@aisle/testing'
import { openApiText } from '../openapi-text.ts'

/** The OpenAPI document for tests: its operations, and whether an answer conforms to them. */

export interface JsonSchema {
  readonly $ref?: string
  readonly type?: string
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly patternProperties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly items?: JsonSchema
  readonly anyOf?: readonly JsonSchema[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly minimum?: number
  readonly maximum?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly minLength?: number
  readonly maxLength?: number
}

type Content = Readonly<Record<string, { readonly schema?: JsonSchema }>>

export interface Operation {
  readonly operationId: string
  readonly parameters?: readonly { name: string; in: string; schema?: JsonSchema }[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<
    Record<string, { readonly description: string; readonly content?: Content }>
  >
}

export interface Route {
  /** `/api/v1/stores/{id}/schema` */
  readonly path: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly operation: Operation
}

const api = JSON.parse(await openApiText()) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> }
}

/** These delete the store, are slow by design, or never end. */
const LEFT_OUT = new Set([
  'deleteStore',
  'swapStores',
  'rotateKey',
  'revokePreviousKey',
  'createSnapshot',
  'verifySnapshot',
  'tailEvents',
  'logIn',
])

/** All operations except those that generated requests must not call. */
export const ROUTES: readonly Route[] = Object.entries(api.paths).flatMap(([path, operations]) =>
  Object.entries(operations)
    .filter(([, { operationId }]) => !LEFT_OUT.has(operationId))
    .map(([verb, operation]) => {
      return { path, method: verb.toUpperCase() as Route['method'], operation }
    }),
)

/** The schema of a reference, or the schema itself. */
export function resolved(schema: JsonSchema): JsonSchema {
  const name = schema.$ref?.split('/').at(-1)
  return name === undefined ? schema : resolved(api.components.schemas[name]!)
}

/** Values that replace any other value. */
export const ODD_VALUES: readonly unknown[] = [
  null,
  true,
  -1,
  0.5,
  1e300,
  Number.MAX_SAFE_INTEGER,
  '',
  '*',
  '"',
  '\ud800',
  '((((',
  '__proto__',
  'a '.repeat(400),
  [],
  [[]],
  [''],
  [null],
  ['__proto__', 'constructor'],
  {},
  { ['__proto__']: 1 },
  { constructor: { prototype: 1 }, length: 1e9 },
]
export const ODD_BODIES = [
  '',
  '{',
  'null',
  '7',
  '[]',
  '"x"',
  '{"__proto__":{"q":1}}',
  '\0',
  '['.repeat(3_000),
]
export const ODD_PATHS = ['nope', '%00', '..%2f..', '%ff', 'a'.repeat(300)]

/** The bounds of a schema, and invalid values beyond them. */
export function valuesFor(schema: JsonSchema): unknown[] {
  const { minimum, maximum, enum: values } = resolved(schema)
  return [minimum, maximum, ...(values ?? []), ...ODD_VALUES].filter((value) => value !== undefined)
}

/** Maximum of body characters in a problem. */
const SHOWN_MAX = 300

/** @returns problems of an answer: a 5xx, or one that the operation does not declare */
export function answerProblem(operation: Operation, answer: HttpAnswer): string | undefined {
  const { status, body, type } = answer
  if (status >= 500) return `answered ${status} ${body.toString().slice(0, SHOWN_MAX)}`
  const declared = operation.responses[String(status)]
  if (declared === undefined) return `answered ${status}, which is not declared`
  if (declared.content === undefined) {
    return body.length === 0 ? undefined : `${status} has a body, and none is declared`
  }
  const content = declared.content[type]
  if (content === undefined) return `${status} has the type "${type}", which is not declared`
  if (type !== 'application/json') return undefined
  let value: unknown
  try {
    value = JSON.parse(body.toString())
  } catch {
    return `${status} is not JSON`
  }
  const code = (value as { code?: unknown } | null)?.code
  const isError = status >= 400 && typeof code === 'string'
  if (isError && !declared.description.includes(`\`${code}\``)) {
    return `${status} has the code "${code}", which is not declared`
  }
  return schemaProblem(content.schema ?? {}, value, status)
}

const validators = new Map<string, ReturnType<typeof Compile>>()

function schemaProblem(schema: JsonSchema, value: unknown, status: number): string | undefined {
  const text = JSON.stringify(schema)
  let validator = validators.get(text)
  if (validator === undefined) {
    // References start at the root, which has the components here too.
    validator = Compile({ ...schema, components: api.components } as object)
    validators.set(text, validator)
  }
  if (validator.Check(value)) return undefined
  const [, [first]] = validator.Errors(value)
  return `${status} is not what is declared: ${first?.instancePath ?? ''} ${first?.message ?? ''}`
}
