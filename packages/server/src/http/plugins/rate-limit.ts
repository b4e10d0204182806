import { ApiError } from '@aisle/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { RateLimiter } from '../../ports/rate-limiter.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Charges a request for more than the one that it looked like. @throws ApiError rate_limited */
    charge(count: number): void
  }
}

/**
 * Limits each client address in each store. Charged before the keys are looked at, so that guessing
 * keys is limited too. Headers: draft-ietf-httpapi-ratelimit-headers (2025).
 */
export function registerRateLimit(app: FastifyInstance, limiter: RateLimiter | undefined): void {
  if (limiter === undefined) {
    app.decorateRequest('charge', () => undefined)
    return
  }
  const { burst, windowSeconds } = limiter
  const policy = `"default";q=${burst};w=${windowSeconds}`
  app.addHook('onRequest', (request, reply, done) => {
    if (request.is404 || request.routeOptions.config.auth === 'none') return done()
    const left = limiter.take(keyOf(request))
    const remaining = Math.max(0, left)
    const fullSeconds = Math.ceil(((burst - remaining) * windowSeconds) / burst)
    void reply.header('ratelimit-policy', policy)
    void reply.header('ratelimit', `"default";r=${remaining};t=${fullSeconds}`)
    if (left >= 0) return done()
    done(refusal(app))
  })
  app.decorateRequest('charge', function (this: FastifyRequest, count: number) {
    if (count > 0 && limiter.take(keyOf(this), count) < 0) throw refusal(app)
  })
}

function keyOf(request: FastifyRequest): string {
  const storeId = request.headers['x-storeid']
  return `${typeof storeId === 'string' ? storeId.slice(0, 64) : ''} ${request.ip}`
}

function refusal(app: FastifyInstance): ApiError {
  app.metrics.rateLimited.inc()
  return new ApiError('rate_limited', 'Too many requests from this address: slow down', {
    retryAfterSeconds: 1,
  })
}
