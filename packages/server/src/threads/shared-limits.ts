import { randomInt } from 'node:crypto'
import { createAnswerMemory } from '../adapters/shared-memory/answer-memory.ts'
import { createConnectionCounts } from '../adapters/shared-memory/connection-counts.ts'
import { createRateLimitMemory } from '../adapters/shared-memory/rate-limiter.ts'
import { createStreamSlots } from '../adapters/shared-memory/stream-slots.ts'
import type { ServingThreadData } from './serving-calls.ts'

/** What all serving threads count together, to keep the limits of requests. */
export function createSharedLimits(
  threadCount: number,
): Pick<ServingThreadData, 'rateLimits' | 'streamSlots' | 'connections' | 'answerMemory'> {
  const seed = (): number => randomInt(2 ** 31)
  return {
    rateLimits: createRateLimitMemory(seed()),
    streamSlots: createStreamSlots(seed()),
    connections: createConnectionCounts(threadCount, seed()),
    answerMemory: createAnswerMemory(threadCount, seed()),
  }
}
