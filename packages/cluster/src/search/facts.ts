import { isDeepStrictEqual } from 'node:util'
import type { ClusterConnection } from '../opensearch/cluster-connection.ts'
import { CountedWords } from './counted-words.ts'
import { searchProducts, type SearchAnswer } from './product-searches.ts'
import { TOTAL_KEY, type Question } from './question.ts'
import { askedAlone, askedForNothing, countedTogether, isNothing } from './asked.ts'
import type { AnswersBeside, Asked } from './asked.ts'
import { LISTED_DOCUMENTS_MAX, listedTogether } from './listed-counts.ts'
import type { StoreFacts } from './fact-cache.ts'
import type { SearchPlace } from './search-place.ts'
import { MANY_DOCUMENTS } from './word-questions.ts'

/** Questions depend on answers to others; no plan needs this many rounds. */
const ROUNDS_MAX = 24
/** After this number of wrong guesses, it stops guessing. */
const GUESSES_MAX = 3

/** An assumed answer, which is asked for along with the searches that rest on it. */
interface Guess {
  readonly question: Question<unknown>
  readonly value: unknown
  /** Whether no search has asked this before. */
  readonly isFirst: boolean
}

/** A result built from facts, and the answers to the searches derived from it. */
export interface Confirmed<T> {
  readonly result: T
  readonly answers: readonly SearchAnswer[]
}

/**
 * The cluster's answers to the questions of one search.
 *
 * Which questions a plan has depends on the answers to others, and the rules that decide this are
 * plain, synchronous code (`@aisle/engine/rescoring`). So `settle` runs that code until no question
 * is without an answer: each round asks all open questions in one request.
 */
export class Facts {
  readonly #cluster: ClusterConnection
  readonly #place: SearchPlace
  readonly #cache: StoreFacts
  readonly #deadlineMs: number | undefined
  readonly #known = new Map<string, unknown>()
  readonly #wanted = new Map<string, Question<unknown>>()
  readonly #costs = new Set<number>()
  /** Questions that are likely to be asked later. */
  #expected: readonly Question<unknown>[] = []
  /** Answers assumed from earlier searches, or because most questions of their kind have them. */
  readonly #guessed = new Map<string, Guess>()
  /** Guesses that turned out wrong and have no new answer yet. */
  readonly #doubted = new Set<string>()
  #mayGuess = false
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

  /** Adds questions that are asked along with the next request, unless their answer is known. */
  expect(questions: readonly Question<unknown>[]): void {
    this.#expected = questions
  }

  /** Returns the answer, or `none` until it arrives. Use it within `settle`. */
  get<T>(question: Question<T>): T {
    const { key } = question
    const known = this.#known.get(key)
    if (known !== undefined) return known as T
    const guessed = this.#guessed.get(key)
    if (guessed !== undefined) return guessed.value as T
    const kept = this.#cache.get(key)
    if (kept?.isFresh === true && (question.isKeptIfMany !== true || this.#hasMany)) {
      this.#known.set(key, kept.value)
      return kept.value as T
    }
    if (this.#mayGuess && !this.#doubted.has(key)) {
      // Open questions may still change which expensive ones follow, and are asked first.
      const isDue = question.cost === 0 || this.#wanted.size === 0
      const likely = isDue ? question.likely : undefined
      const value = kept === undefined ? likely : (kept.value as T)
      if (value !== undefined) {
        this.#guessed.set(key, { question, value, isFirst: kept === undefined })
        return value
      }
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
      // With more answers, it may rest on other guesses.
      this.#guessed.clear()
      const result = run()
      if (this.#wanted.size === 0) return result
      await this.#askWanted()
    }
    throw new Error(`Questions about words have no end after ${ROUNDS_MAX} rounds`)
  }

  /**
   * Settles a function and runs the searches derived from its result, in one request if earlier
   * searches have asked all of its questions: the result is built from the old answers, the same
   * questions are asked again beside the searches, and the result is valid if the new answers lead
   * to the same one.
   *
   * @param searchesOf returns the searches of a result; answers to the searches of another result
   * are not used
   * @param ask sends searches, and questions beside them
   */
  async confirm<T>(
    run: () => T,
    searchesOf: (result: T) => readonly object[],
    ask: (searches: readonly object[], beside: readonly Asked[]) => Promise<AnswersBeside>,
  ): Promise<Confirmed<T>> {
    let sent: { readonly text: string; readonly answers: readonly SearchAnswer[] } | undefined
    for (let guesses = 0; ; guesses++) {
      this.#mayGuess = guesses < GUESSES_MAX
      const result = await this.settle(run).finally(() => (this.#mayGuess = false))
      const searches = searchesOf(result)
      const text = JSON.stringify(searches)
      if (this.#guessed.size === 0 && sent?.text === text) return { result, answers: sent.answers }
      const asked = this.#toConfirm()
      const { answers, beside } = await ask(searches, asked)
      if (this.#areConfirmed(asked, beside)) return { result, answers }
      sent = { text, answers }
    }
  }

  async #askWanted(): Promise<void> {
    const cost = Math.min(...this.#costs)
    const questions = [...this.#wanted.values()].filter((question) => question.cost === cost)
    const asking = new Set(questions.map(({ key }) => key))
    for (const question of this.#expected) {
      const { key } = question
      if (asking.has(key) || this.#known.has(key) || this.#cache.get(key) !== undefined) continue
      asking.add(key)
      questions.push(question)
    }
    this.#expected = []
    this.#wanted.clear()
    this.#costs.clear()
    const asked = this.#together(questions)
    const answers = await searchProducts(
      this.#cluster,
      this.#place,
      asked.map(({ body }) => body),
      { deadlineMs: this.#deadlineMs, otherBody: (i) => asked[i]!.otherBody?.() },
    )
    asked.forEach((one, i) => this.#learn(one, answers[i]!))
  }

  #toConfirm(): Asked[] {
    const guessed = [...this.#guessed.values()]
    const kindOf = ({ question, value, isFirst }: Guess) => {
      if (!isNothing(question, value)) return 'something'
      return isFirst ? 'unlikely' : 'nothing'
    }
    const { nothing, unlikely, something } = Object.groupBy(guessed, kindOf)
    const questionsOf = (some: readonly Guess[] = []) => some.map(({ question }) => question)
    return [
      ...askedForNothing(questionsOf(nothing)),
      ...countedTogether(questionsOf(unlikely)),
      ...this.#together(questionsOf(something)),
    ]
  }

  /**
   * Takes the answers to guessed questions.
   * @returns whether all guesses were right
   */
  #areConfirmed(asked: readonly Asked[], answers: readonly SearchAnswer[]): boolean {
    const guessed = new Map(this.#guessed)
    this.#guessed.clear()
    asked.forEach((one, i) => this.#learn(one, answers[i]!))
    for (const key of guessed.keys()) if (!this.#known.has(key)) this.#doubted.add(key)
    return [...guessed].every(([key, { value }]) => isSameFact(this.#known.get(key), value))
  }

  #learn({ read }: Asked, answer: SearchAnswer): void {
    if (answer.timed_out) this.isPartial = true
    for (const [{ key, keptMs }, value] of read(answer)) {
      this.#known.set(key, value)
      if (!answer.timed_out) this.#cache.set(key, value, keptMs(value))
    }
  }

  #together(questions: readonly Question<unknown>[]): Asked[] {
    return this.#mayList ? listedTogether(questions) : questions.map(askedAlone)
  }

  /** Whether the store had many documents when they were last counted. */
  get #hasMany(): boolean {
    const docCount = this.#known.get(TOTAL_KEY) ?? this.#cache.get(TOTAL_KEY)?.value
    return typeof docCount === 'number' && docCount >= MANY_DOCUMENTS
  }

  /** Whether it is cheaper to list terms of many documents than to count term by term. */
  get #mayList(): boolean {
    const docCount = this.#known.get(TOTAL_KEY) ?? this.#guessed.get(TOTAL_KEY)?.value
    return typeof docCount === 'number' && docCount <= LISTED_DOCUMENTS_MAX
  }
}

function isSameFact(one: unknown, other: unknown): boolean {
  if (one instanceof CountedWords) return other instanceof CountedWords && one.equals(other)
  return isDeepStrictEqual(one, other)
}
