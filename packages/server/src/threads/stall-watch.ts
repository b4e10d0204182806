import { Counter, Gauge, type Registry } from '../http/prometheus.ts'

const LOOK_MS = 250
/** A pause too long for a garbage collection. */
const STALL_MS = 1_000

/**
 * Detects stalls of this thread. The writer cannot be replaced like other threads, so a stall is
 * reported afterwards, in the log and in the metrics.
 */
export class StallWatch {
  readonly #looking: NodeJS.Timeout
  #lookedMs = performance.now()
  #longestMs = 0

  constructor(
    registry: Registry,
    log: (level: 'warn', message: string, detail: object) => void,
    stallMs = STALL_MS,
  ) {
    const stalls = new Counter({
      name: 'aisle_writer_stalls_total',
      help: 'Stalls of the writer thread of more than a second',
      registers: [registry],
    })
    const longest = new Gauge({
      name: 'aisle_writer_longest_stall_seconds',
      help: 'Longest stall of the writer thread',
      registers: [registry],
    })
    this.#looking = setInterval(() => {
      const nowMs = performance.now()
      const stoodMs = nowMs - this.#lookedMs - LOOK_MS
      this.#lookedMs = nowMs
      if (stoodMs < stallMs) return
      stalls.inc()
      this.#longestMs = Math.max(this.#longestMs, stoodMs)
      longest.set(this.#longestMs / 1_000)
      log('warn', 'The writer stalled', { stoodMs: Math.round(stoodMs) })
    }, LOOK_MS)
    this.#looking.unref()
  }

  stop(): void {
    clearInterval(this.#looking)
  }
}
