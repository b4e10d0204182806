import { TAB_PRODUCTS_DEFAULT, type SuggestionsMeta } from '@aisle/contract'
import { begunLength, escapeHtml } from '@aisle/engine'
import type { Visitor } from '@aisle/event-log'
import { popularityOfRank, readTyped, TIME_RANGES } from '@aisle/suggestions'
import { exactJson } from '../../domain/json/json-exact.ts'
import { readSuggestionRequest } from '../../domain/suggestions/suggestion-request.ts'
import { madeInTurns } from '../../domain/turns/gradual.ts'
import type { ServicePorts } from '../service-ports.ts'
import { CatalogCheck } from './catalog-check.ts'
import { openView } from '../open-view.ts'
import { cardOf } from './product-cards.ts'
import { soloPace } from '../search/request-pace.ts'
import {
  countsOf,
  SuggestedProducts,
  textFacets,
  type FoundProducts,
} from './suggested-products.ts'
import { suggestedQueries, type QuerySuggestion } from './suggested-queries.ts'
import type { SuggestionScene } from './suggestion-scene.ts'
import { suggestionRules } from './suggestions-config.ts'

/** Number of queries in each list beside the tabs. */
const LISTED_MAX = 10

/**
 * Returns suggestions for a visitor who is typing: queries of others, and the products that they
 * find.
 *
 * @param parameters as sent
 * @returns the response as JSON text
 * @throws ApiError
 */
export async function suggestions(
  ports: Pick<ServicePorts, 'registry' | 'reader' | 'backend' | 'clock' | 'suggestions'>,
  storeId: string,
  visitor: Visitor,
  parameters: unknown,
  pace = soloPace(),
): Promise<string> {
  const owner = ports.registry.find(storeId)
  // Read first, because the first time takes a moment, and later reads must be current.
  const known = owner === undefined ? undefined : await ports.suggestions.of(owner)
  const view = openView(ports, storeId, pace)
  const compiled = suggestionRules(view)
  if (!compiled.isMade) await madeInTurns([compiled], pace)
  const rules = compiled.value
  const request = readSuggestionRequest(parameters, rules.config)
  const scene = { ports, storeId, view, rules, request, known, visitor, pace }
  pace.begin(`${storeId} suggestions ${request.q}`)
  return exactJson(request.tabs === undefined ? await plain(scene) : await withTabs(scene))
}

async function plain(scene: SuggestionScene): Promise<object> {
  const { request, view } = scene
  const { q, categories, facets, hitsPerPage } = request
  const { suggestions: found, total } = await suggestedQueries(scene)
  const products = productsOf(scene)
  const { category } = cardOf(view)
  // An empty query has products only if the request asks for recommendations.
  const hasProducts = q.trim() !== '' || request.emptyQuery
  const facetFields = facets === undefined ? [] : textFacets(scene, facets)
  const size = request.productList && hasProducts ? hitsPerPage : 0
  const counted = [...(categories === undefined ? [] : [category]), ...facetFields]
  const searched = await findCompleted(scene, products, found, { size, counted })
  return {
    suggestions: found,
    ...(categories === undefined
      ? {}
      : { categories: countsOf(searched.facets.get(category ?? ''), categories) }),
    ...(facets === undefined
      ? {}
      : {
          facets: facetFields.flatMap((field) => {
            const values = searched.facets.get(field)?.counts ?? []
            if (values.length === 0) return []
            return [{ field, values: values.slice(0, FACET_VALUES).map(({ value }) => value) }]
          }),
        }),
    ...(request.recommendations
      ? {
          dropdown_recommendations: hasProducts
            ? await products.recommendations(q, hitsPerPage)
            : [],
        }
      : {}),
    ...(request.productList ? { dropdown_product_list: searched.cards } : {}),
    meta: metaOf(scene, total),
    ...warningsOf(request.warnings),
  }
}

const FACET_VALUES = 10

/**
 * Returns products of the typed text, with counts for the text as completed by the first
 * suggestion: a visitor who types "lam" and sees "lamp" is not looking for hats of lambswool.
 */
async function findCompleted(
  scene: SuggestionScene,
  products: SuggestedProducts,
  found: readonly QuerySuggestion[],
  { size, counted }: { readonly size: number; readonly counted: readonly (string | null)[] },
): Promise<Pick<FoundProducts, 'cards' | 'facets'>> {
  const { q } = scene.request
  if (size === 0 && counted.length === 0) return { cards: [], facets: new Map() }
  const text = counted.length === 0 ? q : completedText(scene, found)
  if (text === q) return await products.find(q, size, counted)
  const { facets } = await products.find(text, 0, counted)
  return { cards: size === 0 ? [] : (await products.find(q, size)).cards, facets }
}

/**
 * Returns the typed text with its last word as in the first suggestion, unless it is a complete
 * word.
 */
function completedText(
  { request: { q, page }, view: { analyzer } }: SuggestionScene,
  [first]: readonly QuerySuggestion[],
): string {
  const typed = readTyped(q, analyzer)
  const [last, stem] = [typed.words.at(-1), typed.stems.at(-1)]
  if (first === undefined || page > 0 || last === undefined || !typed.isOpen) return q
  const suggested = readTyped(first.query, analyzer)
  if (suggested.stems.includes(stem!)) return q
  const completed = suggested.words.find((word) => begunLength(word, last) >= 0)
  return completed === undefined ? q : [...typed.words.slice(0, -1), completed].join(' ')
}

/** The suggestions first, then the recommendations. */
async function withTabs(scene: SuggestionScene): Promise<object> {
  const { request, view, known, rules } = scene
  const { q } = request
  const warnings = [...request.warnings]
  const { suggestions: found, total } = await suggestedQueries(scene)
  const { category, brand } = cardOf(view)
  const products = productsOf(scene)
  const searched = await findCompleted(scene, products, found, {
    size: TAB_PRODUCTS_DEFAULT,
    counted: [category, brand],
  })
  const filteredTabs = []
  for (const tab of request.tabs ?? []) filteredTabs.push(await products.tab(q, tab, warnings))
  const categories = request.categories ?? rules.config.max_categories
  const window = known?.matcher.index.windows[TIME_RANGES.indexOf(request.timeRange)]
  return {
    results: [
      {
        hits: found.map(({ query, popularity }) => ({
          objectID: query,
          query,
          popularity,
          _highlightResult: { query: { value: marked(query, q, scene) } },
        })),
        extensions: {
          metadata: metaOf(scene, total),
          queryCategorization: countsOf(searched.facets.get(category ?? ''), categories),
        },
      },
      {
        hits: searched.cards,
        extensions: {
          filtered_tabs: filteredTabs,
          top_searches: await topSearches(scene),
          trending_searches: await listed(scene, window?.trending ?? NO_ENTRIES),
          related_searches: await listed(scene, relatedTo(scene, found)),
          popular_brands: countsOf(searched.facets.get(brand ?? ''), LISTED_MAX),
        },
      },
    ],
    ...warningsOf(warnings),
  }
}

function productsOf(scene: SuggestionScene): SuggestedProducts {
  return new SuggestedProducts(scene, cardOf(scene.view))
}

const NO_ENTRIES = new Uint32Array()

/** Returns the most frequent searches, independent of the typed text. */
async function topSearches(scene: SuggestionScene): Promise<readonly QuerySuggestion[]> {
  const request = {
    ...scene.request,
    q: '',
    emptyQuery: true,
    page: 0,
    hitsPerPage: LISTED_MAX,
  }
  const { suggestions: found } = await suggestedQueries({ ...scene, request })
  return found.filter(({ popularity }) => popularity > 0)
}

/** Returns queries from the same sessions as the typed query, or as its first suggestion. */
function relatedTo(
  { known, view, request }: SuggestionScene,
  found: readonly QuerySuggestion[],
): Uint32Array {
  if (known === undefined) return NO_ENTRIES
  const { index } = known.matcher
  for (const text of [request.q, ...found.slice(0, 1).map(({ query }) => query)]) {
    const { stems } = readTyped(text, view.analyzer)
    const entry = stems.length === 0 ? -1 : index.find(stems.join(' '))
    if (entry >= 0 && index.related.of(entry).length > 0) return index.related.of(entry)
  }
  return NO_ENTRIES
}

/** Returns entries of the index that may be shown, in the given order. */
async function listed(
  scene: SuggestionScene,
  entries: Uint32Array,
): Promise<readonly QuerySuggestion[]> {
  const { known, request, rules } = scene
  if (known === undefined) return []
  const { index } = known.matcher
  const { rank, visitors, networks } = index.windows[TIME_RANGES.indexOf(request.timeRange)]!
  const { min_sessions: minSessions, min_networks: minNetworks } = rules.config
  const checker = new CatalogCheck(scene)
  const list: QuerySuggestion[] = []
  for (const entry of entries) {
    if (list.length === LISTED_MAX) break
    const popularity = popularityOfRank(rank[entry]!)
    const stems = index.stemsOf(entry).map((stem) => index.stems.get(stem))
    if (popularity < Math.max(1, request.minPopularity) || visitors[entry]! < minSessions) continue
    if (minNetworks > 1 && networks[entry]! < minNetworks) continue
    if (rules.allowed?.has(stems.join(' ')) === false || rules.blocks(stems)) continue
    if (!(await checker.knows(entry))) continue
    list.push({ query: index.texts.get(entry), popularity })
  }
  return list
}

/** Formats the suggestion as HTML, with the typed text in `<mark>` where it begins a word. */
function marked(query: string, q: string, { view }: SuggestionScene): string {
  const words = readTyped(q, view.analyzer).words
  let html = ''
  let done = 0
  for (const { kind, form, start, end } of view.analyzer.analyze(query)) {
    if (kind === 'joined' || start < done) continue
    const typed = words.find((word) => form.startsWith(word))
    if (typed === undefined) continue
    // If folding changes the length of the text, the whole word is marked.
    const stop = form.length === end - start ? start + typed.length : end
    html += `${escapeHtml(query.slice(done, start))}<mark>${escapeHtml(query.slice(start, stop))}</mark>`
    done = stop
  }
  return html + escapeHtml(query.slice(done))
}

function metaOf({ request }: SuggestionScene, totalHits: number): SuggestionsMeta {
  const { q, page, hitsPerPage } = request
  return { query: q, page, hitsPerPage, totalHits }
}

function warningsOf(warnings: readonly string[]): { readonly warnings?: readonly string[] } {
  return warnings.length === 0 ? {} : { warnings }
}
