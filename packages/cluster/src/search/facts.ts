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
import { writtenBody, writtenState } from './written-state.ts'
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
  /** The version of the documents for which it holds. */
  readonly asOf: number | undefined
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
  /** Whether the documents have changed, or may have, since facts were learned. */
  #hasChanged = false
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
        const guess = { question, value, isFirst: kept === undefined, asOf: kept?.asOf }
        this.#guessed.set(key, guess)
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
   * to the same one. While the documents stay the same, one question replaces all others: have
   * they changed?
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
      if (this.#guessed.size === 0 && sent?.text === JSON.stringify(searches)) {
        return { result, answers: sent.answers }
      }
      const { version } = this.#cache
      const unchanged = this.#unchangedSince(version)
      const asked = this.#toConfirm(unchanged, version)
      const { answers, beside } = await ask(searches, asked)
      if (this.#areConfirmed(asked, beside, unchanged, version)) return { result, answers }
      sent = { text: JSON.stringify(searches), answers }
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
    const { version } = this.#cache
    const asked = this.#together(questions)
    const answers = await searchProducts(
      this.#cluster,
      this.#place,
      asked.map(({ body }) => body),
      { deadlineMs: this.#deadlineMs, otherBody: (i) => asked[i]!.otherBody?.() },
    )
    asked.forEach((one, i) => this.#learn(one, answers[i]!, version))
  }

  /**
   * Returns the guesses that hold unless the documents have changed; none where separate questions
   * cost less.
   */
  #unchangedSince(version: number | undefined): ReadonlySet<Guess> {
    const guessed = [...this.#guessed.values()]
    // To compare versions, the cluster reads all documents; to count a word, it does not.
    const hasLists = guessed.some(({ question }) => question.cost > 0)
    if (!hasLists || !this.#mayCompareVersions) return new Set()
    if (version === undefined) this.#observe()
    if (this.#hasChanged) return new Set()
    return new Set(guessed.filter(({ asOf }) => asOf !== undefined && asOf === version))
  }

  #toConfirm(unchanged: ReadonlySet<Guess>, version: number | undefined): Asked[] {
    const guessed = [...this.#guessed.values()].filter((guess) => !unchanged.has(guess))
    const kindOf = ({ question, value, isFirst }: Guess) => {
      if (!isNothing(question, value)) return 'something'
      return isFirst ? 'unlikely' : 'nothing'
    }
    const { nothing, unlikely, something } = Object.groupBy(guessed, kindOf)
    const questionsOf = (some: readonly Guess[] = []) => some.map(({ question }) => question)
    return [
      ...(unchanged.size === 0 ? [] : [this.#askedForChanges([...unchanged], version)]),
      ...askedForNothing(questionsOf(nothing)),
      ...countedTogether(questionsOf(unlikely)),
      ...this.#together(questionsOf(something)),
    ]
  }

  /** Asks whether the documents have changed since these guesses were answers. */
  #askedForChanges(unchanged: readonly Guess[], version: number | undefined): Asked {
    return {
      body: writtenBody(this.#place),
      read: (answer) => {
        const written = writtenState(answer)
        const isSame = written !== undefined && this.#cache.see(written) === version
        return isSame ? unchanged.map(({ question, value }) => [question, value]) : []
      },
    }
  }

  /** Finds out in the background whether the documents are changing. */
  #observe(): void {
    if (!this.#cache.mayObserve()) return
    const asked = searchProducts(this.#cluster, this.#place, [writtenBody(this.#place)], {
      deadlineMs: this.#deadlineMs,
    })
    asked.then(
      ([answer]) => {
        const written = writtenState(answer!)
        if (written !== undefined) this.#cache.see(written)
      },
      // Then searches treat them as changing.
      () => undefined,
    )
  }

  /**
   * Takes the answers to guessed questions.
   * @param unchanged the guesses that only a change of the documents refutes
   * @param version of the documents before that
   * @returns whether all guesses were right
   */
  #areConfirmed(
    asked: readonly Asked[],
    answers: readonly SearchAnswer[],
    unchanged: ReadonlySet<Guess>,
    version: number | undefined,
  ): boolean {
    const guessed = new Map(this.#guessed)
    this.#guessed.clear()
    asked.forEach((one, i) => this.#learn(one, answers[i]!, version))
    for (const [key, guess] of guessed) {
      if (this.#known.has(key)) continue
      // After a change, it is a guess like any other.
      if (unchanged.has(guess)) this.#hasChanged = true
      else this.#doubted.add(key)
    }
    return [...guessed].every(([key, { value }]) => isSameFact(this.#known.get(key), value))
  }

  /** @param version of the documents before this was asked */
  #learn({ read }: Asked, answer: SearchAnswer, version: number | undefined): void {
    if (answer.timed_out) this.isPartial = true
    for (const [{ key, keptMs }, value] of read(answer)) {
      this.#known.set(key, value)
      if (!answer.timed_out) this.#cache.set(key, value, keptMs(value), version)
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

  /**
   * Whether comparing versions is cheap: the cluster caches the version until the shard changes,
   * but other stores write to a shared shard.
   */
  get #mayCompareVersions(): boolean {
    return this.#place.routing === undefined || this.#mayList
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
