import { appendFileSync } from 'node:fs'
import { threadId, threadName } from 'node:worker_threads'

/**
 * Imported first by each thread of a watched service (`NODE_OPTIONS=--import`): appends what the
 * thread holds, every second, as a line of JSON.
 */
export interface ThreadSample {
  readonly thread: string
  readonly heap: number
  readonly external: number
  readonly arrayBuffers: number
}

const EVERY_MS = 1_000
const file = process.env['CHAOS_MEMORY_FILE']

if (file !== undefined) {
  const thread = `${threadId} ${threadName ?? ''}`.trim()
  setInterval(() => {
    const { heapUsed: heap, external, arrayBuffers } = process.memoryUsage()
    const sample: ThreadSample = { thread, heap, external, arrayBuffers }
    appendFileSync(file, `${JSON.stringify(sample)}\n`)
  }, EVERY_MS).unref()
}
