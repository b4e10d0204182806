import { EyeOff, Pin, PinOff, TrendingDown, TrendingUp, X } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { ProductLine } from '../../parts/product-card.tsx'
import { productFacts, type ProductCardFields } from '../../parts/product-fields.ts'
import { useSchema } from '../../parts/store-queries.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { ActionMenu } from '../../ui/menu.tsx'
import { NumberField } from '../../ui/text-field.tsx'
import type { RuleEditorState } from './editor-state.ts'
import { valuesFilter } from '../../format/quoting.ts'
import type { ResultCard } from './result-cards.ts'
import { unpinned } from './rule-draft.ts'
import { ownValue } from '../../format/own-value.ts'

const POSITION_MAX = 10_000

/** Actions on the chosen product; on touch screens they replace dragging. */
export function ChosenBar({
  chosen: { hit, place, kind },
  card,
  state,
  mayEdit,
  onPin,
  onHide,
  onClose,
}: {
  readonly chosen: ResultCard
  readonly card: ProductCardFields | undefined
  readonly state: RuleEditorState
  readonly mayEdit: boolean
  readonly onPin: (place: number) => void
  readonly onHide: () => void
  readonly onClose: () => void
}): ReactNode {
  const { rule, set, change } = state
  const schema = useSchema()
  const [typed, setTyped] = useState<{ readonly id: string; readonly place: number }>()
  const target = typed?.id === hit.id ? typed.place : place
  const values = (schema.data?.fields ?? []).flatMap(({ name, facet }) => {
    const value = facet ? ownValue(hit.document, name) : undefined
    return typeof value === 'string' && value !== '' ? [{ name, value }] : []
  })
  const boostBy = (name: string, value: string, weight: number): void =>
    change({ boost: [...(rule.boost ?? []), { filter_by: valuesFilter(name, [value]), weight }] })
  const alike = (weight: number) =>
    values.map(({ name, value }) => ({
      label: `${name}: ${value}`,
      onAction: () => boostBy(name, value, weight),
    }))
  return (
    <div className="rules-chosen floating" role="region" aria-label="Chosen product">
      <div className="grow rules-chosen-product">
        <ProductLine facts={productFacts(hit.id, hit.document, card)} />
      </div>
      {mayEdit && (
        <div className="row">
          <div className="rules-place">
            <NumberField
              label="Position"
              isLabelHidden
              minValue={1}
              maxValue={POSITION_MAX}
              value={target}
              onChange={(next) => setTyped({ id: hit.id, place: next })}
            />
          </div>
          <Button
            size="small"
            icon={Pin}
            isDisabled={!Number.isFinite(target)}
            onPress={() => {
              setTyped(undefined)
              onPin(target)
            }}
          >
            Pin here
          </Button>
          {kind === 'pinned' && (
            <Button size="small" icon={PinOff} onPress={() => set(unpinned(rule, hit.id))}>
              Unpin
            </Button>
          )}
          <Button size="small" icon={EyeOff} onPress={onHide}>
            Hide
          </Button>
          {values.length > 0 && (
            <>
              <ActionMenu
                label="Boost products like this"
                actions={alike(2)}
                trigger={
                  <Button size="small" icon={TrendingUp}>
                    Boost like this
                  </Button>
                }
              />
              <ActionMenu
                label="Bury products like this"
                actions={alike(0.5)}
                trigger={
                  <Button size="small" icon={TrendingDown}>
                    Bury like this
                  </Button>
                }
              />
            </>
          )}
        </div>
      )}
      <IconButton label="Close" icon={X} onPress={onClose} />
    </div>
  )
}
