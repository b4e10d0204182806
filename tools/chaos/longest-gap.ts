/** The longest time without a success. */
export class LongestGap {
  #lastMs = performance.now()
  #longestMs = 0

  /** Records a success. */
  success(): void {
    this.#longestMs = this.ms
    this.#lastMs = performance.now()
  }

  /** The gap up to now, in milliseconds. */
  get ms(): number {
    return Math.max(this.#longestMs, performance.now() - this.#lastMs)
  }

  restart(): void {
    this.#lastMs = performance.now()
    this.#longestMs = 0
  }
}
