/** Pictures of a product in its document, the first of them. */
export const IMAGES_MAX = 20
/** Collections of a product in its document, the first of them. */
export const COLLECTIONS_MAX = 100
/** Variants in one answer; products may have 2,048, and the rest is asked for. */
const VARIANTS_PAGE = 100

/** A product as the shop answers it, without what is connected to it. */
export interface ProductNode {
  readonly id: string
  readonly handle: string
  readonly title: string
  readonly descriptionHtml: string | null
  readonly vendor: string | null
  readonly productType: string | null
  readonly category: { readonly fullName: string } | null
  readonly tags: readonly string[]
  readonly status: string
  readonly createdAt: string
  readonly updatedAt: string
  readonly publishedAt: string | null
  readonly onlineStoreUrl: string | null
  readonly featuredMedia: Media | null
}

export interface VariantNode {
  readonly id: string
  readonly sku: string | null
  readonly barcode: string | null
  readonly price: string
  readonly compareAtPrice: string | null
  readonly inventoryQuantity: number | null
  readonly availableForSale: boolean
  readonly selectedOptions: readonly { readonly name: string; readonly value: string }[]
}

interface Media {
  readonly preview: { readonly image: { readonly url: string } | null } | null
}

export interface MediaNode extends Media {
  readonly id: string
}

export interface CollectionNode {
  readonly id: string
  readonly title: string
}

export interface ShopifyProduct {
  readonly node: ProductNode
  readonly variants: VariantNode[]
  readonly media: MediaNode[]
  readonly collections: CollectionNode[]
}

const PRODUCT = `id handle title descriptionHtml vendor productType category { fullName } tags
  status createdAt updatedAt publishedAt onlineStoreUrl
  featuredMedia { preview { image { url } } }`
const VARIANT = `id sku barcode price compareAtPrice inventoryQuantity availableForSale
  selectedOptions { name value }`
const MEDIA = 'id preview { image { url } }'
const COLLECTION = 'id title'

/** All products, as the file of a bulk operation. */
export const BULK_QUERY = `{
  products { edges { node { ${PRODUCT}
    variants { edges { node { ${VARIANT} } } }
    media { edges { node { ${MEDIA} } } }
    collections { edges { node { ${COLLECTION} } } }
  } } }
}`

/** One product, as it is now. */
export const PRODUCT_QUERY = `query ($id: ID!) {
  product(id: $id) { ${PRODUCT}
    variants(first: ${VARIANTS_PAGE}) { nodes { ${VARIANT} } pageInfo { hasNextPage endCursor } }
    media(first: ${IMAGES_MAX}) { nodes { ${MEDIA} } }
    collections(first: ${COLLECTIONS_MAX}) { nodes { ${COLLECTION} } }
  }
}`

/** The rest of the variants of one product. */
export const VARIANTS_QUERY = `query ($id: ID!, $after: String!) {
  product(id: $id) {
    variants(first: ${VARIANTS_PAGE}, after: $after) {
      nodes { ${VARIANT} } pageInfo { hasNextPage endCursor }
    }
  }
}`

/** Ids of products, in the order in which they were changed. */
export const CHANGED_QUERY = `query ($filter: String!, $after: String) {
  products(first: 250, after: $after, sortKey: UPDATED_AT, query: $filter) {
    nodes { id updatedAt } pageInfo { hasNextPage endCursor }
  }
}`

/** Products in one answer, with the first of what is connected to them: it costs below 1,000. */
export const FIRST_QUERY = `query ($after: String) {
  products(first: 25, after: $after, sortKey: ID) {
    nodes { ${PRODUCT}
      variants(first: 10) { nodes { ${VARIANT} } }
      media(first: 5) { nodes { ${MEDIA} } }
      collections(first: 5) { nodes { ${COLLECTION} } }
    }
    pageInfo { hasNextPage endCursor }
  }
}`

export interface Page<Node> {
  readonly nodes: readonly Node[]
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }
}

export interface AnsweredProduct extends ProductNode {
  readonly variants: {
    readonly nodes: readonly VariantNode[]
    readonly pageInfo?: Page<never>['pageInfo']
  }
  readonly media: { readonly nodes: readonly MediaNode[] }
  readonly collections: { readonly nodes: readonly CollectionNode[] }
}
