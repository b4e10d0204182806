import { useEffect, useRef, useState, type PointerEvent, type RefObject } from 'react'

export interface CardDrag {
  readonly id: string
  /** Index of the card under the pointer, from 0. */
  readonly over: number | undefined
  readonly x: number
  readonly y: number
}

/** A press becomes a drag after this distance. */
const THRESHOLD_PIXELS = 6
/** Near the edge of the window, or of the list, it scrolls. */
const EDGE_PIXELS = 72
const SCROLL_PIXELS = 14

/**
 * Drags cards with a mouse or a pen: cards that may be a target carry `data-drop`, and
 * `data-place`, their index from 0. Touch scrolls,
 * and uses the buttons of the chosen card.
 *
 * @param scroller what scrolls near its edges; by default the window
 */
export function useCardDrag(
  onDrop: (id: string, place: number) => void,
  scroller?: RefObject<HTMLElement | null>,
): {
  readonly drag: CardDrag | undefined
  readonly begin: (id: string, event: PointerEvent) => void
} {
  const [drag, setDrag] = useState<CardDrag>()
  const drop = useRef(onDrop)
  const end = useRef<() => void>(undefined)
  useEffect(() => {
    drop.current = onDrop
  })
  useEffect(() => () => end.current?.(), [])

  const begin = (id: string, start: PointerEvent): void => {
    if (start.button !== 0 || start.pointerType === 'touch') return
    let current: CardDrag | undefined
    const { clientX, clientY } = start
    const move = (event: globalThis.PointerEvent): void => {
      const { clientX: x, clientY: y } = event
      if (current === undefined && Math.hypot(x - clientX, y - clientY) < THRESHOLD_PIXELS) return
      event.preventDefault()
      const box = scroller?.current?.getBoundingClientRect()
      const [top, bottom] = [box?.top ?? 0, box?.bottom ?? window.innerHeight]
      const scrolled = scroller?.current ?? window
      if (y < top + EDGE_PIXELS) scrolled.scrollBy(0, -SCROLL_PIXELS)
      else if (y > bottom - EDGE_PIXELS) scrolled.scrollBy(0, SCROLL_PIXELS)
      current = { id, x, y, over: placeAt(x, y) }
      setDrag(current)
    }
    const stop = (): void => {
      window.removeEventListener('pointermove', move)
      window.removeEventListener('pointerup', release)
      window.removeEventListener('pointercancel', stop)
      window.removeEventListener('keydown', escape)
      end.current = undefined
      setDrag(undefined)
    }
    const release = (): void => {
      const place = current?.over
      stop()
      if (place !== undefined) drop.current(id, place)
    }
    const escape = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') stop()
    }
    end.current?.()
    end.current = stop
    window.addEventListener('pointermove', move, { passive: false })
    window.addEventListener('pointerup', release)
    window.addEventListener('pointercancel', stop)
    window.addEventListener('keydown', escape)
  }
  return { drag, begin }
}

function placeAt(x: number, y: number): number | undefined {
  const card = document.elementFromPoint(x, y)?.closest('[data-drop]')
  const place = Number(card?.getAttribute('data-place') ?? Number.NaN)
  return Number.isInteger(place) ? place : undefined
}
