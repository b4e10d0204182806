import { join } from 'node:path'
import { REPOSITORY, type StoreKeys, type ThinClient } from '@aisle/testing'
import { rows } from './judged-set.ts'
import { loadSet } from './load-set.ts'

/** A query, the product it means, and something that goes with the product and repeats its name. */
interface ProductPair {
  readonly query: string
  readonly product: PairDocument
  readonly accessory: PairDocument
}

interface PairDocument {
  readonly id: string
  readonly title: string
  readonly description: string
}

/** Pairs written for this purpose. */
export function readProductPairs(): ProductPair[] {
  return rows(join(REPOSITORY, 'bench/relevance/products-first.tsv'))
    .slice(1)
    .map(([query = '', product = '', accessory = ''], i) => ({
      query,
      product: documentOf(`product-${i}`, product),
      accessory: documentOf(`accessory-${i}`, accessory),
    }))
}

function documentOf(id: string, text: string): PairDocument {
  const [title = '', description = ''] = text.split(' | ')
  return { id, title, description }
}

/** Loads all pairs into one store. */
export function loadProductPairs(
  client: ThinClient,
  pairs: readonly ProductPair[],
): Promise<StoreKeys> {
  const text = { type: 'string', searchable: true }
  const fields = ['title', 'description'].map((name) => ({ name, ...text }))
  // Accessories last: among equals, the newest comes first.
  const documents = [
    ...pairs.map(({ product }) => product),
    ...pairs.map(({ accessory }) => accessory),
  ]
  return loadSet(client, 'product pairs', {
    schema: { fields },
    lines: () => ReadableStream.from(documents.map((one) => JSON.stringify(one))),
  })
}

/** The queries whose accessory comes before the product. */
export async function accessoriesFirst(
  client: ThinClient,
  keys: StoreKeys,
  pairs: readonly ProductPair[],
  parameters: Readonly<Record<string, unknown>> = {},
): Promise<string[]> {
  const wrong: string[] = []
  for (const { query, product, accessory } of pairs) {
    const { hits } = await client.search(keys, { q: query, per_page: 50, ...parameters })
    const ids = hits.map(({ id }) => id)
    const [at, other] = [ids.indexOf(product.id), ids.indexOf(accessory.id)]
    if (at < 0 || (other >= 0 && other < at)) wrong.push(query)
  }
  return wrong
}
