import { rateLimiterConformance } from '../../ports/rate-limiter.conformance.ts'
import { createMemoryRateLimiter } from './memory-rate-limiter.ts'

rateLimiterConformance('memory', (perSecond, clock) =>
  createMemoryRateLimiter(perSecond, () => clock.nowMs),
)
