import {
  QUERY_LENGTH_MAX_CHARS,
  type RecommendationParameters,
  type VectorQuery,
} from '@aisle/contract'
import { DeadlineReached, isVector, type FilterNode, type SearchPlan } from '@aisle/engine'
import { vectorOf } from '../../domain/documents/stored-value.ts'
import { exactJson } from '../../domain/json/json-exact.ts'
import { parseExact, textOf } from '../../domain/json/json-scan.ts'
import { allOf } from '../../domain/expressions/filter-nodes.ts'
import { fieldOrdinal } from '../../domain/documents/field-lookup.ts'
import type { ProductCard } from '../../domain/store/product-card.ts'
import type { FetchedDocuments, StoredDocument } from '../../ports/catalog/document-reader.ts'
import type { SearchView } from '../../ports/search/search-backend.ts'
import { NO_SCHEMA } from '../open-view.ts'
import type { ServicePorts } from '../service-ports.ts'
import { planRequest } from '../search/plan-context.ts'
import { deadlineOf, partOf, type RequestPace } from '../search/request-pace.ts'
import { cardOf } from './product-cards.ts'

/** Maximum number of products of a request for which similar ones are searched. */
const SIMILAR_SEARCHES_MAX = 3
/** Number of newest products whose categories take turns. */
const NEWEST_MAX = 100
/** Boost of the words of a product of the same category. */
const SAME_CATEGORY_FACTOR = 3

export interface RecommendationScene {
  readonly ports: Pick<ServicePorts, 'reader' | 'clock'>
  readonly storeId: string
  readonly view: SearchView
  readonly request: RecommendationParameters
  readonly pace: RequestPace
}

/** The fields of a product that `similar` compares. */
interface Likeness {
  readonly words: string
  /** Condition for the category of the product, if it has one. */
  readonly category: FilterNode | undefined
  /** In the first field of vectors, if it has one there. */
  readonly vector: VectorQuery | undefined
}

/** Finds documents of the catalog by search. Each method returns docKeys, best first. */
export class RecommendedDocuments {
  readonly #scene: RecommendationScene
  readonly #card: ProductCard

  constructor(scene: RecommendationScene) {
    this.#scene = scene
    this.#card = cardOf(scene.view)
  }

  /**
   * Returns documents of some ids that exist and pass the filter of the request, in the given
   * order.
   */
  async among(ids: readonly string[]): Promise<number[]> {
    if (ids.length === 0) return []
    const keys = await this.#search('*', ids.length, [{ kind: 'ids', ids }])
    const places = new Map(ids.map((id, place) => [id, place]))
    const found: { place: number; docKey: number }[] = []
    const documentOf = await this.#fetch(keys)
    for (const docKey of keys) {
      const document = documentOf(docKey)
      const place = document === undefined ? undefined : places.get(document.id)
      if (place !== undefined) found.push({ place, docKey })
    }
    return found.toSorted((a, b) => a.place - b.place).map(({ docKey }) => docKey)
  }

  async #fetch(docKeys: readonly number[]): Promise<FetchedDocuments> {
    const { ports, storeId, view } = this.#scene
    return await ports.reader.fetch(storeId, docKeys, view.content)
  }

  /**
   * Returns documents that mean about the same as the first few of these products, in turns: by
   * their vectors, where the product has one, otherwise by its words.
   */
  async similar(
    ids: readonly string[],
    size: number,
    { otherCategory }: { readonly otherCategory: boolean },
  ): Promise<number[]> {
    const lists: number[][] = []
    for (const id of ids.slice(0, SIMILAR_SEARCHES_MAX)) {
      const likeness = await this.#likenessOf(id)
      if (likeness === undefined) continue
      const { words, category, vector } = likeness
      if (vector !== undefined && !otherCategory) {
        const others: FilterNode[] = [{ kind: 'not', node: { kind: 'ids', ids } }]
        lists.push(await this.#search('*', size, others, [], vector))
        continue
      }
      if (words.trim() === '') continue
      if (otherCategory && category === undefined) continue
      const others: FilterNode[] = [{ kind: 'not', node: { kind: 'ids', ids } }]
      if (otherCategory) others.push({ kind: 'not', node: category! })
      const boosts =
        otherCategory || category === undefined
          ? []
          : [{ filter: category, factor: SAME_CATEGORY_FACTOR }]
      lists.push(await this.#search(words, size, others, boosts))
    }
    return inTurns(lists)
  }

  /**
   * Returns the newest products, with categories in turns: products are often written category by
   * category, and the last category alone would fill a page.
   */
  async newest(size: number): Promise<number[]> {
    const keys = await this.#search('*', Math.max(size, NEWEST_MAX), [])
    const byCategory = new Map<unknown, number[]>()
    const documentOf = await this.#fetch(keys)
    for (const docKey of keys) {
      const document = documentOf(docKey)
      const category = document === undefined ? undefined : this.#detailsOf(document).category?.name
      const list = byCategory.get(category)
      if (list === undefined) byCategory.set(category, [docKey])
      else list.push(docKey)
    }
    return inTurns([...byCategory.values()])
  }

  /**
   * Returns the visible documents of some ids, without the filter of the request. None is visible
   * if the filter of the token takes longer than the request may: what follows has no time either.
   */
  async visible(ids: readonly string[]): Promise<string[]> {
    const { view } = this.#scene
    if (view.scope === undefined || ids.length === 0) return [...ids]
    const keys = await this.#visibleKeys(ids)
    const seen: string[] = []
    for (const id of ids) {
      const document = await this.#scene.ports.reader.get(this.#scene.storeId, id)
      if (document !== undefined && keys.has(document.docKey)) seen.push(id)
    }
    return seen
  }

  async #visibleKeys(ids: readonly string[]): Promise<ReadonlySet<number>> {
    const { view, pace } = this.#scene
    try {
      return new Set(await view.matchingKeys({ kind: 'ids', ids }, deadlineOf(pace)))
    } catch (error) {
      if (!(error instanceof DeadlineReached)) throw error
      return new Set()
    }
  }

  async #search(
    q: string,
    size: number,
    filters: readonly FilterNode[],
    boosts: SearchPlan['boosts'] = [],
    vector?: VectorQuery,
  ): Promise<number[]> {
    const { ports, view, request, pace } = this.#scene
    if (pace.isDue()) await pace.rest()
    const { filter_by, filters: given } = request
    const { plan } = planRequest(
      view,
      {
        q,
        per_page: size,
        typo_max: 0,
        prefix_mode: 'off',
        infix_mode: 'off',
        require_all_terms: false,
        min_relevance: 0,
        exact_match_boost: false,
        ...(filter_by === undefined ? {} : { filter_by }),
        ...(given === undefined ? {} : { filters: given }),
        ...(vector === undefined ? {} : { vector }),
      },
      partOf(pace),
      ports.clock.now(),
    )
    const nodes = [...(plan.filter === undefined ? [] : [plan.filter]), ...filters]
    const { hits } = await view.search({
      ...plan,
      sort: vector === undefined ? [] : plan.sort,
      boosts,
      ...(nodes.length === 0 ? {} : { filter: allOf(nodes) }),
    })
    return hits.map(({ docKey }) => docKey)
  }

  async #likenessOf(id: string): Promise<Likeness | undefined> {
    const { ports, storeId, view } = this.#scene
    const document = await ports.reader.get(storeId, id)
    if (document === undefined || view.schema === undefined) return undefined
    const { title, category } = this.#detailsOf(document)
    const field = view.schema.fields.find(isVector)
    const values = field && vectorOf(document.json, field, view.schema)
    return {
      vector: values && { field: field!.name, values: [...values] },
      // Quotes and hyphens are operators of a query.
      words: (typeof title === 'string' ? title : exactJson(title))
        .replaceAll(/["-]/g, ' ')
        .slice(0, QUERY_LENGTH_MAX_CHARS),
      category:
        category === undefined
          ? undefined
          : { kind: 'equals', field: category.field, value: view.analyzer.fold(category.name) },
    }
  }

  /** The first title of a product, and the last value of its category if that is a facet. */
  #detailsOf({ json }: StoredDocument): { title: unknown; category?: Category } {
    const { title, category } = this.#card
    const text = textOf(json, 0, json.length)
    const values = new Map(Object.entries(parseExact(text) as Record<string, unknown>))
    const valuesOf = (name: string | null): unknown[] => {
      const value = name === null ? undefined : values.get(name)
      return value === undefined || value === null ? [] : [value].flat()
    }
    const { schema = NO_SCHEMA } = this.#scene.view
    const [first = ''] = valuesOf(title)
    const field = category === null ? undefined : fieldOrdinal(schema, category)
    const name = valuesOf(category).at(-1)
    if (field === undefined || !schema.fields[field]!.facet || typeof name !== 'string') {
      return { title: first }
    }
    return { title: first, category: { field, name } }
  }
}

interface Category {
  readonly field: number
  readonly name: string
}

/** The first of each list, then the second of each, and so on. */
function inTurns<T>(lists: readonly (readonly T[])[]): T[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length))
  return Array.from({ length: longest }, (_, i) =>
    lists.flatMap((list) => (i < list.length ? [list[i]!] : [])),
  ).flat()
}
