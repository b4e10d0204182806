import { gzipSync } from 'node:zlib'
import { ApiError } from '@aisle/contract'
import type { FastifyInstance } from 'fastify'
import { demoStore } from '../../services/store/demo-store.ts'
import type { AppDependencies } from '../dependencies.ts'
import { acceptedEncodings, FOREVER, sendFile } from '../page-file.ts'
import { pageHeaders } from '../page-policy.ts'

const BASE = '/demo'
/** Rendered pages are cached for a moment, so that many visitors of a page cost one rendering. */
const DRAWN_MAX = 50
const DRAWN_MS = 5_000
/** A page with a longer address is rendered by the browser. */
const ADDRESS_MAX_CHARS = 500

interface Drawn {
  readonly html: Buffer
  readonly gzip: Buffer
  readonly untilMs: number
}

/**
 * Serves the demo shop: the example `examples/storefront-react` over the store "demo". The first
 * page is rendered here, with the same requests that the browser would send. Without the store, or
 * without its pages, its paths do not exist.
 */
export function demoRoutes(
  app: FastifyInstance,
  { demoPages, drawDemo, registry, clock, options }: AppDependencies,
): void {
  if (demoPages === undefined || drawDemo === undefined) return
  const headers = pageHeaders(options.imageHosts ?? [])
  const config = { auth: 'none', hidden: true } as const
  const drawn = new Map<string, Drawn>()
  const fetchHere = fetchWithin(app)

  const draw = async (path: string): Promise<Drawn> => {
    const store = demoStore(registry)
    if (store === undefined) {
      throw new ApiError('route_not_found', 'There is no demo shop: its store was deleted')
    }
    const nowMs = clock.now()
    const known = drawn.get(path)
    if (known !== undefined && known.untilMs > nowMs) return known
    const { storeId, readSecret, eventsWriteKey } = store
    const connection = { storeId, readSecret, eventsWriteKey, base: BASE }
    const text = await drawDemo({ path, connection, url: 'http://demo', fetch: fetchHere })
    const html = Buffer.from(text)
    const page = { html, gzip: gzipSync(html), untilMs: nowMs + DRAWN_MS }
    drawn.delete(path)
    drawn.set(path, page)
    for (const [oldest] of drawn) {
      if (drawn.size <= DRAWN_MAX) break
      drawn.delete(oldest)
    }
    return page
  }

  for (const url of [BASE, `${BASE}/search`, `${BASE}/p/:id`, `${BASE}/cart`]) {
    app.get(url, { config }, async (request, reply) => {
      const path = request.url.length > ADDRESS_MAX_CHARS ? `${BASE}/cart` : request.url
      const { html, gzip } = await draw(path)
      void reply
        .headers(headers)
        .header('cache-control', 'no-cache')
        .header('vary', 'accept-encoding')
        .header('content-type', 'text/html; charset=utf-8')
      if (!acceptedEncodings(request).has('gzip')) return reply.send(html)
      return reply.header('content-encoding', 'gzip').send(gzip)
    })
  }
  app.get<{ Params: { '*': string } }>(`${BASE}/assets/*`, { config }, (request, reply) => {
    const file = demoPages.find(`assets/${request.params['*']}`)
    if (file !== undefined) void reply.header('cache-control', FOREVER)
    return sendFile(request, reply, file)
  })
}

/** A `fetch` that calls the service itself, without a connection. */
function fetchWithin(app: FastifyInstance): typeof fetch {
  return async (input, init) => {
    const { pathname, search } = new URL(input instanceof Request ? input.url : input)
    const answer = await app.inject({
      method: (init?.method ?? 'GET') as 'GET',
      url: pathname + search,
      headers: Object.fromEntries(new Headers(init?.headers)),
      ...(typeof init?.body === 'string' ? { payload: init.body } : {}),
    })
    const type = String(answer.headers['content-type'])
    return new Response(answer.body, {
      status: answer.statusCode,
      headers: { 'content-type': type },
    })
  }
}
