import { latest, SearchClient } from '@aisle/client/search'
import type { SearchClientOptions, SuggestionsResponse, Visitor } from '@aisle/client/search'
import { TEMPLATES } from './dropdown-templates.ts'
import type { DropdownItems, DropdownTemplates, ListTemplates } from './dropdown-templates.ts'
import { RecentSearches } from './recent-searches.ts'

/** The visitor's choice of what to search for. */
export interface ChosenSearch {
  readonly query: string
  /** The category, if a category entry was chosen. */
  readonly category?: string
}

/** The part of `AisleEvents` that the dropdown needs. */
export interface DropdownEvents {
  visitor(): Visitor
  clicked(id: string): void
}

export interface DropdownOptions extends SearchClientOptions {
  /**
   * Opens the results after the text was submitted, or an entry other than a product was chosen.
   */
  readonly onSearch: (search: ChosenSearch) => void
  /** `AisleEvents` of `@aisle/events`: suggestions are personalized, clicks are reported. */
  readonly events?: DropdownEvents | undefined
  /** Maximum of entries of each list; 0 hides the list. Default: 5, 6, 3, 4. */
  readonly counts?: { readonly [List in keyof DropdownItems]?: number } | undefined
  /** Replaces the templates of these lists. */
  readonly templates?:
    | { readonly [List in keyof DropdownItems]?: Partial<ListTemplates<DropdownItems[List]>> }
    | undefined
  /** Called when a request fails; the dropdown stays as it was. */
  readonly onError?: ((error: unknown) => void) | undefined
}

type AnyItem = DropdownItems[keyof DropdownItems]

interface Source<Item> {
  readonly sourceId: string
  readonly templates: ListTemplates<Item>
  getItems(): Item[]
  getItemInputValue?(given: { readonly item: Item; readonly state: { query: string } }): string
  getItemUrl?(given: { readonly item: Item }): string | undefined
  onSelect(given: { readonly item: Item; readonly state: { readonly query: string } }): void
}

/** The data that Autocomplete passes on every keystroke. */
interface Typed {
  readonly query: string
  refresh(): Promise<void>
}

/** A plugin of `@algolia/autocomplete-js`. */
export interface DropdownPlugin {
  readonly name: string
  getSources(typed: Typed): Promise<Source<AnyItem>[]>
  onSubmit(given: { readonly state: { readonly query: string } }): void
}

const COUNTS = { recent: 5, suggestions: 6, categories: 3, products: 4 } as const

/**
 * A dropdown for the search box: recent searches while it is empty, otherwise suggestions,
 * categories and products from one request per keystroke. Older requests are aborted.
 */
export function dropdownPlugin(options: DropdownOptions): DropdownPlugin {
  const { onSearch, events, counts: given, templates: own, onError, ...rest } = options
  const client = new SearchClient({ ...rest, visitor: rest.visitor ?? events?.visitor })
  const counts = { ...COUNTS, ...given }
  const recent = new RecentSearches(rest.storeId, counts.recent)
  const look = merged(own ?? {})
  const ask = latest((signal, q: string) =>
    client.suggest(
      {
        q,
        hitsPerPage: counts.suggestions,
        include_categories: counts.categories > 0,
        max_categories: counts.categories,
        include_dropdown_product_list: counts.products > 0,
        include_filtered_tabs: false,
        include_empty_query_recommendations: true,
      },
      { signal },
    ),
  )
  let shown: SuggestionsResponse = {}

  async function answerTo(query: string): Promise<SuggestionsResponse> {
    try {
      // The request is outdated: its list is replaced already and must not flash empty.
      shown = (await ask(query)) ?? shown
    } catch (error) {
      onError?.(error)
    }
    return shown
  }

  function choose(search: ChosenSearch): void {
    recent.add(search.query)
    onSearch(search)
  }

  function recentSource(refresh: () => Promise<void>): Source<DropdownItems['recent']> {
    const itemOf = (query: string): DropdownItems['recent'] => ({
      query,
      remove: () => {
        recent.remove(query)
        void refresh()
      },
    })
    return {
      sourceId: 'aisle-recent',
      templates: look.recent,
      getItems: () => recent.list().map(itemOf),
      getItemInputValue: ({ item }) => item.query,
      onSelect: ({ item }) => choose({ query: item.query }),
    }
  }

  function suggestionSource(found: SuggestionsResponse): Source<DropdownItems['suggestions']> {
    return {
      sourceId: 'aisle-suggestions',
      templates: look.suggestions,
      getItems: () => (found.suggestions ?? []).slice(0, counts.suggestions),
      getItemInputValue: ({ item }) => item.query,
      onSelect: ({ item }) => choose({ query: item.query }),
    }
  }

  function categorySource(found: SuggestionsResponse): Source<DropdownItems['categories']> {
    return {
      sourceId: 'aisle-categories',
      templates: look.categories,
      getItems: () => (found.categories ?? []).slice(0, counts.categories),
      // The text stays: it is searched within the category.
      getItemInputValue: ({ state }) => state.query,
      onSelect: ({ item, state }) => choose({ query: state.query, category: item.name }),
    }
  }

  function productSource(found: SuggestionsResponse): Source<DropdownItems['products']> {
    return {
      sourceId: 'aisle-products',
      templates: look.products,
      getItems: () => (found.dropdown_product_list ?? []).slice(0, counts.products),
      getItemInputValue: ({ state }) => state.query,
      getItemUrl: ({ item }) => item.url ?? undefined,
      onSelect: ({ item }) => events?.clicked(item.id),
    }
  }

  return {
    name: 'aisle',
    getSources: async ({ query, refresh }) => {
      const found = await answerTo(query)
      const all = [suggestionSource(found), categorySource(found), productSource(found)]
      return (query === '' ? [recentSource(refresh), ...all] : all) as Source<AnyItem>[]
    },
    onSubmit: ({ state }) => choose({ query: state.query }),
  }
}

function merged(own: NonNullable<DropdownOptions['templates']>): DropdownTemplates {
  return {
    recent: { ...TEMPLATES.recent, ...own.recent },
    suggestions: { ...TEMPLATES.suggestions, ...own.suggestions },
    categories: { ...TEMPLATES.categories, ...own.categories },
    products: { ...TEMPLATES.products, ...own.products },
  }
}
