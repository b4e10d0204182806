/** Maximum of cached answers; the oldest are evicted first. */
const ANSWERS_MAX = 100

/**
 * Caches answers by request, so that undoing a refinement shows the previous results at once. Equal
 * requests in flight are sent once.
 */
export class AnswerCache<Answer> {
  readonly #answers = new Map<string, Promise<Answer>>()
  readonly #isKept: boolean

  /** @param isKept `false`: an answer is dropped as soon as it arrives */
  constructor(isKept: boolean) {
    this.#isKept = isKept
  }

  get(key: string): Promise<Answer> | undefined {
    return this.#answers.get(key)
  }

  set(key: string, answer: Promise<Answer>): void {
    this.#answers.set(key, answer)
    const [oldest] = this.#answers.keys()
    if (this.#answers.size > ANSWERS_MAX && oldest !== undefined) this.#answers.delete(oldest)
    const forget = (): void => {
      if (this.#answers.get(key) === answer) this.#answers.delete(key)
    }
    // A failure is never cached: the next request tries again.
    answer.then(() => this.#isKept || forget(), forget)
  }

  clear(): void {
    this.#answers.clear()
  }
}
