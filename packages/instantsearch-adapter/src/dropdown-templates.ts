import type { SuggestionsResponse } from '@aisle/client/search'

export type Product = NonNullable<SuggestionsResponse['dropdown_product_list']>[number]

/** Items of the dropdown, by the name of their list. */
export interface DropdownItems {
  /** Recent searches on this device. */
  recent: { readonly query: string; remove(): void }
  suggestions: { readonly query: string; readonly popularity: number }
  categories: { readonly name: string; readonly count: number }
  products: Product
}

/** Creates elements from a template; `@algolia/autocomplete-js` passes it. */
export type Html<Node> = (strings: TemplateStringsArray, ...values: unknown[]) => Node

interface Surroundings<Node> {
  readonly html: Html<Node>
  readonly state: { readonly query: string }
}

/** The look of a list: the templates of a source of Autocomplete. */
export interface ListTemplates<Item> {
  header?<Node>(given: Surroundings<Node>): Node
  item<Node>(given: Surroundings<Node> & { readonly item: Item }): Node
}

export type DropdownTemplates = {
  readonly [List in keyof DropdownItems]: ListTemplates<DropdownItems[List]>
}

/** Plain markup, with classes to style. Typed text is light, the suggested rest is bold. */
export const TEMPLATES: DropdownTemplates = {
  recent: {
    header: ({ html }) => html`<h3 class="aisle-header">Recent searches</h3>`,
    item: ({ html, item }) => {
      const remove = (event: { preventDefault(): void; stopPropagation(): void }): void => {
        event.preventDefault()
        event.stopPropagation()
        item.remove()
      }
      const label = `Remove ${item.query}`
      return html`<div class="aisle-recent">
        <span>${item.query}</span>
        <button type="button" aria-label=${label} onClick=${remove}>×</button>
      </div>`
    },
  },
  suggestions: {
    item: ({ html, item, state }) => {
      const typed = state.query.trimStart().toLowerCase()
      const length = item.query.toLowerCase().startsWith(typed) ? typed.length : 0
      return html`<div class="aisle-suggestion">
        <span>${item.query.slice(0, length)}</span><b>${item.query.slice(length)}</b>
      </div>`
    },
  },
  categories: {
    header: ({ html }) => html`<h3 class="aisle-header">Categories</h3>`,
    item: ({ html, item }) =>
      html`<div class="aisle-category">
        <span>${item.name}</span> <span class="aisle-count">${item.count}</span>
      </div>`,
  },
  products: {
    header: ({ html }) => html`<h3 class="aisle-header">Products</h3>`,
    item: ({ html, item }) => {
      const { image, title, id, price, currency } = item
      const isPrice = typeof price === 'number' || typeof price === 'string'
      const amount = isPrice ? `${price} ${currency ?? ''}`.trim() : ''
      // Autocomplete opens addresses by keyboard only; clicks follow the link, which fills its row.
      return html`<a class="aisle-product" style="display:block" href=${item.url ?? undefined}>
        ${image !== null && html`<img src=${image} alt="" loading="lazy" />`}
        <span>${title ?? id}</span> <span class="aisle-price">${amount}</span>
      </a>`
    },
  },
}
