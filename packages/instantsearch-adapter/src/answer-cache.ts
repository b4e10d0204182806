/** Answers that are kept; the oldest go first. */
const ANSWERS_MAX = 100

/**
 * Answers by what was asked, so that a refinement taken back shows at once what was there before.
 * A question on its way counts as answered: equal ones are sent once.
 */
export class AnswerCache<Answer> {
  readonly #answers = new Map<string, Promise<Answer>>()
  readonly #isKept: boolean

  /** @param isKept `false`: an answer is forgotten when it is there */
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
    // A failure is never kept: whoever asks again tries again.
    answer.then(() => this.#isKept || forget(), forget)
  }

  clear(): void {
    this.#answers.clear()
  }
}
