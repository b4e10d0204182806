/** Members of a product that are asked for. */
export const PRODUCT_FIELDS =
  'id,name,type,status,catalog_visibility,parent_id,featured,permalink,description,' +
  'short_description,sku,price,regular_price,on_sale,manage_stock,stock_quantity,stock_status,' +
  'date_created_gmt,categories,tags,brands,images,attributes,variations'
/** Members of a variation that are asked for. */
export const VARIATION_FIELDS =
  'id,status,sku,price,regular_price,on_sale,manage_stock,stock_quantity,stock_status,attributes'

interface Named {
  readonly id: number
  readonly name: string
}

/** What a product, and each of its variations, is sold for. */
export interface WooOffer {
  readonly id: number
  readonly status: string
  readonly sku: string
  /** What it costs now; empty: it has no price. */
  readonly price: string
  readonly regular_price: string
  readonly on_sale: boolean
  readonly manage_stock: boolean | 'parent'
  readonly stock_quantity: number | null
  readonly stock_status: string
  readonly attributes: readonly {
    readonly name: string
    /** Of a product. */
    readonly options?: readonly string[]
    /** Of a variation. */
    readonly option?: string
  }[]
}

export interface WooProduct extends WooOffer {
  readonly name: string
  readonly type: string
  readonly catalog_visibility: string
  readonly parent_id: number
  readonly featured: boolean
  readonly permalink: string
  readonly description: string
  readonly short_description: string
  readonly date_created_gmt: string | null
  readonly categories?: readonly Named[]
  readonly tags?: readonly Named[]
  readonly brands?: readonly Named[]
  readonly images?: readonly { readonly src: string }[]
  readonly variations?: readonly number[]
}

export interface WooCategory extends Named {
  readonly parent: number
}
