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
/** Number of separate searches from which comparing versions is cheaper. */
const COMPARED_MIN = 3
/** What a separate search takes the cluster, with waiting for a processor. */
const SEARCH_COST_MS = 1

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
  /** The version of the documents before and after these searches; undefined if unknown. */
  readonly asOf: number | undefined
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
  /** Whether `remember` follows, for which the version must be known. */
  #mayRemember = false
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

  /**
   * Returns an answer that an earlier search remembered and that only a change of the documents
   * refutes; undefined if there is none. Unlike with `get`, the search does not wait for one. Use
   * it within `confirm`.
   */
  recall<T>(question: Question<T>): T | undefined {
    const { key } = question
    if (this.#known.has(key)) return this.#known.get(key) as T
    if (!this.#mayGuess || this.#hasChanged) return undefined
    const { version } = this.#cache
    if (version === undefined) {
      // Counting the documents of a store once tells whether comparing versions is cheap.
      if (this.#mayCompareVersions || this.#docCount === undefined) this.#observe()
      return undefined
    }
    if (!this.#mayCompareVersions) return undefined
    this.#mayRemember = true
    const kept = this.#cache.get(key)
    if (kept?.asOf !== version) return undefined
    this.#guessed.set(key, { question, value: kept.value, isFirst: false, asOf: version })
    return kept.value as T
  }

  /** @param asOf the version of the documents that the answer describes */
  remember<T>({ key, keptMs }: Question<T>, answer: T, asOf: number): void {
    if (!this.isPartial) this.#cache.set(key, answer, keptMs(answer), asOf)
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
        return { result, answers: sent.answers, asOf: undefined }
      }
      const { version } = this.#cache
      const unchanged = this.#unchangedSince(version)
      const asked = this.#toConfirm(unchanged)
      const guessed = [...this.#guessed.values()].map(({ question }) => question)
      const isCompared = unchanged.size > 0 || this.#isWorthComparing(guessed, asked.length)
      const state = this.#mayRemember || isCompared ? this.#askedState(version) : []
      const { answers, beside } = await ask(searches, [...asked, ...state])
      const asOf = state.length === 0 ? undefined : this.#sameVersion(beside.at(-1)!, version)
      if (this.#areConfirmed(asked, beside, unchanged, asOf)) return { result, answers, asOf }
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
    const state = this.#isWorthComparing(questions, asked.length) ? this.#askedState(version) : []
    const answers = await searchProducts(
      this.#cluster,
      this.#place,
      [...asked, ...state].map(({ body }) => body),
      { deadlineMs: this.#deadlineMs, otherBody: (i) => asked[i]?.otherBody?.() },
    )
    const asOf = state.length === 0 ? undefined : this.#sameVersion(answers.at(-1)!, version)
    asked.forEach((one, i) => this.#learn(one, answers[i]!, asOf))
  }

  /**
   * Returns the guesses that hold unless the documents have changed; none where separate questions
   * cost less.
   */
  #unchangedSince(version: number | undefined): ReadonlySet<Guess> {
    const guessed = [...this.#guessed.values()]
    const questions = guessed.map(({ question }) => question)
    const isWorthIt = this.#isWorthComparing(questions, searchesFor(guessed))
    if (!isWorthIt || !this.#mayCompareVersions) return new Set()
    if (version === undefined) this.#observe()
    if (this.#hasChanged) return new Set()
    return new Set(guessed.filter(({ asOf }) => asOf !== undefined && asOf === version))
  }

  #toConfirm(unchanged: ReadonlySet<Guess>): Asked[] {
    const guessed = [...this.#guessed.values()].filter((guess) => !unchanged.has(guess))
    const { nothing, unlikely, something } = Object.groupBy(guessed, kindOf)
    const questionsOf = (some: readonly Guess[] = []) => some.map(({ question }) => question)
    return [
      ...askedForNothing(questionsOf(nothing)),
      ...countedTogether(questionsOf(unlikely)),
      ...this.#together(questionsOf(something)),
    ]
  }

  /**
   * Whether it is cheaper to ask whether the documents have changed. The cluster reads all of them
   * for that, unless nothing in their shard has changed since; to count a word, it does not.
   *
   * @param searches the number that would answer all of the questions
   */
  #isWorthComparing(questions: readonly Question<unknown>[], searches: number): boolean {
    if (hasLists(questions)) return true
    return searches >= COMPARED_MIN && searches * SEARCH_COST_MS >= this.#cache.checkCostMs
  }

  /**
   * Asks for the state of the documents, behind everything else that a request asks: if it is that
   * of the version before the request, the answers describe this version. Without it, they could
   * include a document that was added just before and is deleted soon after.
   */
  #askedState(version: number | undefined): Asked[] {
    if (version === undefined || !this.#mayCompareVersions) return []
    return [{ body: writtenBody(this.#place), read: () => [] }]
  }

  /** @returns `version` if the documents still have it */
  #sameVersion(answer: SearchAnswer, version: number | undefined): number | undefined {
    const written = writtenState(answer)
    if (written === undefined) return undefined
    return this.#cache.see(written, answer.took) === version ? version : undefined
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
        if (written === undefined) return
        this.#cache.see(written, answer!.took)
        if (this.#docCount === undefined) this.#cache.set(TOTAL_KEY, written[0], 0)
      },
      // Then searches treat them as changing.
      () => undefined,
    )
  }

  /**
   * Takes the answers to guessed questions.
   * @param unchanged the guesses that only a change of the documents refutes
   * @param asOf the version that the documents still have; undefined if unknown
   * @returns whether all guesses were right
   */
  #areConfirmed(
    asked: readonly Asked[],
    answers: readonly SearchAnswer[],
    unchanged: ReadonlySet<Guess>,
    asOf: number | undefined,
  ): boolean {
    const guessed = new Map(this.#guessed)
    this.#guessed.clear()
    asked.forEach((one, i) => this.#learn(one, answers[i]!, asOf))
    if (asOf !== undefined) {
      for (const { question, value } of unchanged) this.#take(question, value, asOf)
    }
    for (const [key, guess] of guessed) {
      if (this.#known.has(key)) continue
      // After a change, it is a guess like any other.
      if (unchanged.has(guess)) this.#hasChanged = true
      else this.#doubted.add(key)
    }
    return [...guessed].every(([key, { value }]) => isSameFact(this.#known.get(key), value))
  }

  /** @param asOf the version of the documents that it describes; undefined if unknown */
  #learn({ read }: Asked, answer: SearchAnswer, asOf: number | undefined): void {
    if (answer.timed_out) this.isPartial = true
    for (const [question, value] of read(answer)) {
      if (answer.timed_out) this.#known.set(question.key, value)
      else this.#take(question, value, asOf)
    }
  }

  #take({ key, keptMs }: Question<unknown>, value: unknown, asOf: number | undefined): void {
    this.#known.set(key, value)
    this.#cache.set(key, value, keptMs(value), asOf)
  }

  #together(questions: readonly Question<unknown>[]): Asked[] {
    return this.#mayList ? listedTogether(questions) : questions.map(askedAlone)
  }

  /** The number of documents of the store when they were last counted; undefined if unknown. */
  get #docCount(): number | undefined {
    const docCount = this.#known.get(TOTAL_KEY) ?? this.#cache.get(TOTAL_KEY)?.value
    return typeof docCount === 'number' ? docCount : undefined
  }

  get #hasMany(): boolean {
    return (this.#docCount ?? 0) >= MANY_DOCUMENTS
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
    return (this.#docCount ?? Infinity) <= LISTED_DOCUMENTS_MAX
  }
}

/** Whether a guess is that nothing exists, by an earlier answer or because that is likely. */
function kindOf({ question, value, isFirst }: Guess): 'nothing' | 'unlikely' | 'something' {
  if (!isNothing(question, value)) return 'something'
  return isFirst ? 'unlikely' : 'nothing'
}

/** About how many searches confirm guesses one by one. */
function searchesFor(guessed: readonly Guess[]): number {
  const { nothing, unlikely, something = [] } = Object.groupBy(guessed, kindOf)
  return something.length + (nothing === undefined ? 0 : 1) + (unlikely === undefined ? 0 : 1)
}

/** Whether some answers are lists of words, or are as expensive. */
function hasLists(questions: readonly Question<unknown>[]): boolean {
  return questions.some(({ cost }) => cost > 0)
}

function isSameFact(one: unknown, other: unknown): boolean {
  if (one instanceof CountedWords) return other instanceof CountedWords && one.equals(other)
  return isDeepStrictEqual(one, other)
}
