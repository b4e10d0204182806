/** What takes longer is halved: a request to the cluster may take 30 s. */
const SLOW_MS = 5_000
/** What takes less may double. */
const QUICK_MS = 1_000

/** How much to send at once: less when that took long, and more when it is quick again. */
export class SizeByTime {
  readonly #least: number
  readonly #most: number
  #size: number

  constructor(least: number, most: number) {
    this.#least = least
    this.#most = this.#size = most
  }

  get now(): number {
    return this.#size
  }

  /** @param size of what took this time; less than the least says nothing about a size */
  note(size: number, tookMs: number): void {
    if (size < this.#least) return
    if (tookMs > SLOW_MS) this.#size = Math.max(this.#least, Math.min(this.#size, size) / 2)
    else if (tookMs < QUICK_MS) this.#size = Math.min(this.#most, this.#size * 2)
  }
}
