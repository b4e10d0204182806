import { ApiError } from '@aisle/contract'
import type { FastifyInstance } from 'fastify'
import type { PageFile } from '../../ports/host/page-files.ts'
import type { RequestPace } from '../../services/search/request-pace.ts'
import { demoStore } from '../../services/store/demo-store.ts'
import type { AppDependencies } from '../dependencies.ts'
import { FOREVER, htmlFile, sendFile } from '../page-file.ts'
import { pageHeaders } from '../page-policy.ts'
import { RenderedPages } from '../rendered-pages.ts'

const BASE = '/demo'
/** A page with a longer address is rendered by the browser. */
const ADDRESS_MAX_CHARS = 500

/**
 * Serves the demo shop: the example `examples/storefront-react` over the store "demo". The first
 * page is rendered here, with the same requests that the browser would send; under load, the
 * browser renders it. Without the store, or without its pages, its paths do not exist.
 */
export function demoRoutes(
  app: FastifyInstance,
  { demoPages, drawDemo, registry, clock, options }: AppDependencies,
): void {
  if (demoPages === undefined || drawDemo === undefined) return
  const headers = pageHeaders(options.imageHosts ?? [])
  const config = { auth: 'none', hidden: true } as const
  const pages = new RenderedPages(() => clock.now())
  /** The page without products, the same at every address. */
  let plain: { readonly readSecret: string; readonly file: PageFile } | undefined

  const draw = async (path: string, pace: RequestPace): Promise<PageFile> => {
    const store = demoStore(registry)
    if (store === undefined) {
      throw new ApiError('route_not_found', 'There is no demo shop: its store was deleted')
    }
    const { storeId, readSecret, eventsWriteKey } = store
    const connection = { storeId, readSecret, eventsWriteKey, base: BASE }
    const render = (fetch: typeof globalThis.fetch): Promise<string> =>
      drawDemo.render({ path, connection, url: 'http://demo', fetch })
    if (path.length <= ADDRESS_MAX_CHARS) {
      const page = pages.get(path, () => render(fetchWithin(app, pace)))
      if (page !== undefined) return await page
    }
    if (plain?.readSecret !== readSecret) {
      plain = { readSecret, file: htmlFile(await render(noFetch)) }
    }
    return plain.file
  }

  for (const url of [BASE, `${BASE}/search`, `${BASE}/p/:id`, `${BASE}/cart`]) {
    app.get(url, { config }, async (request, reply) => {
      const path = await drawDemo.addressOf(request.url, BASE)
      const file = await draw(path, request.pace)
      void reply.headers(headers).header('cache-control', 'no-cache')
      return sendFile(request, reply, file)
    })
  }
  app.get<{ Params: { '*': string } }>(`${BASE}/assets/*`, { config }, (request, reply) => {
    const file = demoPages.find(`assets/${request.params['*']}`)
    if (file !== undefined) void reply.header('cache-control', FOREVER)
    return sendFile(request, reply, file)
  })
}

/** For a page without products: the browser loads them. */
const noFetch: typeof fetch = () => Promise.reject(new Error('The browser renders this page'))

/**
 * A `fetch` that calls the service itself, without a connection. What follows each answer, the
 * rendering, is a part of the request that waits for its turn.
 */
function fetchWithin(app: FastifyInstance, pace: RequestPace): typeof fetch {
  return async (input, init) => {
    const { pathname, search } = new URL(input instanceof Request ? input.url : input)
    const answer = await app.inject({
      method: (init?.method ?? 'GET') as 'GET',
      url: pathname + search,
      headers: Object.fromEntries(new Headers(init?.headers)),
      ...(typeof init?.body === 'string' ? { payload: init.body } : {}),
    })
    // Even if this visitor has left: others may wait for the page.
    await pace.rest().catch(() => undefined)
    const type = String(answer.headers['content-type'])
    return new Response(answer.body, {
      status: answer.statusCode,
      headers: { 'content-type': type },
    })
  }
}
