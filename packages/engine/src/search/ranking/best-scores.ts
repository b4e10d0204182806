/** The `size` best of the scores that were added, in ascending order: for pages, so for few. */
export class BestScores {
  // No typed array: those of more than 64 bytes lie outside of the heap.
  readonly #scores: number[] = []
  readonly #size: number
  /** The worst of them; -Infinity while there are fewer than `size`. */
  least = -Infinity

  constructor(size: number) {
    this.#size = size
    if (size === 0) this.least = Infinity
  }

  add(score: number): void {
    if (score <= this.least) return
    const scores = this.#scores
    const size = this.#size
    // Behind the best `size`, the worst makes room.
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
