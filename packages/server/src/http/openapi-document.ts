import { ERROR_STATUS, ErrorResponse, type ErrorCode, type TSchema } from '@aisle/contract'
import type { FastifyInstance, RouteOptions } from 'fastify'
import type { Operation } from './operation.ts'
import { isAudited, roleOf, type AuthNeed } from './route-table.ts'

type Json = Record<string, unknown>

const TAGS: readonly Operation['tag'][] = [
  'Search',
  'Suggestions',
  'Documents',
  'Schema',
  'Settings',
  'Events',
  'Analytics',
  'Stores',
  'Access',
  'Service',
]

/** Errors that any route may return, and those of any route with a given kind of authentication. */
const ERRORS_OF_ALL: readonly ErrorCode[] = [
  'malformed_request',
  'invalid_unicode',
  'route_not_found',
  'method_not_allowed',
  'request_timeout',
  // Possible on any route: a compressed body, or an unsupported content type.
  'unsupported_media_type',
  'headers_too_large',
  'internal',
]
const ERRORS_OF_KEYS: readonly ErrorCode[] = [
  'missing_credentials',
  'invalid_credentials',
  'rate_limited',
  'unavailable',
  'unread_answers',
]
const ERRORS_OF_INGEST: readonly ErrorCode[] = ['rate_limited', 'unavailable']
const ERRORS_OF_LOG: readonly ErrorCode[] = ['quota_exceeded', 'disk_reserve']
const ERRORS_OF_BODIES: readonly ErrorCode[] = [
  'malformed_json',
  'json_too_deep',
  'invalid_parameter',
  'missing_parameter',
]

const SECURITY: Readonly<Record<AuthNeed, readonly Json[]>> = {
  none: [],
  read: [
    { storeId: [], readSecret: [] },
    { storeId: [], writeSecret: [] },
  ],
  write: [{ storeId: [], writeSecret: [] }],
  admin: [{ adminToken: [] }],
  session: [],
  login: [],
  // No secret is needed on the same machine.
  local: [{}, { adminToken: [] }],
  // The key may also be in the body.
  events: [{ writeKey: [] }, { writeKeyInUrl: [] }],
}

/**
 * The OpenAPI 3.1 document of an application, generated from the operations that its routes
 * declare.
 */
export function openApiDocument(app: FastifyInstance, version: string): Json {
  const components = new Map<string, unknown>()
  const paths: Record<string, Json> = {}
  for (const route of app.routeTable) {
    if (route.config?.hidden === true || route.method === 'HEAD') continue
    const operation = route.config?.operation
    if (operation === undefined) throw new Error(`Route ${route.url} declares no operation`)
    const path = route.url.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] ??= {}
    paths[path][String(route.method).toLowerCase()] = describe(operation, route, components)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Aisle',
      version,
      description: 'Search for catalogs: schema, documents, search, filters, events.',
    },
    servers: [{ url: '/' }],
    tags: TAGS.map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        storeId: apiKey('x-storeid', 'Store id.'),
        readSecret: apiKey(
          'x-storesecret',
          'Read secret: opens read routes, safe in a browser. Or a scoped token: opens searches and suggestions within its restrictions.',
        ),
        writeSecret: apiKey('x-store-write-secret', 'Write secret: opens all routes of its store.'),
        writeKey: { type: 'http', scheme: 'basic', description: 'Write key as the user name.' },
        writeKeyInUrl: { type: 'apiKey', in: 'query', name: 'writeKey', description: 'Write key.' },
        adminToken: { type: 'http', scheme: 'bearer', description: 'Admin token of the service.' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'aisle-session',
          description: 'Session of a user; over TLS the name is `__Host-aisle-session`.',
        },
        csrfToken: apiKey('x-csrf-token', 'The `csrf_token` of the session.'),
      },
      schemas: Object.fromEntries([...components].toSorted(([a], [b]) => (a < b ? -1 : 1))),
    },
  }
}

/** All error codes that a route can return, in the order of the registry. */
function errorsOf(operation: Operation, need: AuthNeed, method: string): ErrorCode[] {
  const codes = new Set<ErrorCode>(ERRORS_OF_ALL)
  for (const code of operation.errors ?? []) codes.add(code)
  if (need === 'events') for (const code of ERRORS_OF_LOG) codes.add(code)
  if (need === 'events' || need === 'login') {
    for (const code of ERRORS_OF_INGEST) codes.add(code)
  }
  if (need === 'local') for (const code of ERRORS_OF_KEYS) codes.add(code)
  if (roleOf({ auth: need }, method) !== undefined) {
    for (const code of ERRORS_OF_KEYS) codes.add(code)
    if (need === 'read') codes.add('request_quarantined')
    codes.add('forbidden')
    if (method !== 'GET') codes.add('invalid_csrf_token')
  }
  // Unknown query parameters are refused, except on routes without a key.
  if (need !== 'none') codes.add('invalid_parameter')
  if (need === 'read' || need === 'write') codes.add('store_not_found')
  // A request may have a body where none is expected.
  if (method !== 'GET') codes.add('payload_too_large')
  if (operation.body !== undefined) for (const code of ERRORS_OF_BODIES) codes.add(code)
  return (Object.keys(ERROR_STATUS) as ErrorCode[]).filter((code) => codes.has(code))
}

function describe(
  operation: Operation,
  route: RouteOptions,
  components: Map<string, unknown>,
): Json {
  const { config = {} } = route
  const need = config.auth ?? 'none'
  const method = String(route.method)
  const role = roleOf(config, method)
  const content = (byType: Readonly<Record<string, TSchema>>): Json =>
    Object.fromEntries(
      Object.entries(byType).map(([type, schema]) => [
        type,
        { schema: reference(schema, components) },
      ]),
    )
  const { success } = operation
  const responses: Json = {
    [success.status]: {
      description: success.description,
      ...(operation.tagged === true ? { headers: TAG_HEADER } : {}),
      content: content(success.content),
    },
  }
  for (const [status, description] of Object.entries(success.also ?? {})) {
    responses[status] = { ...(responses[success.status] as Json), description }
  }
  const byStatus = Object.groupBy(errorsOf(operation, need, method), (code) =>
    String(ERROR_STATUS[code]),
  )
  for (const [status, codes = []] of Object.entries(byStatus)) {
    responses[status] = {
      description: codes.map((code) => `\`${code}\``).join(', '),
      content: content({ 'application/json': operation.errorSchema ?? ErrorResponse }),
    }
  }
  return {
    operationId: operation.id,
    tags: [operation.tag],
    summary: operation.summary,
    ...(operation.description === undefined ? {} : { description: operation.description }),
    security: securityOf(route),
    'x-access': {
      class: need,
      ...(role === undefined ? {} : { role }),
      audited: isAudited(config, method),
      ...(config.perStore === true ? { per_store: true } : {}),
      ...(config.scoped === undefined ? {} : { scoped: config.scoped }),
    },
    ...parametersOf(operation, route, components),
    ...(operation.body === undefined
      ? {}
      : {
          requestBody: {
            required: operation.bodyOptional !== true,
            content: withExample(content(operation.body), operation.example),
          },
        }),
    responses,
  }
}

/** Keys; or a session, with its CSRF token if something may change. */
function securityOf(route: RouteOptions): readonly Json[] {
  const { config = {}, url } = route
  const method = String(route.method)
  const need = config.auth ?? 'none'
  if (roleOf(config, method) === undefined) return SECURITY[need]
  const namesStore = need === 'admin' || need === 'session' || url.includes('/:id')
  const bySession = {
    session: [],
    ...(method === 'GET' ? {} : { csrfToken: [] }),
    ...(namesStore ? {} : { storeId: [] }),
  }
  return [...SECURITY[need], bySession]
}

function withExample(content: Json, example: Operation['example']): Json {
  const json = content['application/json']
  if (example === undefined || json === undefined) return content
  return { ...content, 'application/json': { ...(json as Json), example } }
}

const TAG_HEADER: Json = {
  ETag: {
    description: 'Of this version: a later write names it in `If-Match`.',
    schema: { type: 'string' },
  },
}

const IF_MATCH: Json = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description:
    'The `ETag` of the version to replace, several of them, or `*` for any; if the stored version is another, nothing is changed and the response is 412 `precondition_failed`. Without it, the last write wins.',
  schema: { type: 'string' },
}

/** Meaning of the parameters of paths. */
const PATH_PARAMETERS: Readonly<Record<string, string>> = {
  id: 'Store id; must equal the `x-storeid` header.',
  name: 'Name, percent-encoded.',
  document_id: 'Document id.',
  kind: '`read`, `write`, `events` or `signing`.',
  other: 'Id of the other store.',
  login: 'Login of the user, percent-encoded.',
  session_id: 'Id of the session.',
}

function parametersOf(
  operation: Operation,
  { url, config }: RouteOptions,
  components: Map<string, unknown>,
): Json {
  // Administrators name a store only in the path.
  const meanings =
    config?.auth === 'admin' ? { ...PATH_PARAMETERS, id: 'Store id.' } : PATH_PARAMETERS
  const parameters: Json[] = [...url.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    description: operation.path?.[name] ?? meanings[name],
    schema: { type: 'string' },
  }))
  const { properties = {}, required = [] } = operation.query ?? {}
  for (const [name, property] of Object.entries(properties)) {
    const { description, ...schema } = reference(property, components) as Json
    parameters.push({
      name,
      in: 'query',
      required: (required as string[]).includes(name),
      description,
      ...(schema['type'] === 'object'
        ? { content: { 'application/json': { schema } } }
        : { schema }),
    })
  }
  if (operation.errors?.includes('precondition_failed') === true) parameters.push(IF_MATCH)
  return parameters.length === 0 ? {} : { parameters }
}

/** A schema as plain JSON; its named parts move to the components. */
function reference(schema: unknown, components: Map<string, unknown>): unknown {
  if (Array.isArray(schema)) return schema.map((one) => reference(one, components))
  if (typeof schema !== 'object' || schema === null) return schema
  const { $id: id, ...rest } = schema as { $id?: string }
  const plain = () =>
    Object.fromEntries(
      Object.entries(rest).map(([key, value]) => [key, reference(value, components)]),
    )
  if (id === undefined) return plain()
  if (!components.has(id)) {
    components.set(id, undefined)
    components.set(id, plain())
  }
  return { $ref: `#/components/schemas/${id}` }
}

function apiKey(name: string, description: string): Json {
  return { type: 'apiKey', in: 'header', name, description }
}
