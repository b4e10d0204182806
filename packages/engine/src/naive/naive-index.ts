import type { Analyzer } from '../analysis/analyzer.ts'
import type { FilterNode } from '../query/filter.ts'
import type { IndexDocument } from '../schema/document.ts'
import type { CompletionOutcome, CompletionRequest } from '../query/completion.ts'
import type { SearchOutcome, SearchPlan } from '../query/plan.ts'
import type { Schema } from '../schema/schema.ts'
import { meetsConditions } from '../rescoring/conditions.ts'
import { type CandidateDocument, analyzeCandidate } from '../rescoring/candidate-document.ts'
import { findCompletions } from '../rescoring/completions.ts'
import { countFacet } from '../rescoring/facets.ts'
import { matches, withoutField } from '../rescoring/filter.ts'
import { groupDocuments, groupOf } from '../rescoring/groups.ts'
import { hitsOf } from '../rescoring/hit.ts'
import { foundByMeaning, rankByMeaning } from '../rescoring/meaning.ts'
import { rankDocuments, relevantDocuments } from '../rescoring/ranking.ts'
import { isPinned, pinnedDocument, placePins } from '../rescoring/rules.ts'
import { type WordDemand, demandOf, matchedTerms, scoreDocument } from '../rescoring/score.ts'
import type { RankedDocument } from '../rescoring/sort.ts'
import { NaiveStatistics } from './naive-statistics.ts'
import { type SlotAlternatives, findSlots } from '../rescoring/words.ts'

/**
 * The naive twin: a search index in memory that ranks all of its documents with `rescoring/`. Each
 * search reads every document; only the statistics are cached.
 *
 * It defines in code what a plan means (`docs/ranking.md` does so in words), and is the oracle for
 * the embedded engine. Start reading at `search`.
 */
export class NaiveIndex {
  #schema: Schema
  readonly #analyzer: Analyzer
  readonly #documents = new Map<number, CandidateDocument>()
  /** Rebuilt by the first search after a change. */
  #statistics: NaiveStatistics | undefined

  constructor(schema: Schema, analyzer: Analyzer) {
    this.#schema = schema
    this.#analyzer = analyzer
  }

  /** Appends fields. Documents keep their values and lack the new fields until rewritten. */
  setSchema(schema: Schema): void {
    this.#schema = schema
    this.#statistics = undefined
  }

  /** Adds a document. A new version of a document has a new key: remove the old one too. */
  add(document: IndexDocument): void {
    if (this.#documents.has(document.docKey)) {
      throw new Error(`Cannot add document ${document.docKey}, the key is in use`)
    }
    this.#documents.set(document.docKey, analyzeCandidate(document, this.#schema, this.#analyzer))
    this.#statistics = undefined
  }

  /** Removes a document; does nothing if the key is absent. */
  remove(docKey: number): void {
    this.#documents.delete(docKey)
    this.#statistics = undefined
  }

  get docCount(): number {
    return this.#documents.size
  }

  /** Whether a document contains a form of this stem in a searchable field. */
  holds(stem: string): boolean {
    const documents = [...this.#documents.values()]
    this.#statistics ??= new NaiveStatistics(documents, this.#schema)
    return this.#statistics.groupDocFreq(stem) > 0
  }

  /** The docKeys of every document that matches a filter, ascending. */
  matchingKeys(filter: FilterNode): Float64Array {
    const matching = [...this.#documents.values()].filter((document) =>
      matches(document, filter, this.#analyzer),
    )
    return Float64Array.from(matching, (document) => document.docKey).sort()
  }

  /** Executes a plan. Ignores the deadline: the answer is always complete. */
  search(plan: SearchPlan): SearchOutcome {
    const schema = this.#schema
    const analyzer = this.#analyzer
    const documents = [...this.#documents.values()]
    const statistics = (this.#statistics ??= new NaiveStatistics(documents, schema))

    // 1. The alternatives of each word of the query.
    const slots = findSlots(plan, { catalog: statistics, analyzer })

    // 2. The documents that match the words well enough and match the filter, and the pinned
    // documents that match it.
    const demand = demandOf(plan, slots, statistics, (all) =>
      this.#documentsWithAll(plan, slots, all, statistics),
    )
    const withWords = relevantDocuments(plan, slots, documents, statistics, demand).filter(
      ({ document }) => !isPinned(plan, document),
    )
    const isWordMatch = new Set(withWords.map(({ document }) => document))
    const pinned = documents
      .filter((document) => isPinned(plan, document) && meetsConditions(plan, document))
      .map((document): RankedDocument => pinnedDocument(plan, document))
    const filter = plan.filter ?? { kind: 'and', nodes: [] }
    const meetsFilter = ({ document }: { document: CandidateDocument }) =>
      matches(document, filter, analyzer)
    const matching = withWords.filter(meetsFilter)
    const byMeaning = foundByMeaning(
      plan,
      documents.filter((document) => !isPinned(plan, document) && !isWordMatch.has(document)),
      analyzer,
    )
    const pins = new Map(pinned.filter(meetsFilter).map((pin) => [pin.document.id, pin]))

    // 3. Their order. The best rise if query words are side by side in their title.
    const similar = byMeaning.filter((document) => meetsFilter({ document }))
    const raised = rankDocuments(plan, slots, matching, { analyzer, schema })
    const ranked = placePins(plan, rankByMeaning(plan, raised, similar), pins)

    // 4. The facet counts, of documents or of groups. A disjunctive facet ignores the filter on its
    // own field.
    const { groups } = plan
    const groupOfDocument =
      groups?.facetCount === 'groups'
        ? (document: CandidateDocument) => groupOf(groups, document)
        : undefined
    const facets = plan.facets.map((request) => {
      const facetFilter = plan.disjunctiveFacets ? withoutField(filter, request.field) : filter
      const counted = [
        ...[...withWords, ...pinned].map(({ document }) => document),
        ...byMeaning,
      ].filter((document) => matches(document, facetFilter, analyzer))
      const field = schema.fields[request.field]!
      return countFacet(request, field, counted, analyzer, groupOfDocument)
    })

    // 5. The page, of documents or of groups.
    const grouped = groups && groupDocuments(groups, ranked, plan.from, plan.size)
    const page = grouped?.shown ?? ranked.slice(plan.from, plan.from + plan.size)
    const hits = hitsOf(plan, { slots, catalog: statistics, analyzer }, page)
    return {
      found: ranked.length,
      hits,
      ...(similar.length === 0 ? {} : { foundByMeaning: similar.length }),
      ...(grouped === undefined ? {} : { groups: { found: grouped.found, page: grouped.page } }),
      facets,
      cutoff: false,
      matchedTerms: matchedTerms(slots, demand),
      expansions: slots.map((slot) => slot.expansion),
    }
  }

  /** Documents within the scope of a plan that have all words, regardless of other conditions. */
  #documentsWithAll(
    plan: SearchPlan,
    slots: readonly SlotAlternatives[],
    demand: WordDemand,
    statistics: NaiveStatistics,
  ): number {
    const { scope } = plan
    const open = { ...plan, phrases: [], exclusions: [] }
    return [...this.#documents.values()].filter(
      (document) =>
        (scope === undefined || matches(document, scope, this.#analyzer)) &&
        scoreDocument(open, slots, document, statistics, demand) !== undefined,
    ).length
  }

  /**
   * Completes the last word of a query. Uses only the filter and the searched fields of the plan.
   */
  complete(plan: SearchPlan, request: CompletionRequest): CompletionOutcome {
    const documents = [...this.#documents.values()]
    const statistics = (this.#statistics ??= new NaiveStatistics(documents, this.#schema))
    return findCompletions(
      plan,
      request,
      { catalog: statistics, analyzer: this.#analyzer },
      documents,
    )
  }
}
