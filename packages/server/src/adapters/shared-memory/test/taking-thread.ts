import { parentPort, workerData } from 'node:worker_threads'
import { SharedRateLimiter } from '../rate-limiter.ts'
import type { RateLimitMemory } from '../rate-limiter.ts'

const { memory, perSecond, tries } = workerData as {
  memory: RateLimitMemory
  perSecond: number
  tries: number
}
const limiter = new SharedRateLimiter(memory, perSecond, () => 1_000_000)
let taken = 0
for (let i = 0; i < tries; i++) if (limiter.take('client') >= 0) taken++
parentPort!.postMessage(taken)
