import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { ProductCard } from '../../parts/product-card.tsx'
import { productFacts, type ProductCardFields } from '../../parts/product-fields.ts'
import { Badge } from '../../ui/badge.tsx'
import { useCardDrag } from './card-drag.ts'
import type { ResultCard } from './result-cards.ts'

export interface ResultGridProps {
  readonly label?: string
  readonly cards: readonly ResultCard[]
  readonly card: ProductCardFields | undefined
  readonly chosenId: string
  readonly onChoose: (id: string) => void
  /** Absent where nothing may be changed. @param place from 1 */
  readonly onPin: ((id: string, place: number) => void) | undefined
  readonly onUnpin: (id: string) => void
  readonly onHide: (id: string) => void
}

const KINDS = {
  pinned: 'accent',
  'pinned-elsewhere': 'plain',
  up: 'good',
  down: 'warn',
  new: 'good',
  same: 'plain',
} as const

/**
 * The results, which can be rearranged: a card dragged to a place is pinned there. With the
 * keyboard: arrow keys move the focus, `p` picks up the card, arrow keys move it, Enter pins it,
 * Escape cancels; `u` unpins, `h` hides.
 */
export function ResultGrid(props: ResultGridProps): ReactNode {
  const { label = 'Results', cards, card, chosenId, onChoose, onPin, onUnpin, onHide } = props
  const keysId = useId()
  const list = useRef<HTMLDivElement>(null)
  const [taken, setTaken] = useState<{ readonly id: string; readonly place: number }>()
  const { drag, begin } = useCardDrag((id, place) => {
    onChoose(id)
    onPin?.(id, place + 1)
  })
  const over = drag?.over ?? (taken === undefined ? undefined : taken.place - 1)
  const movedId = drag?.id ?? taken?.id

  // The focus follows a moved card.
  const [focusId, setFocusId] = useState('')
  useEffect(() => {
    if (!cards.some(({ hit }) => hit.id === focusId)) return
    const element = list.current?.querySelector<HTMLElement>(`[data-id="${CSS.escape(focusId)}"]`)
    if (element !== null && element !== document.activeElement) element?.focus()
  }, [focusId, cards])

  const focusPlace = (place: number): void => {
    const element = list.current?.querySelector<HTMLElement>(`[data-place="${place - 1}"]`)
    element?.focus()
  }
  const press = (event: KeyboardEvent, { hit, place, kind }: ResultCard): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const from = taken?.place ?? place
    const to = stepped(event.key, from, cards.length, columnsOf(list.current))
    if (to !== undefined) {
      if (taken === undefined) focusPlace(to)
      else setTaken({ ...taken, place: to })
    } else if (taken !== undefined && (event.key === 'Enter' || event.key === 'p')) {
      setTaken(undefined)
      setFocusId(taken.id)
      onPin?.(taken.id, taken.place)
    } else if (taken !== undefined && event.key === 'Escape') {
      setTaken(undefined)
    } else if (event.key === 'Enter' || event.key === ' ') {
      onChoose(chosenId === hit.id ? '' : hit.id)
    } else if (onPin !== undefined && event.key === 'p') {
      onChoose(hit.id)
      setTaken({ id: hit.id, place })
    } else if (onPin !== undefined && event.key === 'u' && kind === 'pinned') {
      setFocusId(hit.id)
      onUnpin(hit.id)
    } else if (onPin !== undefined && event.key === 'h') {
      focusPlace(place === cards.length ? place - 1 : place + 1)
      onHide(hit.id)
    } else return
    event.preventDefault()
    event.stopPropagation()
  }
  const titleOf = ({ hit }: ResultCard): string => productFacts(hit.id, hit.document, card).title
  const moved = cards.find(({ hit }) => hit.id === movedId)
  const firstTab = cards.some(({ hit }) => hit.id === chosenId) ? chosenId : cards[0]?.hit.id
  return (
    <>
      <div
        ref={list}
        className={drag === undefined ? 'rules-grid' : 'rules-grid rules-grid-dragging'}
        role="listbox"
        aria-label={label}
        aria-describedby={keysId}
      >
        {cards.map((one, i) => {
          const { hit, place, kind, mark, factor } = one
          const marks = [
            ...(mark === undefined ? [] : [mark]),
            ...(factor === undefined ? [] : [`× ${Math.round(factor * 100) / 100}`]),
          ]
          return (
            <div
              key={hit.id}
              role="option"
              data-id={hit.id}
              data-place={i}
              data-drop={onPin === undefined ? undefined : ''}
              aria-selected={hit.id === chosenId}
              tabIndex={hit.id === firstTab ? 0 : -1}
              className={[
                'rules-card',
                hit.id === movedId ? 'rules-card-moved' : '',
                over === i && movedId !== undefined ? 'rules-card-over' : '',
                onPin === undefined ? '' : 'rules-card-movable',
              ].join(' ')}
              onClick={() => {
                setFocusId('')
                onChoose(chosenId === hit.id ? '' : hit.id)
              }}
              onPointerDown={(event) => onPin !== undefined && begin(hit.id, event)}
              // Otherwise the browser would drag the picture itself.
              onDragStart={(event) => event.preventDefault()}
              onKeyDown={(event) => press(event, one)}
              onBlur={() => setTaken(undefined)}
            >
              <ProductCard
                facts={productFacts(hit.id, hit.document, card)}
                position={place}
                isChosen={hit.id === chosenId}
                badge={
                  marks.length === 0 ? undefined : (
                    <span className="rules-marks">
                      {marks.map((text) => (
                        <Badge key={text} kind={text === mark ? KINDS[kind] : 'accent'}>
                          {text}
                        </Badge>
                      ))}
                    </span>
                  )
                }
              />
              {over === i && movedId !== undefined && (
                <span className="rules-target" aria-hidden>
                  Position {i + 1}
                </span>
              )}
            </div>
          )
        })}
      </div>
      <p id={keysId} className="visually-hidden">
        Arrow keys move between products. P picks one up, arrow keys move it, Enter pins it, Escape
        cancels. U unpins, H hides.
      </p>
      <p className="visually-hidden" role="status">
        {taken !== undefined && moved !== undefined
          ? `${titleOf(moved)}: position ${taken.place} of ${cards.length}`
          : ''}
      </p>
      {drag !== undefined && moved !== undefined && (
        <div
          className="rules-ghost"
          aria-hidden
          style={{ transform: `translate(${drag.x + 14}px, ${drag.y + 14}px)` }}
        >
          <span className="cut">{titleOf(moved)}</span>
          {drag.over !== undefined && <strong>Pin to position {drag.over + 1}</strong>}
        </div>
      )}
    </>
  )
}

/** Where an arrow key leads, from 1; undefined for other keys. */
function stepped(key: string, from: number, count: number, columns: number): number | undefined {
  const by = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns }[key]
  if (key === 'Home') return 1
  if (key === 'End') return count
  if (by === undefined) return undefined
  const to = from + by
  return to < 1 || to > count ? from : to
}

function columnsOf(list: HTMLElement | null): number {
  const columns = list === null ? '' : getComputedStyle(list).gridTemplateColumns
  return Math.max(1, columns.split(' ').length)
}
