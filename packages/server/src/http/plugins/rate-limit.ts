import { ApiError } from '@aisle/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { networkOf } from '../../domain/access/network.ts'
import type { RateLimiter } from '../../ports/host/rate-limiter.ts'
import { isPublic } from '../route-table.ts'
import '../actor.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Charges a request that turned out to cost more than one. @throws ApiError rate_limited */
    charge(count: number): void
    /**
     * Charges a request that no key opened.
     *
     * @param error why it was not let in
     * @param respond gets it, or the error that its address sends too many of them
     */
    chargeRefusal(reply: FastifyReply, error: Error, respond: (error: Error) => void): void
  }
}

/** Requests in this pause; further ones are answered at once. */
const PAUSING_MAX = 2_000

export interface RateLimits {
  /** Of each client address in each store. */
  readonly rateLimiter?: RateLimiter | undefined
  /** Of each client address on routes that need no key, and with wrong keys. */
  readonly pageRateLimiter?: RateLimiter | undefined
}

/**
 * Limits each client address, with a separate bucket for each store that it has a key for, for the
 * admin token, for other routes, for routes without a key, and for requests that no key opened.
 * Therefore no request uses up what an address may ask elsewhere: neither do wrong secrets of a
 * neighbour behind the same proxy cost a shop its searches, nor do pages cost it its events.
 * Headers: draft-ietf-httpapi-ratelimit-headers (2025).
 *
 * Refusing costs as much as a small page. A client without a key that sends too many requests is
 * therefore refused after a pause: one that sends the next request after each answer, on any number
 * of connections that it may have, is slowed down by it. Probes have only the pause.
 *
 * The name of a bucket contains nothing that a client can invent: the address, and the store if
 * one of its keys opened the request. Keys have at least 122 random bits, so that limiting guesses
 * saves work and does not have to hide a right one.
 */
export function registerRateLimit(
  app: FastifyInstance,
  { rateLimiter, pageRateLimiter }: RateLimits,
  pauseMs: number,
): void {
  let pausing = 0
  const later = (respond: () => void): void => {
    if (pauseMs === 0 || pausing >= PAUSING_MAX) return respond()
    pausing++
    setTimeout(() => {
      pausing--
      respond()
    }, pauseMs)
  }
  const take = (reply: FastifyReply, limiter: RateLimiter, key: string): ApiError | undefined => {
    const left = limiter.take(key)
    announce(reply, limiter, left)
    return left >= 0 ? undefined : refusal(app)
  }
  const limiterOf = (request: FastifyRequest): RateLimiter | undefined =>
    isOpen(request) ? pageRateLimiter : rateLimiter

  app.addHook('onRequest', (request, reply, done) => {
    const limiter = limiterOf(request)
    if (limiter === undefined) return done()
    if (request.routeConfig?.isProbe === true) {
      // A load balancer must not take a service away because somebody floods it with probes.
      return limiter.take(`+ ${networkOf(request.ip)}`) < 0 ? later(done) : done()
    }
    const error = take(reply, limiter, bucketOf(request))
    if (error !== undefined && isOpen(request)) later(() => done(error))
    else done(error)
  })
  app.decorateRequest('charge', function (this: FastifyRequest, count: number) {
    const limiter = limiterOf(this)
    if (count <= 0 || limiter === undefined) return
    if (limiter.take(bucketOf(this), count) < 0) throw refusal(app)
  })
  app.decorateRequest(
    'chargeRefusal',
    function (
      this: FastifyRequest,
      reply: FastifyReply,
      error: Error,
      respond: (error: Error) => void,
    ) {
      if (pageRateLimiter === undefined) return respond(error)
      const tooMany = take(reply, pageRateLimiter, `! ${networkOf(this.ip)}`)
      if (tooMany === undefined) respond(error)
      else later(() => respond(tooMany))
    },
  )
}

/** Whether anybody may send the request, and it opened nothing by a key. */
function isOpen(request: FastifyRequest): boolean {
  return isPublic(request) && request.actor === null
}

/** No store has an id like the first characters of the other buckets. */
function bucketOf(request: FastifyRequest): string {
  const network = networkOf(request.ip)
  if (isOpen(request)) return `${request.routeConfig?.auth === 'local' ? ':' : '/'} ${network}`
  if (request.actor?.kind === 'admin_token') return `= ${network}`
  return `${request.storeId} ${network}`
}

function announce(reply: FastifyReply, { burst, windowSeconds }: RateLimiter, left: number): void {
  const remaining = Math.max(0, left)
  const fullSeconds = Math.ceil(((burst - remaining) * windowSeconds) / burst)
  void reply.header('ratelimit-policy', `"default";q=${burst};w=${windowSeconds}`)
  void reply.header('ratelimit', `"default";r=${remaining};t=${fullSeconds}`)
}

function refusal(app: FastifyInstance): ApiError {
  app.metrics.rateLimited.inc()
  return new ApiError('rate_limited', 'Too many requests from this address: slow down', {
    retryAfterSeconds: 1,
  })
}
