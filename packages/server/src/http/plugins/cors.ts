import { ApiError, ORIGIN_MAX_CHARS } from '@aisle/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ServicePorts } from '../../services/service-ports.ts'
import { requestLog } from '../request-id.ts'
import { routesAt } from '../route-table.ts'
import { STORE_ANSWER_VARY } from './auth.ts'
import { currentSettings } from '../../services/store/store-settings.ts'

/**
 * Headers that a page may send. The write secret is not among them: it must not be in a browser.
 */
const ALLOWED_HEADERS =
  'content-type, x-storeid, x-storesecret, x-request-id, x-user-id, x-user-signature, x-anon-id, x-session-id'
/** Response headers that a page may read. */
const EXPOSED_HEADERS = 'x-request-id, ratelimit, ratelimit-policy, retry-after'
const PREFLIGHT_MAX_AGE_SECONDS = '600'

type Settings = Pick<ServicePorts, 'registry' | 'resources'>

/**
 * Cross-origin calls (Fetch Standard, section 3.3) of the read routes, for stores that list origins
 * in `cors_origins`. A preflight carries no store id: on a path without one it succeeds if any
 * store lists the origin, and the call itself is then checked against its own store. A refusal
 * names the setting that would allow the call, because browsers show the body to the developers of
 * the page. Must be registered after the keys.
 */
export function registerCors(app: FastifyInstance, ports: Settings): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { origin } = request.headers
    if (origin === undefined) return done()
    if (request.is404) {
      try {
        if (request.method === 'OPTIONS' && answerPreflight(app, ports, request, reply)) return
        return done()
      } catch (error) {
        return done(error as Error)
      }
    }
    if (request.routeConfig!.auth === 'read') {
      void reply.headers(crossOriginHeaders(ports, request.storeId, origin))
    }
    done()
  })
}

/** Headers of a response of a read route: whether a page of this origin may read it. */
export function crossOriginHeaders(
  ports: Settings,
  storeId: string,
  origin: string | undefined,
): Record<string, string> {
  if (origin === undefined || !allows(ports, storeId, origin)) return {}
  return { ...allowing(origin), 'access-control-expose-headers': EXPOSED_HEADERS }
}

/**
 * @returns false if the preflight is not for this plugin
 * @throws ApiError `forbidden` if no store lists the origin
 */
function answerPreflight(
  app: FastifyInstance,
  ports: Settings,
  { headers, url, log, id }: FastifyRequest,
  reply: FastifyReply,
): boolean {
  const { origin } = headers
  const wanted = headers['access-control-request-method']
  if (origin === undefined || wanted === undefined) return false
  const path = url.split('?', 1)[0]!
  const route = routesAt(app, path).find(
    ({ method, config }) => method === wanted && config?.auth === 'read',
  )
  if (route === undefined) return false
  const idAt = route.url.split('/').indexOf(':id')
  const stores =
    idAt < 0 ? ports.registry.list().map((store) => store.storeId) : [path.split('/')[idAt] ?? '']
  if (!stores.some((storeId) => allows(ports, storeId, origin))) {
    const shown = origin.slice(0, ORIGIN_MAX_CHARS)
    requestLog({ log, id }).info(
      { origin: shown },
      'A preflight was refused: no cors_origins of a store has its origin',
    )
    throw new ApiError(
      'forbidden',
      `Pages of "${shown}" may not call this route: add the origin to the setting cors_origins of the store`,
      { param: 'cors_origins' },
    )
  }
  void reply
    .code(204)
    .headers(allowing(origin))
    .header('access-control-allow-methods', wanted)
    .header('access-control-allow-headers', ALLOWED_HEADERS)
    .header('access-control-max-age', PREFLIGHT_MAX_AGE_SECONDS)
    .send()
  return true
}

function allows({ resources }: Settings, storeId: string, origin: string): boolean {
  const { cors_origins: origins = [] } = currentSettings(resources.of(storeId)).settings
  return origins.includes(origin) || origins.includes('*')
}

function allowing(origin: string): Record<string, string> {
  return { 'access-control-allow-origin': origin, vary: STORE_ANSWER_VARY }
}
