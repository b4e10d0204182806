import { parentPort, workerData } from 'node:worker_threads'
import { takeSearch } from '../search-counter.ts'
import type { SearchCounter } from '../search-counter.ts'

const { counter, nowMs, limit, tries } = workerData as {
  counter: SearchCounter
  nowMs: number
  limit: number
  tries: number
}
let taken = 0
for (let i = 0; i < tries; i++) if (takeSearch(counter, nowMs, limit)) taken++
parentPort!.postMessage(taken)
