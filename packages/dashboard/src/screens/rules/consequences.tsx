import {
  ArrowDownWideNarrow,
  Braces,
  EyeOff,
  ExternalLink,
  Languages,
  ListChecks,
  ListFilter,
  Megaphone,
  Pin,
  Plus,
  Replace,
  Scale,
  Scissors,
  TrendingDown,
  TrendingUp,
  Trophy,
} from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { ActionMenu, type MenuAction } from '../../ui/menu.tsx'
import { BannerFields, MetadataField, Boosts } from './effect-fields.tsx'
import type { ConsequenceProps } from './part.tsx'
import { ProductPicker } from '../../parts/product-picker.tsx'
import { HiddenProducts, PinnedProducts } from './chosen-products.tsx'
import { FacetsPart } from './facets-part.tsx'
import { hidden, pinned } from './rule-draft.ts'
import {
  ExactPart,
  FilterPart,
  MeaningPart,
  MeaningWeightPart,
  OrderPart,
  QueryPart,
  RedirectPart,
  WordsPart,
} from './search-fields.tsx'

/** Actions that a rule can have once, with what they begin with. */
const ONE_OF_A_KIND = [
  { member: 'banner', label: 'Show a banner', icon: Megaphone, initial: { title: '' } },
  { member: 'redirect', label: 'Redirect to a page', icon: ExternalLink, initial: '' },
  { member: 'replace_query', label: 'Replace the query', icon: Replace, initial: '' },
  { member: 'remove_words', label: 'Remove words', icon: Scissors, initial: [''] },
  { member: 'filter_by', label: 'Filter products', icon: ListFilter, initial: '' },
  { member: 'sort_by', label: 'Sort products', icon: ArrowDownWideNarrow, initial: '' },
  {
    member: 'exact_match_boost',
    label: 'Rank boosts above exact values',
    icon: Trophy,
    initial: false,
  },
  { member: 'semantic', label: 'Set search by meaning', icon: Languages, initial: 'off' },
  { member: 'semantic_weight', label: 'Set the weight of meaning', icon: Scale, initial: 0.3 },
  { member: 'facet_display', label: 'Arrange facets', icon: ListChecks, initial: {} },
  { member: 'metadata', label: 'Return custom data', icon: Braces, initial: {} },
] as const
const EFFECTS: ReadonlySet<string> = new Set([
  'pin',
  'hide',
  'boost',
  ...ONE_OF_A_KIND.map(({ member }) => member),
])

/** The effects of the rule, one sentence each, and a menu of further effects. */
export function Consequences(props: ConsequenceProps): ReactNode {
  const { state, isDisabled } = props
  const { rule, set, change } = state
  const [picking, setPicking] = useState<'pin' | 'hide'>()
  const boostBy = (weight: number): void =>
    change({ boost: [...(rule.boost ?? []), { filter_by: '', weight }] })
  const actions: readonly MenuAction[] = [
    { label: 'Pin a product', icon: Pin, onAction: () => setPicking('pin') },
    { label: 'Hide a product', icon: EyeOff, onAction: () => setPicking('hide') },
    { label: 'Boost products', icon: TrendingUp, onAction: () => boostBy(2) },
    { label: 'Bury products', icon: TrendingDown, onAction: () => boostBy(0.5) },
    ...ONE_OF_A_KIND.map(({ member, label, icon, initial }) => ({
      label,
      icon,
      isDisabled: rule[member] !== undefined,
      onAction: () => change({ [member]: initial }),
    })),
  ]
  return (
    <div className="stack">
      {Object.keys(rule).every((name) => !EFFECTS.has(name)) && (
        <p className="muted">No actions yet. Drag a product to a position, or add an action.</p>
      )}
      <PinnedProducts {...props} />
      <HiddenProducts {...props} />
      <Boosts {...props} />
      <FilterPart {...props} />
      <OrderPart {...props} />
      <QueryPart {...props} />
      <WordsPart {...props} />
      <BannerFields {...props} />
      <RedirectPart {...props} />
      <ExactPart {...props} />
      <MeaningPart {...props} />
      <MeaningWeightPart {...props} />
      <FacetsPart {...props} />
      <MetadataField {...props} />
      <div>
        <ActionMenu
          label="Add action"
          actions={actions}
          trigger={
            <Button size="small" icon={Plus} isDisabled={isDisabled}>
              Add action
            </Button>
          }
        />
      </div>
      {picking !== undefined && (
        <ProductPicker
          title={picking === 'pin' ? 'Pin a product' : 'Hide a product'}
          action={picking === 'pin' ? 'Pin' : 'Hide'}
          q={state.q}
          onClose={() => setPicking(undefined)}
          onPick={(id) => {
            set(picking === 'pin' ? pinned(rule, id, nextPlace(rule.pin)) : hidden(rule, id))
            setPicking(undefined)
          }}
        />
      )}
    </div>
  )
}

/** The first place without a pin of the rule. */
function nextPlace(pins: readonly { readonly position: number }[] = []): number {
  const taken = new Set(pins.map(({ position }) => position))
  let place = 1
  while (taken.has(place)) place++
  return place
}
