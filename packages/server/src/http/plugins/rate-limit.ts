import { ApiError } from '@aisle/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { networkOf } from '../../domain/access/network.ts'
import type { AccessDirectory } from '../../ports/access/access-directory.ts'
import type { RateLimiter } from '../../ports/host/rate-limiter.ts'
import type { StoreRegistry } from '../../ports/catalog/store-registry.ts'
import { isAdminToken } from './admin-token-auth.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Charges a request that turned out to cost more than one. @throws ApiError rate_limited */
    charge(count: number): void
  }
}

export interface RateLimitPorts {
  readonly registry: Pick<StoreRegistry, 'find'>
  readonly directory: Pick<AccessDirectory, 'adminTokenDigest'>
}

/**
 * Limits each client address in each store. Charged before the keys are checked, so that guessing
 * keys is limited too. Headers: draft-ietf-httpapi-ratelimit-headers (2025).
 *
 * The name of a bucket contains nothing that a client can invent: the address, and the store if it
 * exists. Requests without a valid key are also charged to a second bucket of the address, no
 * matter which store they name. While that bucket is empty, every request from the address is
 * refused, because anything else would reveal a correct guess.
 *
 * The admin token is too long to be guessed and opens everything, so it is compared first: its
 * requests have a separate bucket at each address, which nobody else can empty.
 */
export function registerRateLimit(
  app: FastifyInstance,
  limiter: RateLimiter | undefined,
  ports: RateLimitPorts,
): void {
  if (limiter === undefined) {
    app.decorateRequest('charge', () => undefined)
    return
  }
  const { burst, windowSeconds } = limiter
  const policy = `"default";q=${burst};w=${windowSeconds}`
  app.addHook('onRequest', (request, reply, done) => {
    if (request.is404 || request.routeConfig!.auth === 'none') return done()
    const key = keyOf(request, ports)
    const mayGuess = key === adminKeyOf(request) || limiter.take(guessesOf(request), 0) > 0
    const left = mayGuess ? limiter.take(key) : -1
    const remaining = Math.max(0, left)
    const fullSeconds = Math.ceil(((burst - remaining) * windowSeconds) / burst)
    void reply.header('ratelimit-policy', policy)
    void reply.header('ratelimit', `"default";r=${remaining};t=${fullSeconds}`)
    if (left >= 0) return done()
    done(refusal(app))
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    if (reply.statusCode === 401) limiter.take(guessesOf(request))
    done(null, payload)
  })
  app.decorateRequest('charge', function (this: FastifyRequest, count: number) {
    if (count > 0 && limiter.take(keyOf(this, ports), count) < 0) throw refusal(app)
  })
}

function keyOf(request: FastifyRequest, { registry, directory }: RateLimitPorts): string {
  const { auth } = request.routeConfig!
  const { authorization } = request.headers
  if ((auth === 'admin' || auth === 'local') && authorization !== undefined) {
    if (isAdminToken(authorization, directory)) return adminKeyOf(request)
  }
  const named = request.headers['x-storeid']
  // Other routes ignore the header, so it may contain anything.
  const isOfStore = auth === 'read' || auth === 'write'
  const store = isOfStore && typeof named === 'string' ? registry.find(named) : undefined
  return `${store?.storeId ?? ''} ${networkOf(request.ip)}`
}

/** The bucket for failed authentication. No store has such an id. */
function guessesOf({ ip }: FastifyRequest): string {
  return `! ${networkOf(ip)}`
}

/** The bucket of the admin token. No store has this id either. */
function adminKeyOf({ ip }: FastifyRequest): string {
  return `= ${networkOf(ip)}`
}

function refusal(app: FastifyInstance): ApiError {
  app.metrics.rateLimited.inc()
  return new ApiError('rate_limited', 'Too many requests from this address: slow down', {
    retryAfterSeconds: 1,
  })
}
