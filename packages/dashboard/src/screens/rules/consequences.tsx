import {
  ArrowDownWideNarrow,
  Braces,
  EyeOff,
  ExternalLink,
  ListFilter,
  Megaphone,
  Pin,
  Plus,
  Replace,
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
import { ProductPicker } from './product-picker.tsx'
import { HiddenProducts, PinnedProducts } from './chosen-products.tsx'
import { hidden, pinned } from './rule-draft.ts'
import {
  ExactPart,
  FilterPart,
  OrderPart,
  QueryPart,
  RedirectPart,
  WordsPart,
} from './search-fields.tsx'

/** The effects of the rule, one sentence each, and a menu of further effects. */
export function Consequences(props: ConsequenceProps): ReactNode {
  const { state, isDisabled } = props
  const { rule, set, change } = state
  const [picking, setPicking] = useState<'pin' | 'hide'>()
  const has = (name: keyof typeof rule): boolean => rule[name] !== undefined
  const boostBy = (weight: number): void =>
    change({ boost: [...(rule.boost ?? []), { filter_by: '', weight }] })
  const actions: readonly MenuAction[] = [
    { id: 'pin', label: 'Pin a product', icon: Pin, onAction: () => setPicking('pin') },
    { id: 'hide', label: 'Hide a product', icon: EyeOff, onAction: () => setPicking('hide') },
    { id: 'boost', label: 'Boost products', icon: TrendingUp, onAction: () => boostBy(2) },
    { id: 'bury', label: 'Bury products', icon: TrendingDown, onAction: () => boostBy(0.5) },
    {
      id: 'banner',
      label: 'Show a banner',
      icon: Megaphone,
      isDisabled: has('banner'),
      onAction: () => change({ banner: { title: '' } }),
    },
    {
      id: 'redirect',
      label: 'Redirect to a page',
      icon: ExternalLink,
      isDisabled: has('redirect'),
      onAction: () => change({ redirect: '' }),
    },
    {
      id: 'replace',
      label: 'Replace the query',
      icon: Replace,
      isDisabled: has('replace_query'),
      onAction: () => change({ replace_query: '' }),
    },
    {
      id: 'remove',
      label: 'Remove words',
      icon: Scissors,
      isDisabled: has('remove_words'),
      onAction: () => change({ remove_words: [''] }),
    },
    {
      id: 'filter',
      label: 'Filter products',
      icon: ListFilter,
      isDisabled: has('filter_by'),
      onAction: () => change({ filter_by: '' }),
    },
    {
      id: 'sort',
      label: 'Sort products',
      icon: ArrowDownWideNarrow,
      isDisabled: has('sort_by'),
      onAction: () => change({ sort_by: '' }),
    },
    {
      id: 'exact',
      label: 'Rank boosts above exact values',
      icon: Trophy,
      isDisabled: has('exact_match_boost'),
      onAction: () => change({ exact_match_boost: false }),
    },
    {
      id: 'metadata',
      label: 'Return custom data',
      icon: Braces,
      isDisabled: has('metadata'),
      onAction: () => change({ metadata: {} }),
    },
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

const EFFECTS: ReadonlySet<string> = new Set([
  'pin',
  'hide',
  'boost',
  'filter_by',
  'sort_by',
  'replace_query',
  'remove_words',
  'banner',
  'redirect',
  'exact_match_boost',
  'metadata',
])

/** The first place without a pin of the rule. */
function nextPlace(pins: readonly { readonly position: number }[] = []): number {
  const taken = new Set(pins.map(({ position }) => position))
  let place = 1
  while (taken.has(place)) place++
  return place
}
