import type {
  AnswerOf,
  RecommendationParameters,
  RecommendationsOf,
  SearchClient,
  SearchParameters,
} from '@aisle/client/search'
import { edgesText } from './price-edges.ts'
import { searchFor, withoutFilters, type PageState } from './page-state.ts'
import { SHOP } from './shop-config.ts'

export type Product = Readonly<Record<string, unknown>>
export type Answer = AnswerOf<Product>
export type ShopSearch = SearchClient<Product>
export type Recommended = RecommendationsOf<Product>['hits'][number]

/** Products under a heading. */
export interface Row {
  readonly title: string
  readonly hits: readonly Recommended[]
}

/** A search that finds something where another found nothing. */
export interface Alternative {
  readonly state: PageState
  readonly found: number
  readonly firstId: string
}

/** The data of a page. */
export interface PageData {
  readonly answer?: Answer
  readonly product?: Product & { readonly id: string }
  readonly rows: readonly Row[]
  /** For a search that found nothing. */
  readonly alternatives?: readonly Alternative[]
  /** Categories of the whole catalog, for the strip below the header. */
  readonly categories: readonly string[]
}

const PER_PAGE = 24
const ROW_PRODUCTS = 10
/** The fields that a card shows. */
const CARD_FIELDS = [
  'title',
  'price',
  'listPrice',
  'image',
  'brand',
  'rating',
  'ratingCount',
  'inStock',
] as const
const cardFields = CARD_FIELDS.flatMap((role) => SHOP.fields[role] ?? [])

export interface LoadOptions {
  /** Why each hit was found. */
  readonly explain?: boolean
  /** Rendered on the server: no visitor has searched yet. */
  readonly isDrawing?: boolean
  readonly signal?: AbortSignal
}

function searchRequest(state: PageState, options: LoadOptions = {}): SearchParameters {
  const filters: Record<string, unknown> = {}
  for (const { field, kind } of SHOP.facets) {
    const chosen = state.values[field]
    const [low, high] = state.ranges[field] ?? []
    if (low !== undefined || high !== undefined) {
      filters[field] = {
        ...(low === undefined ? {} : { min: low }),
        ...(high === undefined ? {} : { lt: high }),
      }
    } else if (chosen !== undefined) filters[field] = kind === 'flag' ? true : [...chosen]
  }
  const sortBy = SHOP.sorts[state.sort]?.sortBy
  return {
    q: state.q.trim() === '' ? '*' : state.q,
    per_page: PER_PAGE,
    page: state.pageNumber,
    interpret: 'apply',
    ...(state.words.length === 0 ? {} : { interpret_except: [...state.words] }),
    filters,
    facet_mode: 'disjunctive',
    facet_by: SHOP.facets.map(({ field, kind }) => {
      if (kind === 'range') return `${field}(${edgesText()})`
      return `${field}(limit:${kind === 'tree' ? 200 : 40})`
    }),
    return_fields: [...cardFields],
    highlight: false,
    ...(sortBy === undefined ? {} : { sort_by: sortBy }),
    ...(options.explain === true ? { explain: true } : {}),
    ...(options.isDrawing === true ? { analytics: false } : {}),
  }
}

/** Loads the data of an address. */
export async function loadPage(
  shop: ShopSearch,
  state: PageState,
  options: LoadOptions = {},
): Promise<PageData> {
  const { signal } = options
  const row = async (title: string, asked: RecommendationParameters): Promise<Row> => {
    const request = { per_page: ROW_PRODUCTS, return_fields: [...cardFields], ...asked }
    const { hits } = await shop.recommend(request, { signal }).catch(() => ({ hits: [] }))
    return { title, hits }
  }
  const categories = categoriesOf(shop, signal)
  switch (state.page) {
    case 'search': {
      const answer = await shop.search(searchRequest(state, options), { signal })
      if (answer.found > 0) return { answer, rows: [], categories: await categories }
      const alternatives = await alternativesOf(shop, state, signal)
      const ids = alternatives.slice(0, 3).map(({ firstId }) => firstId)
      const rows = await Promise.all([
        ...(ids.length === 0 ? [] : [row('You may be looking for', { kind: 'related', ids })]),
        row('Popular now', { kind: 'trending' }),
      ])
      return { answer, alternatives, rows: withoutRepeats(rows), categories: await categories }
    }
    case 'product': {
      const ids = [state.id]
      const [product, ...rows] = await Promise.all([
        shop.document(state.id, { signal }),
        row('Often bought together', { kind: 'bought_together', ids, per_page: 5 }),
        row('Related products', { kind: 'related', ids }),
        row('Recently viewed', { kind: 'recently_viewed', ids }),
      ])
      const found = { ...product.data, id: product.id }
      return { product: found, rows, categories: await categories }
    }
    case 'cart':
    case 'home': {
      const kinds: readonly [string, RecommendationParameters['kind']][] =
        state.page === 'cart'
          ? [['For you', 'for_you']]
          : [
              ['Trending now', 'trending'],
              ['Recently viewed', 'recently_viewed'],
              ['For you', 'for_you'],
            ]
      const rows = await Promise.all(kinds.map(([title, kind]) => row(title, { kind })))
      return { rows: withoutRepeats(rows), categories: await categories }
    }
  }
}

/** Maximum of words of a long query that are searched alone. */
const WORDS_MAX = 4

/** The search without its filters, and each of its words: those that find something. */
async function alternativesOf(
  shop: ShopSearch,
  state: PageState,
  signal: AbortSignal | undefined,
): Promise<Alternative[]> {
  const hasFilters = Object.keys({ ...state.values, ...state.ranges }).length > 0
  const words = state.q.split(/\s+/).filter((word) => word.length > 2)
  const states = [
    ...(hasFilters ? [withoutFilters(state)] : []),
    ...(words.length > 1 ? words.slice(0, WORDS_MAX).map((word) => searchFor(word)) : []),
  ]
  const found = states.map(async (other): Promise<Alternative | undefined> => {
    const request = { ...searchRequest(other), facet_by: [], per_page: 1, analytics: false }
    const answer = await shop.search(request, { signal }).catch(() => undefined)
    const first = answer?.hits[0]
    return first && { state: other, found: answer.found, firstId: first.id }
  })
  return (await Promise.all(found)).filter((one) => one !== undefined)
}

/** For a new visitor, "For you" equals "trending": one of them is enough. */
function withoutRepeats(rows: readonly Row[]): Row[] {
  const seen = new Set<string>()
  return rows.map(({ title, hits }) => {
    const others = hits.filter(({ id }) => !seen.has(id))
    for (const { id } of others) seen.add(id)
    return { title, hits: others }
  })
}

const topCategories = new WeakMap<ShopSearch, Promise<readonly string[]>>()

/** The first levels of the tree; requested once. */
function categoriesOf(shop: ShopSearch, signal?: AbortSignal): Promise<readonly string[]> {
  const { category } = SHOP.fields
  if (category === undefined) return Promise.resolve([])
  let known = topCategories.get(shop)
  if (known === undefined) {
    known = shop
      .filters({ q: '*', facet_by: `${category}(limit:200)` }, { signal })
      .then(({ facets }) => {
        const values = facets[category]
        if (!Array.isArray(values)) return []
        return values
          .map(({ value }) => value)
          .filter((value) => !value.includes(SHOP.levelSeparator))
          .slice(0, 8)
      })
      .catch(() => {
        topCategories.delete(shop)
        return []
      })
    topCategories.set(shop, known)
  }
  return known
}
