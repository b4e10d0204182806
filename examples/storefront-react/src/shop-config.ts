import type { FilteredTab } from '@aisle/client/search'

/** The kind of filter for a field. */
export interface FacetConfig {
  readonly field: string
  readonly label: string
  /**
   * `values`: a list with counts. `tree`: the same for paths. `range`: a histogram with two
   * handles. `flag`: true, or any.
   */
  readonly kind: 'values' | 'tree' | 'range' | 'flag'
}

export interface SortConfig {
  readonly label: string
  /** Absent: by relevance. */
  readonly sortBy?: string
}

/** What the pages know of the catalog. For another catalog, change only this file. */
export interface ShopConfig {
  readonly name: string
  readonly slogan: string
  readonly locale: string
  readonly currency: string
  /** The role of each field of a document; absent: no such field. */
  readonly fields: {
    readonly title: string
    readonly price: string
    readonly listPrice?: string
    readonly image?: string
    readonly brand?: string
    readonly category?: string
    readonly description?: string
    readonly rating?: string
    readonly ratingCount?: string
    readonly inStock?: string
    /** How many are left. */
    readonly stock?: string
  }
  /** Delimiter of category levels: `Outdoor > Camping`. */
  readonly levelSeparator: string
  readonly facets: readonly FacetConfig[]
  readonly sorts: readonly SortConfig[]
  /** Tabs of products in the dropdown. */
  readonly tabs: readonly FilteredTab[]
  /** Rows of the table on a product page. */
  readonly facts: readonly { readonly field: string; readonly label: string }[]
}

export const SHOP: ShopConfig = {
  name: 'Larch & Loam',
  slogan: 'For the trail, the garden and the evening after',
  locale: 'en-GB',
  currency: 'EUR',
  fields: {
    title: 'title',
    price: 'price',
    listPrice: 'list_price',
    image: 'image',
    brand: 'brand',
    category: 'categories',
    description: 'description',
    rating: 'rating',
    ratingCount: 'rating_count',
    inStock: 'in_stock',
    stock: 'stock',
  },
  levelSeparator: ' > ',
  facets: [
    { field: 'categories', label: 'Category', kind: 'tree' },
    { field: 'price', label: 'Price', kind: 'range' },
    { field: 'brand', label: 'Brand', kind: 'values' },
    { field: 'color', label: 'Colour', kind: 'values' },
    { field: 'sizes', label: 'Size', kind: 'values' },
    { field: 'material', label: 'Material', kind: 'values' },
    { field: 'in_stock', label: 'In stock', kind: 'flag' },
  ],
  sorts: [
    { label: 'Best match' },
    { label: 'Most popular', sortBy: '_popularity:desc' },
    { label: 'Price, low to high', sortBy: 'price:asc' },
    { label: 'Price, high to low', sortBy: 'price:desc' },
    { label: 'Best rated', sortBy: 'rating(missing:last):desc' },
    { label: 'Newest', sortBy: 'created_at:desc' },
  ],
  tabs: [
    { id: 'stock', label: 'In stock', limit: 4, filters: { in_stock: true } },
    { id: 'rated', label: 'Best rated', limit: 4, filters: { rating: { min: 4.5 } } },
  ],
  facts: [
    { field: 'brand', label: 'Brand' },
    { field: 'color', label: 'Colour' },
    { field: 'sizes', label: 'Sizes' },
    { field: 'material', label: 'Material' },
    { field: 'tags', label: 'Good for' },
    { field: 'sku', label: 'Part number' },
  ],
}

/** The store of the page. Read secret and events key permit only searches and events. */
export interface Connection {
  /** Absent: the service that served the page. */
  readonly url?: string
  readonly storeId: string
  readonly readSecret: string
  readonly eventsWriteKey: string
  /** Path of the shop: `/demo`, or empty. */
  readonly base: string
}
