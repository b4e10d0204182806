import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { hitsOf } from './hits.ts'
import { productFacts, type ProductFacts } from './product-fields.ts'
import { useSettings } from './store-queries.ts'
import { useStore } from '../session/store.ts'

/** Titles are requested for this many documents at a time. */
const TITLES_MAX = 100

/** Titles for documents that reports know only by id; deleted documents have none. */
export function useProducts(ids: readonly string[]): ReadonlyMap<string, ProductFacts> {
  const { storeId, calls } = useStore()
  const card = useSettings().data?.product_card
  const asked = ids.slice(0, TITLES_MAX)
  const { data } = useQuery({
    queryKey: ['products', storeId, asked],
    queryFn: () =>
      calls.search({
        q: '',
        filters: { id: asked },
        per_page: asked.length,
        apply_rules: false,
        group_by: [],
        analytics: false,
      }),
    enabled: asked.length > 0,
  })
  const hits = data === undefined ? [] : hitsOf(data)
  return new Map(hits.map(({ id, document }) => [id, productFacts(id, document, card)]))
}

/** The title, and the id in small print where it says more. */
export function ProductName({
  id,
  products,
}: {
  readonly id: string
  readonly products: ReadonlyMap<string, ProductFacts>
}): ReactNode {
  const title = products.get(id)?.title
  if (title === undefined || title === id) return <code>{id}</code>
  return (
    <>
      <span title={title}>{title}</span> <code className="small muted">{id}</code>
    </>
  )
}
