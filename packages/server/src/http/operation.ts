import type { ErrorCode, TObject, TSchema } from '@aisle/contract'
import type { FastifyContextConfig, RouteShorthandOptions } from 'fastify'

/** A route in the API reference; `http/openapi-document.ts` turns it into OpenAPI. */
export interface Operation {
  /** Unique, camelCase: the method name in client libraries. */
  readonly id: string
  readonly tag:
    | 'Search'
    | 'Suggestions'
    | 'Documents'
    | 'Schema'
    | 'Settings'
    | 'Events'
    | 'Analytics'
    | 'Stores'
    | 'Access'
    | 'Service'
  readonly summary: string
  readonly description?: string
  /** Meaning of each parameter of the path. */
  readonly path?: Readonly<Record<string, string>>
  /** Parameters of the query string, one per property. */
  readonly query?: TObject
  /** Schemas by media type. */
  readonly body?: Readonly<Record<string, TSchema>>
  readonly bodyOptional?: boolean
  /** A working JSON body, to try the operation with. */
  readonly example?: Readonly<Record<string, unknown>>
  /** The successful response: its status, and its schema by media type. */
  readonly success: {
    readonly status: number
    readonly description: string
    readonly content: Readonly<Record<string, TSchema>>
    /** Other success statuses with the same content, and their meaning. */
    readonly also?: Readonly<Record<number, string>>
  }
  /** Error codes of this operation, besides those that every operation of its kind has. */
  readonly errors?: readonly ErrorCode[]
  /** Schema of errors, if it is not the usual one. */
  readonly errorSchema?: TSchema
}

declare module 'fastify' {
  interface FastifyContextConfig {
    operation?: Operation
  }
}

type Access = Omit<FastifyContextConfig, 'operation'>
type Handling = Pick<RouteShorthandOptions, 'bodyLimit' | 'errorHandler' | 'exposeHeadRoute'>

const ACCESS: ReadonlySet<string> = new Set([
  'auth',
  'role',
  'scoped',
  'audit',
  'hidden',
] satisfies readonly (keyof Access)[])
const HANDLING: ReadonlySet<string> = new Set([
  'bodyLimit',
  'errorHandler',
  'exposeHeadRoute',
] satisfies readonly (keyof Handling)[])

/** The options of a route: who may call it, how it is handled, and its entry in the reference. */
export function route(
  description: Access & Handling & Operation,
): Handling & { config: FastifyContextConfig } {
  const entries = Object.entries(description)
  const rest = entries.filter(([key]) => !ACCESS.has(key) && !HANDLING.has(key))
  return {
    ...Object.fromEntries(entries.filter(([key]) => HANDLING.has(key))),
    config: {
      ...Object.fromEntries(entries.filter(([key]) => ACCESS.has(key))),
      operation: Object.fromEntries(rest) as unknown as Operation,
    },
  }
}

/** A JSON response. */
export function jsonAnswer(
  schema: TSchema,
  description = 'Done.',
  status = 200,
): Operation['success'] {
  return { status, description, content: { 'application/json': schema } }
}

export const STORE_PATH = { id: 'Store id; must equal the `x-storeid` header.' } as const
export const NAMED_PATH = { ...STORE_PATH, name: 'Name, percent-encoded.' } as const
export const DOCUMENT_PATH = { ...STORE_PATH, document_id: 'Document id.' } as const
