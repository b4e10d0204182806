import { MEANING_CANDIDATES, relevantDocuments } from '@aisle/engine/rescoring'
import type { FacetOutcome, SearchPlan } from '@aisle/engine'
import type { CandidateReader } from './candidate-reader.ts'
import { expectedQuestions } from './expected-questions.ts'
import { facetAggregations } from './facet-request.ts'
import type { Facts } from './facts.ts'
import { FoundCounts } from './found-counts.ts'
import { facetsQuestion } from './known-facets.ts'
import {
  mainSearch,
  matchedFirst,
  meaningSearch,
  pinSearch,
  relevanceSearch,
  WINDOW_MAX,
  withoutOrder,
} from './main-request.ts'
import type { Page } from './main-request.ts'
import { plannedWords } from './planned-words.ts'
import type { SearchAnswer } from './product-searches.ts'
import type { Question } from './question.ts'
import type { SearchedStore } from './searched-store.ts'
import type { FoundByMeaning } from './whole-order.ts'
import type { PlannedWords } from './word-query.ts'

interface BuiltSearch {
  readonly words: PlannedWords
  readonly main: Record<string, unknown>
  /** The search for what only its meaning finds; undefined: the plan asks for none. */
  readonly meant: ((size: number) => object) | undefined
  /** Asks for its facets; undefined if they are not remembered. */
  readonly facets?: Question<readonly FacetOutcome[]> | undefined
  /** Its facets, if they are remembered: then the main search does not count them. */
  readonly knownFacets?: readonly FacetOutcome[] | undefined
}

interface RelevantKeys {
  readonly keys: number[]
  readonly isPartial: boolean
}

/** What the cluster matches for a plan. */
export interface Matched {
  readonly built: BuiltSearch
  readonly answer: SearchAnswer
  /** To the search for pinned documents; undefined: the plan has none. */
  readonly pinAnswer: SearchAnswer | undefined
  /** To the search by meaning. */
  readonly meantAnswer: SearchAnswer | undefined
  /** `undefined` if the plan has no minimum relevance. */
  readonly relevant: RelevantKeys | undefined
  /** The version of the documents that the main search counted; undefined if unknown. */
  readonly asOf?: number | undefined
}

/**
 * The first stage of a search: finds the alternatives of the words of a plan, and what the cluster
 * matches for them: the counts, and the candidates by a coarse score.
 */
export class FirstStage {
  readonly #store: SearchedStore
  readonly #plan: SearchPlan
  readonly #page: Page
  readonly #facts: Facts
  readonly #reader: CandidateReader
  readonly #counts: FoundCounts
  readonly #aggregations: Record<string, object>

  constructor(
    store: SearchedStore,
    plan: SearchPlan,
    page: Page,
    { facts, reader }: { readonly facts: Facts; readonly reader: CandidateReader },
  ) {
    this.#store = store
    this.#plan = plan
    this.#page = page
    this.#facts = facts
    this.#reader = reader
    this.#counts = new FoundCounts(store.facts)
    this.#aggregations = facetAggregations(store.place, plan, store.schema)
  }

  /** @throws ClusterError */
  async match(): Promise<Matched> {
    const { slots, minRelevance = 0 } = this.#plan
    this.#facts.expect(expectedQuestions(this.#plan, this.#store.place, this.#store.analyzer))
    if (slots.length > 0 && minRelevance > 0) return this.#matchRelevant()
    const confirmed = await this.#facts.confirm(
      () => this.#build(),
      (built) => this.#searchesOf(built),
      (searches, beside) => this.#reader.find(searches, beside),
    )
    const { result: built, answers: found, asOf } = confirmed
    const searches = this.#searchesOf(built)
    const hasOrder = !this.#counts.mayBeAll(built.main, this.#page)
    const areCandidates = ([answer]: readonly SearchAnswer[]) =>
      this.#counts.learn(built.main, answer!) || hasOrder
    if (areCandidates(found)) {
      const answers = await this.#reader.complete(searches, found)
      // Answers that were read again may be newer.
      const ofVersion = answers === found ? { asOf } : {}
      if (areCandidates(answers)) return matchedBy(built, answers, ofVersion)
    }
    // There are more matches by now, so the order must choose the candidates.
    return matchedBy(built, await this.#reader.ask(this.#searchesOf(built)))
  }

  /** What only its meaning finds: the first of them, or more where the page shows more. */
  async foundByMeaning({
    built,
    answer,
    meantAnswer,
  }: Matched): Promise<FoundByMeaning & { readonly isPartial: boolean }> {
    if (meantAnswer === undefined) return { documents: [], total: 0, isPartial: false }
    const { from, size, groups } = this.#plan
    const total = meantAnswer.hits.total?.value ?? 0
    // Behind the candidates, they follow all that words find.
    const last = groups === undefined ? from + size - (answer.hits.total?.value ?? 0) : 0
    const shown = Math.min(total, last, WINDOW_MAX)
    const [all] =
      shown > MEANING_CANDIDATES ? await this.#reader.ask([built.meant!(shown)]) : [meantAnswer]
    const documents = this.#reader.read(all!, built.words.slots)
    return { documents, total, isPartial: all!.timed_out }
  }

  /** Matches only the documents with enough points. */
  async #matchRelevant(): Promise<Matched> {
    const { words } = await this.#facts.settle(() => this.#build())
    const relevant = await this.#relevantKeys(words)
    const built = this.#builtOf(words, relevant.keys)
    return matchedBy(built, await this.#reader.ask(this.#searchesOf(built)), { relevant })
  }

  async #relevantKeys(words: PlannedWords): Promise<RelevantKeys> {
    const { plan, slots, catalog, demand } = words
    const [answer] = await this.#reader.ask([relevanceSearch(words)])
    const candidates = this.#reader.read(answer!, slots)
    const relevant = await this.#facts.settle(() =>
      relevantDocuments(plan, slots, candidates, catalog, demand),
    )
    return {
      keys: relevant.map(({ document }) => document.docKey),
      isPartial: answer!.timed_out,
    }
  }

  /** Use it within `settle`. */
  #build(): BuiltSearch {
    const words = plannedWords(this.#plan, this.#store, this.#facts)
    // Needed in the second stage; asked here so that it arrives by then.
    if (this.#plan.slots.length > 0) void words.catalog.averageLengths
    const built = this.#builtOf(words)
    const matched = () => this.#counts.keyOf(built.main)
    const facets = facetsQuestion(matched, built.main, this.#plan, this.#store)
    const knownFacets = facets === undefined ? undefined : this.#facts.recall(facets)
    if (knownFacets === undefined) return { ...built, facets }
    return { ...built, main: mainSearch(words, {}), knownFacets }
  }

  #builtOf(words: PlannedWords, keys?: readonly number[]): BuiltSearch {
    const main = mainSearch(words, this.#aggregations, keys)
    return { words, main, meant: meaningSearch(words, keys) }
  }

  #searchesOf({ words, main, meant }: BuiltSearch): object[] {
    const page = this.#page
    // A page of groups is made of all first documents.
    const meantSize = this.#plan.groups === undefined ? MEANING_CANDIDATES : page.size
    return [
      { ...(this.#counts.mayBeAll(main, page) ? withoutOrder : matchedFirst)(main), ...page },
      ...(words.plan.pins.length === 0 ? [] : [pinSearch(words)]),
      ...(meant === undefined ? [] : [meant(meantSize)]),
    ]
  }
}

function matchedBy(
  built: BuiltSearch,
  answers: readonly SearchAnswer[],
  { relevant, asOf }: { relevant?: RelevantKeys; asOf?: number | undefined } = {},
): Matched {
  return {
    built,
    asOf,
    answer: answers[0]!,
    pinAnswer: built.words.plan.pins.length === 0 ? undefined : answers[1],
    meantAnswer: built.meant === undefined ? undefined : answers.at(-1),
    relevant,
  }
}
