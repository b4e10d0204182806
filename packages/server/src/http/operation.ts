import type { ErrorCode, TObject, TSchema } from '@aisle/contract'

/** What the API reference says about a route; `http/openapi-document.ts` makes OpenAPI of it. */
export interface Operation {
  /** Unique, camelCase: the name of the call in client libraries. */
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
  /** A JSON body that works, to try the operation with. */
  readonly example?: Readonly<Record<string, unknown>>
  /** Answer of success: its status, and its schema by media type. */
  readonly success: {
    readonly status: number
    readonly description: string
    readonly content: Readonly<Record<string, TSchema>>
    /** Other statuses of success with the same content: what each means. */
    readonly also?: Readonly<Record<number, string>>
  }
  /** Error codes of this operation, beside those that every operation of its kind has. */
  readonly errors?: readonly ErrorCode[]
  /** Failures have another shape than everywhere else. */
  readonly errorSchema?: TSchema
}

declare module 'fastify' {
  interface FastifyContextConfig {
    operation?: Operation
  }
}

/** An answer of JSON. */
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
