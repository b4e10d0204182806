import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { ApiError } from '@aisle/contract'
import type { FastifyInstance } from 'fastify'
import type { ServicePorts } from '../../services/service-ports.ts'
import { requestIdOf } from '../request-id.ts'
import { isAudited, routesAt } from '../route-table.ts'
import { keyedStore } from './auth.ts'
import { crossOriginHeaders } from './cors.ts'
import { errorBody } from './errors.ts'

/** The classes of routes that a key of a store opens. */
export type StoreNeed = 'read' | 'write'

export interface EarlyRefusal {
  /** Whether no request of any store would be refused: the only check while few requests wait. */
  isCalm(): boolean
  /** Whether requests of a store are refused now. */
  isFull(need: StoreNeed, storeId: string): boolean
  /** A request was refused. */
  count(storeId: string): void
  /** A request was read: it is refused, or on its way through the framework. */
  read(): void
}

/**
 * Refuses requests of stores that have too many waiting before the framework handles them, which
 * costs half as much: under a flood, most of the time is spent on refusals. Needs nothing but the
 * line and the headers of a request. Their keys are checked here too, so that a stranger learns
 * nothing about stores; what no key opens, and what is audited, is left to the framework.
 */
export function registerEarlyRefusal(
  app: FastifyInstance,
  ports: Pick<ServicePorts, 'registry' | 'clock' | 'resources'>,
  overload: ApiError,
  { isCalm, isFull, count, read }: EarlyRefusal,
): void {
  const handlers = app.server.listeners('request') as RequestListener[]
  app.server.removeAllListeners('request')
  app.server.on('request', (raw: IncomingMessage, response: ServerResponse) => {
    const full = isCalm() ? undefined : fullStore(app, raw, ports, isFull)
    if (full === undefined) for (const handler of handlers) handler(raw, response)
    else {
      const { need, storeId } = full
      count(storeId)
      const origin = need === 'read' ? raw.headers.origin : undefined
      refuse(raw, response, overload, crossOriginHeaders(ports, storeId, origin))
    }
    read()
  })
}

/** The store of a request, if it has a key of it and is to be refused. */
function fullStore(
  app: FastifyInstance,
  raw: IncomingMessage,
  ports: Pick<ServicePorts, 'registry' | 'clock'>,
  isFull: EarlyRefusal['isFull'],
): { readonly need: StoreNeed; readonly storeId: string } | undefined {
  const need = needOf(app, raw)
  if (need === undefined) return undefined
  const storeId = keyedStore(raw, need, ports)
  return storeId !== undefined && isFull(need, storeId) ? { need, storeId } : undefined
}

/** The class of the route that a request goes to. Undefined: another one, or it is not clear. */
function needOf(app: FastifyInstance, { method = '', url = '', headers }: IncomingMessage) {
  const path = url.split('?', 1)[0]!
  const needs = new Set(
    routesAt(app, path)
      .filter((route) => route.method.includes(method))
      .map(({ url: pattern, config }) => {
        const idAt = pattern.split('/').indexOf(':id')
        const isOwn = idAt < 0 || path.split('/')[idAt] === headers['x-storeid']
        return isOwn && !isAudited(config!, method) ? config!.auth : undefined
      }),
  )
  const [need] = needs
  return needs.size === 1 && (need === 'read' || need === 'write') ? need : undefined
}

/** The same response as the framework's, at half the cost. */
function refuse(
  raw: IncomingMessage,
  response: ServerResponse,
  overload: ApiError,
  headers: Readonly<Record<string, string>>,
): void {
  const requestId = requestIdOf(raw)
  const body = errorBody(overload, requestId)
  response.writeHead(overload.status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'retry-after': String(overload.retryAfterSeconds),
    'x-content-type-options': 'nosniff',
    'x-request-id': requestId,
    ...headers,
  })
  response.end(body)
}
