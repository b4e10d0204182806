import { useQueries } from '@tanstack/react-query'
import { EyeOff, Pin } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { formatNumber } from '../../format/numbers.ts'
import { ProductLine } from '../../parts/product-card.tsx'
import { productFacts, type ProductFacts } from '../../parts/product-fields.ts'
import { useSettings } from '../../parts/store-queries.ts'
import { useStore } from '../../session/store.ts'
import { Button } from '../../ui/button.tsx'
import { NumberField } from '../../ui/text-field.tsx'
import { Part, RemovePart, type ConsequenceProps } from './part.tsx'
import { pinned, shownAgain, unpinned } from './rule-draft.ts'

/** Lines shown at first; each one is a request. */
const LINES_SHOWN = 8
const POSITION_MAX = 10_000

export function PinnedProducts({ state, isDisabled, errorAt }: ConsequenceProps): ReactNode {
  const { rule, set } = state
  const pins = rule.pin ?? []
  if (pins.length === 0) return null
  return (
    <Part
      icon={Pin}
      title={`Pin ${pins.length === 1 ? 'a product' : `${pins.length} products`}`}
      isDisabled={isDisabled}
    >
      <Lines
        ids={pins.map(({ id }) => id)}
        line={(id, i, product) => (
          <>
            <div className="rules-place">
              <NumberField
                label="Position"
                isLabelHidden
                minValue={1}
                maxValue={POSITION_MAX}
                value={pins[i]!.position}
                onChange={(place) => Number.isFinite(place) && set(pinned(rule, id, place))}
                isDisabled={isDisabled}
                error={errorAt(`pin[${i}].position`)}
              />
            </div>
            {product}
            <RemovePart
              label="Unpin"
              isDisabled={isDisabled}
              onPress={() => set(unpinned(rule, id))}
            />
          </>
        )}
      />
    </Part>
  )
}

export function HiddenProducts({ state, isDisabled }: ConsequenceProps): ReactNode {
  const { rule, set } = state
  const ids = rule.hide ?? []
  if (ids.length === 0) return null
  return (
    <Part
      icon={EyeOff}
      title={`Hide ${ids.length === 1 ? 'a product' : `${ids.length} products`}`}
      isDisabled={isDisabled}
    >
      <Lines
        ids={ids}
        line={(id, _, product) => (
          <>
            {product}
            <RemovePart
              label="Show again"
              isDisabled={isDisabled}
              onPress={() => set(shownAgain(rule, id))}
            />
          </>
        )}
      />
    </Part>
  )
}

function Lines({
  ids,
  line,
}: {
  readonly ids: readonly string[]
  readonly line: (id: string, i: number, product: ReactNode) => ReactNode
}): ReactNode {
  const [isOpen, setOpen] = useState(false)
  const shown = isOpen ? ids : ids.slice(0, LINES_SHOWN)
  const products = useProducts(shown)
  return (
    <>
      <ul className="stack gap-8">
        {shown.map((id, i) => (
          <li key={id} className="rules-line row row-whole">
            {line(id, i, <Product id={id} facts={products[i]} />)}
          </li>
        ))}
      </ul>
      {ids.length > LINES_SHOWN && (
        <div>
          <Button size="small" variant="ghost" onPress={() => setOpen(!isOpen)}>
            {isOpen ? 'Show fewer' : `Show all ${formatNumber(ids.length)}`}
          </Button>
        </div>
      )}
    </>
  )
}

function Product({
  id,
  facts,
}: {
  readonly id: string
  readonly facts: ProductFacts | 'gone' | undefined
}): ReactNode {
  return (
    <div className="grow">
      {facts === 'gone' ? (
        <span className="small rules-gone">
          <code>{id}</code> is not in the catalog
        </span>
      ) : (
        <ProductLine facts={facts ?? { title: id }} />
      )}
    </div>
  )
}

/** Undefined while they load. */
function useProducts(ids: readonly string[]): readonly (ProductFacts | 'gone' | undefined)[] {
  const { storeId, calls } = useStore()
  const settings = useSettings()
  return useQueries({
    queries: ids.map((id) => ({
      queryKey: ['document', storeId, id],
      queryFn: () => calls.document(id),
    })),
    combine: (results) =>
      results.map(({ data, isError }, i) => {
        if (isError) return 'gone'
        return data && productFacts(ids[i]!, data.data, settings.data?.product_card)
      }),
  })
}
