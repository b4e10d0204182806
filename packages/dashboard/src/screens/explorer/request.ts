import { shellText } from '../../format/quoting.ts'
import type { Operation } from '../../parts/operations.ts'

/** What a person has filled in: texts of parameters by name, and the body. */
export interface RequestDraft {
  readonly parameters: Readonly<Record<string, string>>
  readonly body: string
}

export interface BuiltRequest {
  readonly method: string
  /** With its query: `/v1/search?q=tent`. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

const KEY_HEADERS = {
  read: 'x-storesecret: READ_SECRET',
  write: 'x-store-write-secret: WRITE_SECRET',
  admin: 'authorization: Bearer ADMIN_TOKEN',
} as const

/** The initial draft of an operation: with the store, and the example as its body. */
export function emptyRequest(operation: Operation, storeId: string | undefined): RequestDraft {
  const hasStore = operation.parameters.some(({ name, in: place }) => isStoreId(name, place))
  return {
    parameters: hasStore && storeId !== undefined ? { id: storeId } : {},
    body: operation.bodyExample ?? '',
  }
}

/** Names of parameters of the path that are still empty. */
export function missingParameters(operation: Operation, draft: RequestDraft): readonly string[] {
  return operation.parameters
    .filter(({ in: place, required }) => place === 'path' || required === true)
    .map(({ name }) => name)
    .filter((name) => (draft.parameters[name] ?? '') === '')
}

export function buildRequest(
  operation: Operation,
  { parameters, body }: RequestDraft,
  storeId: string | undefined,
): BuiltRequest {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(parameters[name] ?? ''),
  )
  const query = new URLSearchParams(
    operation.parameters
      .filter(({ name, in: place }) => place === 'query' && (parameters[name] ?? '') !== '')
      .map(({ name }) => [name, parameters[name]!]),
  ).toString()
  const hasBody = operation.bodyExample !== undefined
  const store = parameters['id'] ?? storeId
  return {
    method: operation.method,
    path: query === '' ? path : `${path}?${query}`,
    headers: {
      ...(operation.isOfStore && store !== undefined ? { 'x-storeid': store } : {}),
      ...(hasBody ? { 'content-type': 'application/json' } : {}),
    },
    body: hasBody ? body : undefined,
  }
}

/** The same as a shell command, with the key instead of the session. @param url of the service */
export function curlOf(request: BuiltRequest, key: Operation['key'], url: string): string {
  const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`)
  if (key !== undefined && key !== 'events') headers.push(KEY_HEADERS[key])
  return [
    `curl ${request.method === 'GET' ? '' : `-X ${request.method} `}${shellText(url + request.path)}`,
    ...(key === 'events' ? [`-u 'EVENTS_WRITE_KEY:'`] : []),
    ...headers.map((header) => `-H ${shellText(header)}`),
    ...(request.body === undefined ? [] : [`-d ${shellText(request.body)}`]),
  ].join(' \\\n  ')
}

function isStoreId(name: string, place: string): boolean {
  return name === 'id' && place === 'path'
}
