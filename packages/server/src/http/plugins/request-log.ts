import { REQUEST_LINES_PER_SECOND_MAX, SLOW_SEARCH_MIN_MS } from '@aisle/contract/limits'
import type { FastifyBaseLogger } from 'fastify'

/** What the line of a request says. */
export interface RequestLine {
  readonly reqId: string
  readonly method: string
  readonly route: string
  readonly status: number
  readonly tookMs: number
  readonly storeId: string | undefined
  /** Code of what made the service fail. */
  readonly cause?: string | undefined
}

/**
 * Logs a line per request. Above REQUEST_LINES_PER_SECOND_MAX, only slow requests and failures of
 * the service have one, and one line per second has the number of the others: the lines would take
 * the time of searches, and nobody reads a thousand per second. At level `debug`, every request has
 * its line.
 */
export class RequestLog {
  readonly #log: FastifyBaseLogger
  readonly #nowMs: () => number
  readonly #isVerbose: boolean
  #second = 0
  #lines = 0
  #omitted = 0

  /** @param nowMs a clock that is never set back */
  constructor(log: FastifyBaseLogger, nowMs: () => number = () => performance.now()) {
    this.#log = log
    this.#isVerbose = log.level === 'debug' || log.level === 'trace'
    this.#nowMs = nowMs
  }

  add(line: RequestLine): void {
    this.#beginSecond()
    const isNotable = line.tookMs >= SLOW_SEARCH_MIN_MS || line.status >= 500
    if (this.#lines < REQUEST_LINES_PER_SECOND_MAX || isNotable || this.#isVerbose) {
      this.#lines++
      this.#log.info(line, 'request')
    } else this.#omitted++
  }

  /** Call it at the end, too: it logs how many requests of the last second had no line. */
  flush(): void {
    if (this.#omitted === 0) return
    this.#log.info({ requests: this.#omitted }, 'requests that were not logged')
    this.#omitted = 0
  }

  #beginSecond(): void {
    const second = Math.floor(this.#nowMs() / 1_000)
    if (second === this.#second) return
    this.flush()
    this.#second = second
    this.#lines = 0
  }
}
