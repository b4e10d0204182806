import { useMutation, useQuery } from '@tanstack/react-query'
import { useVirtualizer } from '@tanstack/react-virtual'
import { GripVertical } from 'lucide-react'
import { useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { useMay } from '../../session/session.ts'
import { useStore } from '../../session/store.ts'
import { useNow } from '../../state/clock.ts'
import { toast } from '../../state/toasts.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { ActionMenu } from '../../ui/menu.tsx'
import { ErrorNote } from '../../ui/states.tsx'
import { useCardDrag } from './card-drag.ts'
import type { NamedRule } from './rule-draft.ts'
import { moved } from './moved.ts'
import { effectTexts, ruleState, whenText } from './rule-words.ts'
import { useManyRules } from './rules-data.ts'

const ROW_PIXELS = 60
const OVERSCAN_ROWS = 12

/**
 * All rules in the order in which they apply, to rearrange: by dragging, with the menu of a row, or
 * with the keyboard: `p` picks a row up, arrow keys move it, Enter drops it, Escape cancels.
 */
export function RuleOrder({ all }: { readonly all: readonly NamedRule[] }): ReactNode {
  const { storeId, calls } = useStore()
  const mayEdit = useMay('editor')
  const many = useManyRules()
  const nowMs = useNow()
  const ids = all.map(({ id }) => id)
  const [draft, setDraft] = useState<readonly string[]>()
  // What is saved over: the list as it was when the draft began.
  const tag = useQuery({
    queryKey: ['rules', storeId, 'tag', ids.join('\n')],
    queryFn: async () => (await calls.taggedRules()).etag,
  })
  const [base, setBase] = useState<string>()
  const byId = new Map(all.map((rule) => [rule.id, rule]))
  // Rules that were created or deleted meanwhile are where they are saved.
  const order = draft === undefined ? ids : draft.filter((id) => byId.has(id))
  const save = useMutation({
    mutationFn: () => many.order(order, base!),
    onSuccess: () => {
      setDraft(undefined)
      toast('Order saved', 'good')
    },
  })
  const [taken, setTaken] = useState<{ readonly id: string; readonly place: number }>()
  const move = (id: string, place: number): void => {
    if (draft === undefined) setBase(tag.data)
    setDraft(moved(order, id, place))
    save.reset()
  }
  const { drag, begin } = useCardDrag(move)
  const scroll = useRef<HTMLDivElement>(null)
  const rows = useVirtualizer({
    count: order.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW_PIXELS,
    overscan: OVERSCAN_ROWS,
  })
  const focus = (place: number): void => {
    rows.scrollToIndex(place)
    requestAnimationFrame(() => {
      scroll.current?.querySelector<HTMLElement>(`[data-place="${place}"]`)?.focus()
    })
  }
  const press = (event: KeyboardEvent, id: string, place: number): void => {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey)
      return
    const step = { ArrowUp: -1, ArrowDown: 1, Home: -order.length, End: order.length }[event.key]
    if (step !== undefined) {
      const from = taken?.place ?? place
      const to = Math.min(order.length - 1, Math.max(0, from + step))
      if (taken === undefined) focus(to)
      else {
        setTaken({ ...taken, place: to })
        rows.scrollToIndex(to)
      }
    } else if (taken !== undefined && (event.key === 'Enter' || event.key === 'p')) {
      setTaken(undefined)
      move(taken.id, taken.place)
      focus(taken.place)
    } else if (taken !== undefined && event.key === 'Escape') setTaken(undefined)
    else if (mayEdit && event.key === 'p') setTaken({ id, place })
    else return
    event.preventDefault()
  }
  const over = drag?.over ?? taken?.place
  const movedId = drag?.id ?? taken?.id
  const last = order.length - 1
  return (
    <div className="stack">
      <div className="row gap-12">
        <p className="muted grow">
          The first rule wins a conflict. Drag rules, or select one and press <kbd>P</kbd>, arrow
          keys, <kbd>Enter</kbd>.
        </p>
        {draft !== undefined && (
          <>
            <Button
              onPress={() => {
                setDraft(undefined)
                save.reset()
              }}
            >
              Discard changes
            </Button>
            <Button
              variant="primary"
              isPending={save.isPending}
              isDisabled={base === undefined}
              onPress={() => save.mutate()}
            >
              Save order
            </Button>
          </>
        )}
      </div>
      {save.isError && <ErrorNote error={save.error} />}
      <div ref={scroll} className="rules-order card">
        <div
          role="listbox"
          aria-label="Order of the rules"
          style={{ height: rows.getTotalSize(), position: 'relative' }}
        >
          {rows.getVirtualItems().map(({ index, start }) => {
            const id = order[index]!
            const { value } = byId.get(id)!
            const isOn = ruleState(value, nowMs) === 'on'
            return (
              <div
                key={id}
                role="option"
                aria-selected={id === movedId}
                aria-setsize={order.length}
                aria-posinset={index + 1}
                aria-label={`${index + 1}. ${value.description ?? id}`}
                tabIndex={0}
                data-place={index}
                className={[
                  'rules-order-row',
                  id === movedId ? 'rules-order-moved' : '',
                  over === index && movedId !== undefined ? 'rules-order-over' : '',
                ].join(' ')}
                style={{ transform: `translateY(${start}px)`, height: ROW_PIXELS }}
                onKeyDown={(event) => press(event, id, index)}
              >
                <span
                  className="rules-grip"
                  aria-hidden
                  onPointerDown={(event) => mayEdit && begin(id, event)}
                >
                  <GripVertical size={16} />
                </span>
                <span className="number muted rules-order-place">{index + 1}</span>
                <span className="grow rules-order-text">
                  <span className="strong cut">{value.description ?? id}</span>
                  <span className="small muted cut">
                    {whenText(value)}: {effectTexts(value).join(', ') || 'nothing yet'}
                  </span>
                </span>
                {!isOn && <Badge kind="plain">Not on</Badge>}
                <ActionMenu
                  label={`Move ${id}`}
                  actions={[
                    {
                      label: 'Move to top',
                      isDisabled: !mayEdit || index === 0,
                      onAction: () => move(id, 0),
                    },
                    {
                      label: 'Move up',
                      isDisabled: !mayEdit || index === 0,
                      onAction: () => move(id, index - 1),
                    },
                    {
                      label: 'Move down',
                      isDisabled: !mayEdit || index === last,
                      onAction: () => move(id, index + 1),
                    },
                    {
                      label: 'Move to bottom',
                      isDisabled: !mayEdit || index === last,
                      onAction: () => move(id, last),
                    },
                  ]}
                />
              </div>
            )
          })}
        </div>
      </div>
      <p className="visually-hidden" role="status">
        {taken === undefined ? '' : `${taken.id}: position ${taken.place + 1} of ${order.length}`}
      </p>
    </div>
  )
}
