import type { ClusterConnection } from '@aisle/opensearch'
import type { SearchAnswer } from './product-searches.ts'
import { searchProducts } from './product-searches.ts'
import type { StoreFacts } from './fact-cache.ts'
import type { SearchPlace } from './search-place.ts'

/** Something that only the cluster knows, such as how many documents have a word. */
export interface Question<T> {
  /** Different for different questions of a place. */
  readonly key: string
  /** How dear it is: it waits while one is open that is cheaper and could make it needless. */
  readonly cost: 0 | 1 | 2
  readonly body: () => object
  /** Another way to ask, where the cluster fails at the first. */
  readonly otherBody?: () => object
  readonly read: (answer: SearchAnswer) => T
  /** Whether an answer may be a few seconds old: nothing is found, or missed, because of it. */
  mayBeKept(answer: T): boolean
  /** Stands for the answer until it is there. */
  readonly none: T
}

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
    const bodies = questions.map((question) => question.body())
    const answers = await searchProducts(this.#cluster, this.#place, bodies, {
      deadlineMs: this.#deadlineMs,
      otherBody: (i) => questions[i]!.otherBody?.(),
    })
    questions.forEach(({ key, read, mayBeKept }, i) => {
      const answer = answers[i]!
      const value = read(answer)
      this.#known.set(key, value)
      if (answer.timed_out) this.isPartial = true
      else if (mayBeKept(value)) this.#cache.set(key, value)
    })
  }
}
