import { ApiError } from '@aisle/contract'
import type { FastifyInstance } from 'fastify'
import type { RateLimiter } from '../../ports/rate-limiter.ts'

/**
 * Limits each client address in each store. Charged before the keys are looked at, so that guessing
 * keys is limited too. Headers: draft-ietf-httpapi-ratelimit-headers (2025).
 */
export function registerRateLimit(app: FastifyInstance, limiter: RateLimiter | undefined): void {
  if (limiter === undefined) return
  const { burst, windowSeconds } = limiter
  const policy = `"default";q=${burst};w=${windowSeconds}`
  app.addHook('onRequest', (request, reply, done) => {
    if (request.is404 || request.routeOptions.config.auth === 'none') return done()
    const storeId = request.headers['x-storeid']
    const left = limiter.take(
      `${typeof storeId === 'string' ? storeId.slice(0, 64) : ''} ${request.ip}`,
    )
    const remaining = Math.max(0, left)
    const fullSeconds = Math.ceil(((burst - remaining) * windowSeconds) / burst)
    void reply.header('ratelimit-policy', policy)
    void reply.header('ratelimit', `"default";r=${remaining};t=${fullSeconds}`)
    if (left >= 0) return done()
    app.metrics.rateLimited.inc()
    done(
      new ApiError('rate_limited', 'Too many requests from this address: slow down', {
        retryAfterSeconds: 1,
      }),
    )
  })
}
