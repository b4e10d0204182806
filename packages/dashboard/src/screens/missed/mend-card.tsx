import type { Mend, MendPreview, SearchResponse } from '@aisle/client'
import { useState, type ReactNode } from 'react'
import { formatCount } from '../../format/numbers.ts'
import { hitsOf } from '../../parts/hits.ts'
import { ProductCard } from '../../parts/product-card.tsx'
import { productFacts } from '../../parts/product-fields.ts'
import { useSettings } from '../../parts/store-queries.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/choice.tsx'
import { MEND_ACTIONS, mendReason, mendText } from './mend-text.ts'

/** A mend with what it would find, and the button that makes it. */
export function MendCard({
  query,
  preview,
  now,
  mayEdit,
  isPending,
  onMake,
}: {
  readonly query: string
  readonly preview: MendPreview
  /** What the query finds now, for a mend that the reader thinks of: it may change nothing. */
  readonly now?: SearchResponse | undefined
  readonly mayEdit: boolean
  readonly isPending: boolean
  readonly onMake: (mend: Mend) => void
}): ReactNode {
  const { mend, finds, result } = preview
  const [isMutual, setMutual] = useState(mend.both_ways ?? false)
  const isSynonym = mend.kind === 'synonym'
  const text = mendText(query, mend)
  const hits = hitsOf(result)
  const isSame = now !== undefined && finds > 0 && idsOf(hitsOf(now)) === idsOf(hits)
  const outcome = isSame
    ? 'Shows the same products as now'
    : finds === 0
      ? 'Finds nothing'
      : `Would find ${formatCount(finds, 'product')}`
  return (
    <li className="missed-mend card stack gap-12">
      <div className="row row-whole missed-mend-head">
        <div className="grow">
          <p className="strong">
            <bdi>{text}</bdi>
          </p>
          <p className="small muted">
            {now === undefined && `${mendReason(preview)} · `}
            {outcome}
          </p>
        </div>
        <Button
          size="small"
          isDisabled={!mayEdit || isPending || finds === 0 || isSame}
          aria-label={`${MEND_ACTIONS[mend.kind]}: ${text}`}
          onPress={() => onMake(isSynonym && isMutual ? { ...mend, both_ways: true } : mend)}
        >
          {MEND_ACTIONS[mend.kind]}
        </Button>
      </div>
      <Products hits={hits} />
      {isSynonym && finds > 0 && (
        <Checkbox isSelected={isMutual} isDisabled={!mayEdit} onChange={setMutual}>
          {`“${mend.to}” also finds “${mend.from ?? query}”`}
        </Checkbox>
      )}
    </li>
  )
}

function idsOf(hits: ReturnType<typeof hitsOf>): string {
  return JSON.stringify(hits.map(({ id }) => id))
}

/** The first products of a search, with pictures. */
export function Products({ hits }: { readonly hits: ReturnType<typeof hitsOf> }): ReactNode {
  const settings = useSettings()
  if (hits.length === 0) return null
  return (
    <ul className="missed-products">
      {hits.map(({ id, document }) => (
        <li key={id}>
          <ProductCard facts={productFacts(id, document, settings.data?.product_card)} />
        </li>
      ))}
    </ul>
  )
}
