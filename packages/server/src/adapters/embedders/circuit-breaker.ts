import { EMBEDDER_BREAK_MAX_MS, EMBEDDER_FAILURES_MAX } from '@aisle/contract/semantic-limits'
import { EmbedderUnavailable } from '../../ports/search/embedder.ts'

const BREAK_MIN_MS = 1_000

export interface CircuitBreakerOptions {
  readonly nowMs: () => number
  /** Called when it opens, with the reason, and when it closes again. */
  readonly onChange?: ((isOpen: boolean, reason: string, breakMs: number) => void) | undefined
}

/**
 * Leaves an embedder alone that fails again and again: calls are refused at once for a while, which
 * doubles with every further failure. Then one call at a time tries whether it works again.
 */
export class CircuitBreaker {
  readonly #options: CircuitBreakerOptions
  #failures = 0
  #breakMs = 0
  #openUntilMs = 0
  #isTrying = false

  constructor(options: CircuitBreakerOptions) {
    this.#options = options
  }

  get isOpen(): boolean {
    return this.#breakMs > 0
  }

  /** @throws EmbedderUnavailable while it is open */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const isTrial = this.isOpen
    if (isTrial) this.#beginTrial()
    try {
      const result = await work()
      this.#succeeded()
      return result
    } catch (error) {
      // Calls that were in flight when it opened do not prolong the break.
      const counts = isTrial || !this.isOpen
      if (counts && error instanceof EmbedderUnavailable) this.#failed(error)
      throw error
    } finally {
      if (isTrial) this.#isTrying = false
    }
  }

  #beginTrial(): void {
    const leftMs = this.#openUntilMs - this.#options.nowMs()
    if (leftMs > 0 || this.#isTrying) {
      const retryAfterMs = Math.max(leftMs, BREAK_MIN_MS)
      throw new EmbedderUnavailable('The embedder failed repeatedly', { retryAfterMs })
    }
    this.#isTrying = true
  }

  #succeeded(): void {
    if (this.isOpen) this.#options.onChange?.(false, '', 0)
    this.#failures = 0
    this.#breakMs = 0
  }

  #failed({ message, retryAfterMs = 0 }: EmbedderUnavailable): void {
    this.#failures++
    const wasOpen = this.isOpen
    if (!wasOpen && this.#failures < EMBEDDER_FAILURES_MAX) return
    const doubled = Math.max(BREAK_MIN_MS, 2 * this.#breakMs, retryAfterMs)
    this.#breakMs = Math.min(EMBEDDER_BREAK_MAX_MS, doubled)
    this.#openUntilMs = this.#options.nowMs() + this.#breakMs
    if (!wasOpen) this.#options.onChange?.(true, message, this.#breakMs)
  }
}
