import { SourceError } from '../source-error.ts'
import { linesOf } from '../web/lines.ts'
import type {
  CollectionNode,
  MediaNode,
  ProductNode,
  ShopifyProduct,
  VariantNode,
} from './product-query.ts'

/**
 * Reads the file of a bulk operation. Each object is a line, and names its parent; what belongs to
 * a product follows it before the next product (`groupObjects`), so one product is held at a time.
 *
 * @throws SourceError if the file is not as expected, or ends within a line
 */
export async function* productsOfFile(
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<ShopifyProduct> {
  let open: ShopifyProduct | undefined
  let line = 0
  for await (const text of linesOf(bytes)) {
    line++
    const object = objectOf(text, line)
    if (object.__parentId === undefined) {
      if (open !== undefined) yield open
      open = { node: object as ProductNode, variants: [], media: [], collections: [] }
      continue
    }
    if (object.__parentId !== open?.node.id) {
      throw new SourceError(
        'unreadable',
        `Line ${line} of the file belongs to "${object.__parentId}", which it does not follow`,
      )
    }
    addTo(open, object)
  }
  if (open !== undefined) yield open
}

interface BulkObject {
  readonly id: string
  readonly __parentId?: string
}

function objectOf(text: string, line: number): BulkObject {
  let object: unknown
  try {
    object = JSON.parse(text)
  } catch {
    object = undefined
  }
  const { id } = (object ?? {}) as { id?: unknown }
  if (typeof id === 'string') return object as BulkObject
  throw new SourceError(
    'unreadable',
    `Line ${line} of the file is not an object with an id: the file is incomplete or damaged`,
  )
}

function addTo(product: ShopifyProduct, object: BulkObject): void {
  const [, , , kind] = object.id.split('/')
  if (kind === 'ProductVariant') product.variants.push(object as VariantNode)
  else if (kind === 'Collection') product.collections.push(object as CollectionNode)
  // Pictures, videos and models each have a separate kind.
  else product.media.push(object as unknown as MediaNode)
}
