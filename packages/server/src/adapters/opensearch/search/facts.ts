import type { ClusterConnection } from '@aisle/opensearch'
import { searchProducts } from './product-searches.ts'
import { TOTAL_KEY } from './question.ts'
import type { Question } from './question.ts'
import { askedAlone, LISTED_DOCUMENTS_MAX, listedTogether } from './listed-counts.ts'
import type { StoreFacts } from './fact-cache.ts'
import type { SearchPlace } from './search-place.ts'

/** Questions build on answers to others: more rounds than any plan needs. */
const ROUNDS_MAX = 24

/**
 * What the cluster said to the questions of one search.
 *
 * Which questions a plan has depends on the answers to others, and the rules that say so are plain,
 * synchronous code (`@aisle/engine/candidates`). So `settle` runs that code as often as it still
 * meets questions without an answer: each round asks all of them in one request.
 */
export class Facts {
  readonly #cluster: ClusterConnection
  readonly #place: SearchPlace
  readonly #cache: StoreFacts
  readonly #deadlineMs: number | undefined
  readonly #known = new Map<string, unknown>()
  readonly #wanted = new Map<string, Question<unknown>>()
  readonly #costs = new Set<number>()
  /** Time ran out: some answer covers only a part of the index. */
  isPartial = false

  constructor(
    cluster: ClusterConnection,
    place: SearchPlace,
    cache: StoreFacts,
    deadlineMs: number | undefined,
  ) {
    this.#cluster = cluster
    this.#place = place
    this.#cache = cache
    this.#deadlineMs = deadlineMs
  }

  /** The answer; `none` while it is not there. To be used within `settle`. */
  get<T>(question: Question<T>): T {
    const { key } = question
    if (this.#known.has(key)) return this.#known.get(key) as T
    const cached = this.#cache.get(key)
    if (cached !== undefined) {
      this.#known.set(key, cached)
      return cached as T
    }
    const isNeedless = [...this.#costs].some((cost) => cost < question.cost)
    if (!isNeedless) {
      this.#wanted.set(key, question)
      this.#costs.add(question.cost)
    }
    return question.none
  }

  /** Runs a function until all of its questions have answers. */
  async settle<T>(run: () => T): Promise<T> {
    for (let round = 0; round < ROUNDS_MAX; round++) {
      const result = run()
      if (this.#wanted.size === 0) return result
      await this.#ask()
    }
    throw new Error(`Questions about words have no end after ${ROUNDS_MAX} rounds`)
  }

  async #ask(): Promise<void> {
    const cost = Math.min(...this.#costs)
    const questions = [...this.#wanted.values()].filter((question) => question.cost === cost)
    this.#wanted.clear()
    this.#costs.clear()
    const asked = this.#mayList ? listedTogether(questions) : questions.map(askedAlone)
    const answers = await searchProducts(
      this.#cluster,
      this.#place,
      asked.map(({ body }) => body),
      { deadlineMs: this.#deadlineMs, otherBody: (i) => asked[i]!.otherBody?.() },
    )
    asked.forEach(({ read }, i) => {
      const answer = answers[i]!
      if (answer.timed_out) this.isPartial = true
      for (const [{ key, keptMs }, value] of read(answer)) {
        this.#known.set(key, value)
        const lifeMs = answer.timed_out ? 0 : keptMs(value)
        if (lifeMs > 0) this.#cache.set(key, value, lifeMs)
      }
    })
  }

  /** Whether listing terms of many documents is cheaper than counting term by term. */
  get #mayList(): boolean {
    const docCount = this.#known.get(TOTAL_KEY)
    return typeof docCount === 'number' && docCount <= LISTED_DOCUMENTS_MAX
  }
}
