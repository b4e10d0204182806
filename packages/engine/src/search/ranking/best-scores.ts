/** The `size` best of the scores that were added, in ascending order: for pages, so for few. */
export class BestScores {
  readonly #scores: Float64Array
  #count = 0
  /** The worst of them; -Infinity while there are fewer than `size`. */
  least = -Infinity

  constructor(size: number) {
    this.#scores = new Float64Array(size)
    if (size === 0) this.least = Infinity
  }

  add(score: number): void {
    if (score <= this.least) return
    const scores = this.#scores
    const size = scores.length
    // Behind the best `size`, the worst makes room.
    let at = 0
    if (this.#count < size) {
      at = this.#count++
      for (; at > 0 && scores[at - 1]! > score; at--) scores[at] = scores[at - 1]!
    } else for (; at + 1 < size && scores[at + 1]! < score; at++) scores[at] = scores[at + 1]!
    scores[at] = score
    if (this.#count === size) this.least = scores[0]!
  }
}
