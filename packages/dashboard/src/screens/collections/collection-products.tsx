import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { formatCount } from '../../format/numbers.ts'
import { hitsOf } from '../../parts/hits.ts'
import { ProductLine } from '../../parts/product-card.tsx'
import { productFacts } from '../../parts/product-fields.ts'
import { useSettings } from '../../parts/store-queries.ts'
import { useStore } from '../../session/store.ts'
import { useDebounced } from '../../state/clock.ts'
import { Section } from '../../ui/page.tsx'
import { SkeletonLines } from '../../ui/states.tsx'
import { filterFault, searchOf } from './collection-data.ts'

const PRODUCTS_SHOWN = 12

/** The first products of a filter, and how many there are. */
export function CollectionProducts({ filterBy }: { readonly filterBy: string }): ReactNode {
  const { storeId, calls } = useStore()
  const settings = useSettings()
  const settled = useDebounced(filterBy.trim())
  const { data, error, isPending } = useQuery({
    queryKey: ['search', storeId, 'collection', settled],
    queryFn: () => calls.search(searchOf(settled, PRODUCTS_SHOWN)),
    placeholderData: keepPreviousData,
    enabled: settled !== '',
    retry: false,
  })
  const hits = data === undefined ? [] : hitsOf(data)
  const isShown = settled !== '' && error === null
  return (
    <Section
      title={isShown && data !== undefined ? formatCount(data.found, 'product') : 'Products'}
      about={isShown && data !== undefined ? 'The first of them, newest first.' : undefined}
    >
      {settled === '' && <p className="muted">Enter a filter to see its products.</p>}
      {error !== null && (
        <p className="collections-error small">{filterFault(error) ?? error.message}</p>
      )}
      {isShown && isPending && <SkeletonLines count={6} />}
      {isShown && data?.found === 0 && <p className="muted">No product matches the filter.</p>}
      {isShown && (
        <ul className="stack gap-8">
          {hits.map(({ id, document }) => (
            <li key={id}>
              <ProductLine facts={productFacts(id, document, settings.data?.product_card)} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}
