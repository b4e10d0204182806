import {
  PRODUCT_QUERY,
  VARIANTS_QUERY,
  type AnsweredProduct,
  type Page,
  type ShopifyProduct,
  type VariantNode,
} from './product-query.ts'
import { productGid } from './product-row.ts'
import type { ShopifyApi } from './shopify-api.ts'

/**
 * One product with all its variants, as it is now; undefined if the shop does not have it.
 *
 * @throws SourceError
 */
export async function readProduct(
  api: ShopifyApi,
  documentId: string,
  signal: AbortSignal,
): Promise<ShopifyProduct | undefined> {
  const id = productGid(documentId)
  const { data } = await api.ask<{ product: AnsweredProduct | null }>(PRODUCT_QUERY, { id }, signal)
  if (data.product === null) return undefined
  const product = withoutPages(data.product)
  let { pageInfo } = data.product.variants
  while (pageInfo?.hasNextPage === true && pageInfo.endCursor !== null) {
    const { data: more } = await api.ask<{ product: { variants: Page<VariantNode> } | null }>(
      VARIANTS_QUERY,
      { id, after: pageInfo.endCursor },
      signal,
    )
    if (more.product === null) return undefined
    product.variants.push(...more.product.variants.nodes)
    ;({ pageInfo } = more.product.variants)
  }
  return product
}

/** A product with what is connected to it, as far as it was answered. */
export function withoutPages(answered: AnsweredProduct): ShopifyProduct {
  const { variants, media, collections, ...node } = answered
  return {
    node,
    variants: [...variants.nodes],
    media: [...media.nodes],
    collections: [...collections.nodes],
  }
}
