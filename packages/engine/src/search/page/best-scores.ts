/** The `size` highest of the added scores, in ascending order. For pages, hence few. */
export class BestScores {
  // Not a typed array: those above 64 bytes are allocated outside of the heap.
  readonly #scores: number[] = []
  readonly #size: number
  /** The lowest of them; -Infinity while there are fewer than `size`. */
  least = -Infinity

  constructor(size: number) {
    this.#size = size
    if (size === 0) this.least = Infinity
  }

  add(score: number): void {
    if (score <= this.least) return
    const scores = this.#scores
    const size = this.#size
    // Evicts the lowest when full.
    let at = 0
    if (scores.length < size) {
      at = scores.length
      scores.push(score)
      for (; at > 0 && scores[at - 1]! > score; at--) scores[at] = scores[at - 1]!
    } else for (; at + 1 < size && scores[at + 1]! < score; at++) scores[at] = scores[at + 1]!
    scores[at] = score
    if (scores.length === size) this.least = scores[0]!
  }
}
