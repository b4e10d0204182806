import { performance } from 'node:perf_hooks'
import {
  ApiError,
  SUGGESTED_FACET_VALUES_MAX,
  TAB_PRODUCTS_DEFAULT,
  type FilteredTab,
  type ProductCard as Card,
  type SearchParameters,
  type TabResult,
} from '@aisle/contract'
import {
  elementType,
  popularityLevelOf,
  type FacetOutcome,
  type RankedHit,
  type SearchOutcome,
  type SearchPlan,
} from '@aisle/engine'
import { TIME_RANGES } from '@aisle/suggestions'
import { quotedName } from '../../domain/expressions/text-cursor.ts'
import { fieldOrdinal } from '../../domain/documents/field-lookup.ts'
import { shownSchema } from '../../domain/documents/shown-schema.ts'
import { allOf } from '../../domain/expressions/filter-nodes.ts'
import type { ProductCard } from '../../domain/store/product-card.ts'
import { AnalysedQuery } from '../../domain/query/analysed-query.ts'
import { planRules } from '../../domain/plan/plan-rules.ts'
import { isUsualOrder } from '../../domain/expressions/sort-language.ts'
import { withLearning } from '../search/plan-learning.ts'
import { withPopularity } from '../search/plan-popularity.ts'
import { ruledRequest, rulesOf } from '../search/search-rules.ts'
import { omittedFields } from '../store/omitted-fields.ts'
import { NO_SCHEMA } from '../open-view.ts'
import { planRequest } from '../search/plan-context.ts'
import { partOf } from '../search/request-pace.ts'
import { presentCard } from './product-cards.ts'
import { interestsFor, type SuggestionScene } from './suggestion-scene.ts'

/** Products, and counts in the requested order. */
export interface FoundProducts {
  readonly cards: readonly Card[]
  readonly found: number
  readonly facets: ReadonlyMap<string, FacetOutcome>
}

export interface NamedCount {
  readonly name: string
  readonly count: number
}

const NONE: FoundProducts = { cards: [], found: 0, facets: new Map() }

/** Finds products, and counts their facets. */
export class SuggestedProducts {
  readonly #scene: SuggestionScene
  readonly #card: ProductCard

  constructor(scene: SuggestionScene, card: ProductCard) {
    this.#scene = scene
    this.#card = card
  }

  /**
   * Runs one search for the typed text, or for everything if it is empty.
   *
   * @param fields to count; fields that are not facets are ignored
   * @throws ApiError about the filters
   */
  async find(
    q: string,
    size: number,
    fields: readonly (string | null)[] = [],
    filters?: Readonly<Record<string, unknown>>,
  ): Promise<FoundProducts> {
    const { view } = this.#scene
    const { schema } = view
    if (schema === undefined) return NONE
    const shown = shownSchema(schema, omittedFields(view.resources))
    const facetNames = [...new Set(fields)].filter((name): name is string => {
      const ordinal = name === null ? undefined : fieldOrdinal(shown, name)
      return ordinal !== undefined && shown.fields[ordinal]!.facet
    })
    const { outcome, reasonOf } = await this.#search({
      q: q.trim() === '' ? '*' : q,
      per_page: size,
      max_values: Math.max(SUGGESTED_FACET_VALUES_MAX, 100),
      ...(facetNames.length === 0 ? {} : { facet_by: facetNames.map(quotedName) }),
      ...(filters === undefined ? {} : { filters: { ...filters } }),
    })
    return {
      cards: await this.#cards(outcome, reasonOf),
      found: outcome.found,
      facets: new Map(
        outcome.facets.map((facet) => [schema.fields[facet.field]!.name, facet] as const),
      ),
    }
  }

  /**
   * Returns the products of a tab. A tab whose filters do not fit the schema has no products, and a
   * warning.
   */
  async tab(q: string, tab: FilteredTab, warnings: string[]): Promise<TabResult> {
    const startMs = performance.now()
    const size = tab.limit ?? TAB_PRODUCTS_DEFAULT
    const id = tab.id ?? tab.label
    let found = NONE
    try {
      found = await this.find(q, size, [], tab.filters)
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 400) throw error
      warnings.push(`Tab \`${id}\` has no products: ${error.message}`)
    }
    return {
      id,
      label: tab.label,
      products: [...found.cards],
      nb_hits: found.found,
      processing_time_ms: Math.round(performance.now() - startMs),
    }
  }

  /** Popular products that match the typed text, then the best of the others. */
  async recommendations(q: string, size: number): Promise<Card[]> {
    const { known, request, view } = this.#scene
    const cards = new Map<string, Card>()
    const add = (card: Card, reason: Card['reason']): void => {
      if (cards.size < size && !cards.has(card.id)) cards.set(card.id, { ...card, reason })
    }
    if (view.schema === undefined) return []
    if (known !== undefined) {
      const { index } = known.matcher
      const window = index.windows[TIME_RANGES.indexOf(request.timeRange)]!
      if (q.trim() === '') {
        const newest = interestsFor(this.#scene).at(-1)
        const entry = newest === undefined ? -1 : index.find([...newest.stems].join(' '))
        if (entry >= 0) {
          const { cards: own } = await this.find(index.texts.get(entry), PERSONAL_MAX)
          for (const card of own) add(card, 'personalized')
        }
      }
      const idsOf = (places: Uint32Array): string[] =>
        Array.from(places, (place) => index.documents.get(place))
      const trending = idsOf(window.trendingDocuments)
      const popular = idsOf(window.popularDocuments)
      const fitting = await this.#among(q, [...new Set([...trending, ...popular])])
      for (const id of trending.slice(0, TRENDING_MAX)) {
        const card = fitting.get(id)
        if (card !== undefined) add(card, 'trending')
      }
      for (const id of popular) {
        const card = fitting.get(id)
        if (card !== undefined) add(card, 'popular')
      }
    }
    if (cards.size < size) {
      const { cards: best } = await this.find(q, size)
      for (const card of best) add(card, card.reason)
    }
    return [...cards.values()]
  }

  /** The documents that exist and match. */
  async #among(q: string, ids: readonly string[]): Promise<Map<string, Card>> {
    if (ids.length === 0) return new Map()
    const request = { q: q.trim() === '' ? '*' : q, per_page: AMONG_MAX }
    const { outcome, reasonOf } = await this.#search(request, ids)
    const cards = await this.#cards(outcome, reasonOf)
    return new Map(cards.map((card) => [card.id, card]))
  }

  async #search(request: SearchParameters, ids?: readonly string[]): Promise<SearchedProducts> {
    const { ports, storeId, view, pace } = this.#scene
    if (pace.isDue()) await pace.rest()
    const query = new AnalysedQuery(request.q, view.analyzer)
    // Rules hide, pin and boost products here as in a search.
    const rules = rulesOf(ports, view, request, query)
    const asked = ruledRequest(request, rules, false)
    const unruled = planRequest(view, asked, partOf(pace), ports.clock.now(), query.with(asked.q))
    const ruled = rules === undefined ? unruled : planRules(unruled, rules, false)
    const popular = withPopularity(ports, storeId, view, ruled.plan, request.q)
    const plan = withLearning(ports, storeId, view, popular, request.q)
    const reasonOf = (hit: RankedHit): Card['reason'] => reasonIn(plan, hit)
    if (ids === undefined) return { outcome: await view.search(plan), reasonOf }
    const only = { kind: 'ids', ids } as const
    const filter = plan.filter === undefined ? only : allOf([plan.filter, only])
    return { outcome: await view.search({ ...plan, filter }), reasonOf }
  }

  async #cards({ hits }: SearchOutcome, reasonOf: SearchedProducts['reasonOf']): Promise<Card[]> {
    const { ports, storeId, view } = this.#scene
    const docKeys = hits.map(({ docKey }) => docKey)
    const documentOf = await ports.reader.fetch(storeId, docKeys, view.content)
    const cards: Card[] = []
    for (const hit of hits) {
      const document = documentOf(hit.docKey)
      if (document !== undefined) cards.push(presentCard(this.#card, document, reasonOf(hit)))
    }
    return cards
  }
}

interface SearchedProducts {
  readonly outcome: SearchOutcome
  readonly reasonOf: (hit: RankedHit) => Card['reason']
}

/**
 * The reason why a product is listed. Without words everything matches, so popularity or else age
 * decides, unless a sort order is set.
 */
function reasonIn({ slots, sort, popularity }: SearchPlan, { docKey }: RankedHit): Card['reason'] {
  if (slots.length > 0) return 'matches'
  const level = popularity === undefined ? 0 : popularityLevelOf(popularity.documents, docKey)
  if (level > 0) return 'popular'
  return isUsualOrder(sort) ? 'recent' : 'matches'
}

const PERSONAL_MAX = 3
const TRENDING_MAX = 5
const AMONG_MAX = 250

export function countsOf(facet: FacetOutcome | undefined, max: number): NamedCount[] {
  return (facet?.counts ?? []).slice(0, max).map(({ value, count }) => ({ name: value, count }))
}

/** Text facets in the order of the schema: the fields that a drop-down may show. */
export function textFacets({ view }: SuggestionScene, max: number): string[] {
  const schema = view.schema ?? NO_SCHEMA
  return shownSchema(schema, omittedFields(view.resources))
    .fields.filter(({ facet, type }) => facet && elementType(type) === 'string')
    .slice(0, max)
    .map(({ name }) => name)
}
