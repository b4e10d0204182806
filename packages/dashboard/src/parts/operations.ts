import type { Role } from '@aisle/contract'

/** The part of `/openapi.json` that the explorer reads. */
export interface OpenApi {
  readonly tags: readonly { readonly name: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>
}

export interface OpenApiOperation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description?: string
  readonly security?: readonly Readonly<Record<string, unknown>>[]
  readonly 'x-access'?: { readonly role?: Role; readonly per_store?: boolean }
  readonly parameters?: readonly OpenApiParameter[]
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly example?: unknown }>>
  }
}

interface OpenApiParameter {
  readonly name: string
  readonly in: 'path' | 'query'
  readonly required?: boolean
  readonly description?: string
}

/** One operation of the interface as the explorer shows it. */
export interface Operation {
  readonly id: string
  /** `POST` */
  readonly method: string
  /** `/api/v1/stores/{id}/documents` */
  readonly path: string
  readonly tag: string
  readonly summary: string
  readonly description: string | undefined
  readonly parameters: readonly OpenApiParameter[]
  /** As text; absent for operations without a body. */
  readonly bodyExample: string | undefined
  /** The key that it needs without a session, for curl. */
  readonly key: 'read' | 'write' | 'events' | 'admin' | undefined
  /** Whether it is about the store in the header `x-storeid`, or in its path. */
  readonly isOfStore: boolean
  /** Whether it is about all stores and answers a member of some about these. */
  readonly isOfEachStore: boolean
  /** The lowest role that may call it; `undefined`: no session is needed. */
  readonly role: Role | undefined
  /** Why this page cannot send it. */
  readonly refusal: string | undefined
  /** Whether its body contains a password, which is not stored. */
  readonly hasSecretBody: boolean
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete']
/** Operations that begin, end or replace the page's own session. */
const OF_OWN_SESSION: ReadonlySet<string> = new Set([
  'logIn',
  'logOut',
  'changePassword',
  'endOwnSession',
])
const SECRET_BODIES: ReadonlySet<string> = new Set(['createUser', 'changeUser'])

/** All operations, in the order of their tags. */
export function operationsOf(document: OpenApi): readonly Operation[] {
  const order = document.tags.map(({ name }) => name)
  return Object.entries(document.paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([method]) => METHODS.includes(method))
        .map(([method, one]) => operationOf(method.toUpperCase(), path, one)),
    )
    .toSorted((a, b) => order.indexOf(a.tag) - order.indexOf(b.tag))
}

function operationOf(method: string, path: string, one: OpenApiOperation): Operation {
  const { operationId: id, security = [], parameters = [], requestBody } = one
  const json = requestBody?.content['application/json']
  const opens = (name: string): boolean => security.some((way) => name in way)
  const key = opens('readSecret')
    ? 'read'
    : opens('writeSecret')
      ? 'write'
      : opens('writeKey')
        ? 'events'
        : opens('adminToken')
          ? 'admin'
          : undefined
  const isOpen = security.length === 0 || security.some((way) => Object.keys(way).length === 0)
  return {
    id,
    method,
    path,
    tag: one.tags[0] ?? '',
    summary: one.summary,
    description: one.description,
    parameters,
    bodyExample: requestBody && JSON.stringify(json?.example ?? {}, undefined, 2),
    key,
    isOfStore: opens('storeId') || path.startsWith('/api/v1/stores/{id}'),
    isOfEachStore: one['x-access']?.per_store === true,
    role: isOpen ? undefined : one['x-access']?.role,
    refusal: OF_OWN_SESSION.has(id)
      ? 'This would change your current session. Use curl or your account page.'
      : !isOpen && !opens('session')
        ? 'Needs a store key, not a session. Use curl.'
        : undefined,
    hasSecretBody: SECRET_BODIES.has(id),
  }
}

/** The operations about a store that the path names, with the admin token or a session. */
const OF_NAMED_STORE = '/api/v1/admin/stores/{id}'

/**
 * The store that a request is about; undefined: the service as a whole.
 *
 * @param open the store of the page
 * @param id the parameter `id` of the path
 */
export function storeAskedFor(
  { isOfStore, path }: Pick<Operation, 'isOfStore' | 'path'>,
  open: string | undefined,
  id: string | undefined,
): string | undefined {
  if (isOfStore) return open
  return path.startsWith(OF_NAMED_STORE) ? id : undefined
}

/** Whether all words of a text occur in the name, the path or the summary. */
export function isFound({ id, method, path, summary, tag }: Operation, text: string): boolean {
  const words = text.toLowerCase().split(/\s+/)
  const all = `${method} ${path} ${id} ${summary} ${tag}`.toLowerCase()
  return words.every((word) => all.includes(word))
}
