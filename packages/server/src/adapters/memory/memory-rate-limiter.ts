import { BURST_SECONDS } from '../../ports/rate-limiter.ts'
import type { RateLimiter } from '../../ports/rate-limiter.ts'

/** Buckets that are kept for ever, of one thread. */
export function createMemoryRateLimiter(perSecond: number, nowMs: () => number): RateLimiter {
  const burst = perSecond * BURST_SECONDS
  const buckets = new Map<string, { tokens: number; atMs: number }>()
  return {
    burst,
    windowSeconds: BURST_SECONDS,
    take(key, count = 1) {
      const now = nowMs()
      const bucket = buckets.get(key) ?? { tokens: burst, atMs: now }
      buckets.set(key, bucket)
      bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.atMs) * perSecond) / 1_000)
      bucket.atMs = now
      if (bucket.tokens < count) return -1
      bucket.tokens -= count
      return Math.floor(bucket.tokens)
    },
  }
}
