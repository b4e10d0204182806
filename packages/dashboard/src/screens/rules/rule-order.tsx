import { useMutation, useQuery } from '@tanstack/react-query'
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { GripVertical } from 'lucide-react'
import { useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
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
import { moved, orderOf } from './moved.ts'
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
  const order = draft === undefined ? ids : orderOf(ids, draft)
  const save = useMutation({
    mutationFn: () => many.order(order, base ?? tag.data!),
    // Somebody else has changed the rules: the next attempt is over what is shown then.
    onError: () => setBase(undefined),
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
  const keysId = useId()
  const scroll = useRef<HTMLDivElement>(null)
  const { drag, begin } = useCardDrag(move, scroll)
  const rows = useVirtualizer({
    count: order.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW_PIXELS,
    overscan: OVERSCAN_ROWS,
    // The row that the keyboard moves keeps the focus.
    rangeExtractor: (range) => {
      const shown = defaultRangeExtractor(range)
      const kept = taken === undefined ? -1 : order.indexOf(taken.id)
      return kept < 0 || shown.includes(kept) ? shown : [...shown, kept].toSorted((a, b) => a - b)
    },
  })
  const focus = (place: number): void => {
    rows.scrollToIndex(place)
    requestAnimationFrame(() => {
      scroll.current?.querySelector<HTMLElement>(`[data-place="${place}"] .rules-grip`)?.focus()
    })
  }
  const press = (event: KeyboardEvent, id: string, place: number): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
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
    else if (event.key === 'p') setTaken({ id, place })
    else return
    event.preventDefault()
  }
  const over = drag?.over ?? taken?.place
  const movedId = drag?.id ?? taken?.id
  const last = order.length - 1
  return (
    <div className="stack">
      <div className="row gap-12">
        <p className="muted grow" id={keysId}>
          The first rule wins a conflict. Drag the handles, or focus one and press <kbd>P</kbd>,
          arrow keys, <kbd>Enter</kbd>.
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
              isDisabled={base === undefined && tag.data === undefined}
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
          role="list"
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
                role="listitem"
                aria-setsize={order.length}
                aria-posinset={index + 1}
                data-place={index}
                data-drop=""
                className={[
                  'rules-order-row',
                  id === movedId ? 'rules-order-moved' : '',
                  over === index && movedId !== undefined ? 'rules-order-over' : '',
                ].join(' ')}
                style={{ transform: `translateY(${start}px)`, height: ROW_PIXELS }}
              >
                <button
                  type="button"
                  className="rules-grip"
                  aria-label={`Position ${index + 1} of ${order.length}: ${value.description ?? id}`}
                  aria-describedby={keysId}
                  disabled={!mayEdit}
                  onPointerDown={(event) => begin(id, event)}
                  onKeyDown={(event) => press(event, id, index)}
                  onBlur={() => setTaken(undefined)}
                >
                  <GripVertical size={16} aria-hidden />
                </button>
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
