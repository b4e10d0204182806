import type { SuggestionsResponse } from '@aisle/client/search'
import { categoryPage } from './facets.tsx'
import { lastLevel } from './format.ts'
import { productPage, type PageState } from './page-state.ts'
import { SHOP } from './shop-config.ts'

export interface DropdownContent {
  /** The text that was answered. */
  readonly q: string
  readonly answer: SuggestionsResponse
  readonly recent: readonly string[]
  readonly tabs?: number
}

export type DropdownOption =
  | { readonly kind: 'query'; readonly text: string; readonly isRecent: boolean }
  | {
      readonly kind: 'category'
      readonly text: string
      readonly count: number
      readonly to: PageState
    }
  | {
      readonly kind: 'product'
      readonly id: string
      readonly title: string
      readonly image: string | null
      readonly price: number | undefined
      readonly to: PageState
    }

const SUGGESTIONS_MAX = 6
const CATEGORIES_MAX = 3
const PRODUCTS_MAX = 4

/** Tabs of products: all results, then the tabs of the shop. */
export const TAB_LABELS = ['All', ...SHOP.tabs.map(({ label }) => label)]

/** All selectable options, in the order of the arrow keys. */
export function optionsOf({ q, answer, recent }: DropdownContent, tab: number): DropdownOption[] {
  const [queries, products] = answer.results ?? []
  const suggested = ((queries?.hits ?? []) as readonly { readonly query: string }[]).map(
    ({ query }) => query,
  )
  const texts = [...new Set([...recent, ...suggested])].slice(0, SUGGESTIONS_MAX)
  const extensions: Extensions = { ...queries?.extensions, ...products?.extensions }
  const categories = deepest(extensions.queryCategorization ?? [])
  const cards = (
    tab === 0 ? (products?.hits ?? []) : (extensions.filtered_tabs?.[tab - 1]?.products ?? [])
  ) as readonly Card[]
  return [
    ...texts.map((text) => ({ kind: 'query', text, isRecent: recent.includes(text) }) as const),
    ...(q.trim() === '' ? [] : categories).slice(0, CATEGORIES_MAX).map(
      ({ name, count }) =>
        ({
          kind: 'category',
          text: lastLevel(name),
          count,
          to: { ...categoryPage(name), q },
        }) as const,
    ),
    ...cards.slice(0, PRODUCTS_MAX).map(
      ({ id, title, image, price }) =>
        ({
          kind: 'product',
          id,
          title: title ?? id,
          image,
          price: typeof price === 'number' ? price : undefined,
          to: productPage(id),
        }) as const,
    ),
  ]
}

interface Card {
  readonly id: string
  readonly title: string | null
  readonly image: string | null
  readonly price: unknown
}

interface NamedCount {
  readonly name: string
  readonly count: number
}

interface Extensions {
  readonly queryCategorization?: readonly NamedCount[]
  readonly filtered_tabs?: readonly { readonly products: readonly unknown[] }[]
}

/** Categories without a subcategory in the list: "Tents" says more than "Outdoor". */
function deepest(categories: readonly NamedCount[]): NamedCount[] {
  return categories.filter(
    ({ name }) => !categories.some((one) => one.name.startsWith(name + SHOP.levelSeparator)),
  )
}
