import type { ErrorCode, TObject, TSchema } from '@aisle/contract'
import type { FastifyContextConfig, RouteShorthandOptions } from 'fastify'
import type { AuthNeed } from './route-table.ts'

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
  /** Meaning of parameters of the path, where it is not that of PATH_PARAMETERS. */
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
  /** The response has an `ETag`, to be sent back in `If-Match`. */
  readonly tagged?: boolean
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

type Access = Omit<FastifyContextConfig, 'auth' | 'operation'>
type Handling = Pick<RouteShorthandOptions, 'bodyLimit' | 'errorHandler' | 'exposeHeadRoute'>

/** The options of a route: who may call it, how it is handled, and its entry in the reference. */
export function route(
  auth: AuthNeed,
  tag: Operation['tag'],
  description: Access & Handling & Omit<Operation, 'tag'>,
): Handling & { config: FastifyContextConfig } {
  const {
    role,
    scoped,
    perStore,
    audit,
    hidden,
    isProbe,
    takesAnyBody,
    bodyLimit,
    errorHandler,
    exposeHeadRoute,
    ...operation
  } = description
  return {
    ...given({ bodyLimit, errorHandler, exposeHeadRoute }),
    config: {
      auth,
      ...given({ role, scoped, perStore, audit, hidden, isProbe, takesAnyBody }),
      operation: { tag, ...operation },
    },
  }
}

/** Without members that are undefined. */
function given<T extends object>(members: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> }
}

/** A JSON response. */
export function jsonAnswer(
  schema: TSchema,
  description = 'Done.',
  status = 200,
): Operation['success'] {
  return { status, description, content: { 'application/json': schema } }
}
