import type { FastifyInstance } from 'fastify'

/** Chromium caches a preflight for at most two hours, others for a day. */
const PREFLIGHT_MAX_AGE_SECONDS = 86_400

/**
 * Browsers of any origin may send events, and nothing else: only routes that take the write key
 * respond cross-origin. `sendBeacon` sends JSON with credentials, and so do pages with
 * `credentials: 'include'`; for these the response must name their origin instead of `*` (Fetch
 * Standard, section 3.3.5). That discloses nothing: no cookie is read here, only the key in the
 * body counts. Errors carry the headers too, because a browser that cannot see a 429 cannot wait as
 * long as it says.
 */
export function registerEventsCors(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (request.routeConfig!.auth === 'events') {
      const { origin } = request.headers
      if (origin !== undefined) void reply.header('access-control-allow-credentials', 'true')
      void reply
        .header('access-control-allow-origin', origin ?? '*')
        .header('vary', 'Origin')
        .header('access-control-expose-headers', 'Retry-After, X-RateLimit-Reset')
        .header('cross-origin-resource-policy', 'cross-origin')
    }
    done()
  })
}

/**
 * Responds to preflights of a path. The requested headers are echoed, because `*` would not cover
 * Authorization.
 */
export function preflightRoute(app: FastifyInstance, url: string): void {
  app.options(url, { config: { auth: 'events', hidden: true } }, (request, reply) => {
    const asked = request.headers['access-control-request-headers']
    void reply
      .header('access-control-allow-methods', 'POST, OPTIONS')
      .header('access-control-max-age', String(PREFLIGHT_MAX_AGE_SECONDS))
      .header('vary', 'Origin, Access-Control-Request-Headers')
    if (typeof asked === 'string') void reply.header('access-control-allow-headers', asked)
    return reply.code(204).send()
  })
}
