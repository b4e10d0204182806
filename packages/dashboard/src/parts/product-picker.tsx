import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { hitsOf } from './hits.ts'
import { ProductLine } from './product-card.tsx'
import { productFacts } from './product-fields.ts'
import { useSettings } from './store-queries.ts'
import { useStore } from '../session/store.ts'
import { useDebounced } from '../state/clock.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { ErrorNote, SkeletonLines } from '../ui/states.tsx'
import { SearchField } from '../ui/text-field.tsx'

const PRODUCTS_SHOWN = 12

/** Any product of the store, found by a search without rules. */
export function ProductPicker({
  title,
  action,
  q: first,
  onClose,
  onPick,
}: {
  readonly title: string
  /** The verb of the button: "Pin". */
  readonly action: string
  readonly q: string
  readonly onClose: () => void
  readonly onPick: (id: string) => void
}): ReactNode {
  const { storeId, calls } = useStore()
  const settings = useSettings()
  const [q, setQ] = useState(first)
  const settled = useDebounced(q)
  const request = {
    q: settled.trim() === '' ? '*' : settled,
    per_page: PRODUCTS_SHOWN,
    apply_rules: false,
    analytics: false,
  }
  const found = useQuery({
    queryKey: ['search', storeId, request],
    queryFn: () => calls.search(request),
    placeholderData: keepPreviousData,
  })
  const hits = found.data === undefined ? [] : hitsOf(found.data)
  return (
    <Dialog title={title} onClose={onClose} width="medium">
      <SearchField label="Search products" value={q} onChange={setQ} autoFocus maxLength={1_000} />
      {found.isError && <ErrorNote attempt="load" error={found.error} />}
      {found.isPending && <SkeletonLines count={6} />}
      {found.isSuccess && hits.length === 0 && <p className="muted">No results.</p>}
      <ul className="stack gap-8">
        {hits.map(({ id, document }) => {
          const facts = productFacts(id, document, settings.data?.product_card)
          return (
            <li key={id} className="row row-whole">
              <div className="grow">
                <ProductLine facts={facts} />
              </div>
              <Button
                size="small"
                aria-label={`${action} ${facts.title}`}
                onPress={() => onPick(id)}
              >
                {action}
              </Button>
            </li>
          )
        })}
      </ul>
    </Dialog>
  )
}
