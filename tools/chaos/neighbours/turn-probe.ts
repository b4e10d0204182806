import { appendFileSync } from 'node:fs'
import { isMainThread, threadName } from 'node:worker_threads'

/**
 * Loaded into every thread of a service (`NODE_OPTIONS=--import`). Writes a line for each turn of
 * an event loop that occupied its processor for long. Processor time, because on a busy machine a
 * turn of 5 ms may last 100 ms by the clock.
 */
const LOOK_MS = 5
const LONG_MS = 15

const file = process.env['TURN_PROBE_FILE']
// Processes that the service starts inherit this; they, and the doorway, serve nobody.
const service = (process.env['TURN_PROBE_PROCESS'] ??= String(process.pid))
if (file !== undefined && service === String(process.pid) && threadName !== 'doorway') {
  const thread = isMainThread ? 'writer' : threadName
  let cpuMs = threadCpuMs()
  setInterval(() => {
    const nowMs = threadCpuMs()
    const turnMs = nowMs - cpuMs
    cpuMs = nowMs
    if (turnMs < LONG_MS) return
    appendFileSync(file, `${JSON.stringify({ thread, turnMs, atMs: Date.now() })}\n`)
  }, LOOK_MS).unref()
}

function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}
