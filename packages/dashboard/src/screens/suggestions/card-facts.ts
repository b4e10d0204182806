import type { SuggestionsResponse } from '@aisle/contract'
import type { ProductFacts } from '../../parts/product-fields.ts'

type Card = NonNullable<SuggestionsResponse['dropdown_product_list']>[number]

/**
 * A product card from the service in the form of these pages; pictures from other hosts are not
 * loaded.
 */
export function cardFacts({ id, title, image, price, currency }: Card): ProductFacts {
  const isOwn = image !== null && /^(data:image\/|\/(?!\/))/.test(image)
  return {
    title: title ?? id,
    ...(isOwn ? { image } : {}),
    ...(typeof price === 'number' || typeof price === 'string' ? { price } : {}),
    ...(currency === null ? {} : { currency }),
  }
}
