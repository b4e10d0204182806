import { ApiError } from '@aisle/contract'
import type { FastifyInstance } from 'fastify'
import type { Clock } from '../../ports/clock.ts'

/** Buckets kept at most; the one unused for the longest time makes room. */
const BUCKETS_MAX = 20_000
/** A bucket holds this many seconds' worth of requests. */
const BURST_SECONDS = 2

interface Bucket {
  tokens: number
  atMs: number
}

/** Token buckets by key: `perSecond` requests each second, twice that at once. */
export class TokenBuckets {
  readonly burst: number
  readonly #perSecond: number
  readonly #buckets = new Map<string, Bucket>()

  constructor(perSecond: number) {
    this.#perSecond = perSecond
    this.burst = perSecond * BURST_SECONDS
  }

  /**
   * Takes one token.
   * @returns tokens left, or -1 when there was none
   */
  take(key: string, nowMs: number): number {
    const bucket = this.#buckets.get(key) ?? { tokens: this.burst, atMs: nowMs }
    // Time may be set back: that must not take tokens away.
    const elapsedMs = Math.max(0, nowMs - bucket.atMs)
    bucket.tokens = Math.min(this.burst, bucket.tokens + (elapsedMs * this.#perSecond) / 1000)
    bucket.atMs = nowMs
    this.#buckets.delete(key)
    this.#buckets.set(key, bucket)
    if (this.#buckets.size > BUCKETS_MAX) {
      for (const oldest of this.#buckets.keys()) {
        this.#buckets.delete(oldest)
        break
      }
    }
    if (bucket.tokens < 1) return -1
    bucket.tokens -= 1
    return Math.floor(bucket.tokens)
  }

  get size(): number {
    return this.#buckets.size
  }

  /** Whole seconds until a bucket with that many tokens is full again. */
  secondsUntilFull(tokens: number): number {
    return Math.ceil((this.burst - tokens) / this.#perSecond)
  }
}

/**
 * Limits each client address in each store. Charged before the keys are looked at, so that guessing
 * keys is limited too. Headers: draft-ietf-httpapi-ratelimit-headers (2025).
 */
export function registerRateLimit(app: FastifyInstance, perSecond: number, clock: Clock): void {
  if (perSecond <= 0) return
  const buckets = new TokenBuckets(perSecond)
  const policy = `"default";q=${buckets.burst};w=${BURST_SECONDS}`
  app.addHook('onRequest', (request, reply, done) => {
    if (request.is404 || request.routeOptions.config.auth === 'none') return done()
    const storeId = request.headers['x-storeid']
    const key = `${typeof storeId === 'string' ? storeId.slice(0, 64) : ''} ${request.ip}`
    const left = buckets.take(key, clock.now())
    const remaining = Math.max(0, left)
    void reply.header('ratelimit-policy', policy)
    void reply.header(
      'ratelimit',
      `"default";r=${remaining};t=${buckets.secondsUntilFull(remaining)}`,
    )
    if (left >= 0) return done()
    done(
      new ApiError('rate_limited', 'Too many requests from this address: slow down', {
        retryAfterSeconds: 1,
      }),
    )
  })
}
