import type { TailedEvent } from '@aisle/contract'
import { useEffect, useState } from 'react'
import { TailBuffer, type TailRow } from './tail-buffer.ts'

/** The page updates this often, however many events arrive. */
const SHOW_MS = 250

export type TailState = 'connecting' | 'live' | 'lost' | 'ended'

export interface Tail {
  readonly rows: readonly TailRow[]
  /** Came while the tail was paused. */
  readonly waiting: number
  /** Per second. */
  readonly rate: number
  /** Events that the service dropped because this page read too slowly. */
  readonly skipped: number
  readonly state: TailState
  readonly clear: () => void
}

/** The events of a store as they arrive. @param isPaused collects them without showing them */
export function useTail(storeId: string, isPaused: boolean): Tail {
  const [buffer] = useState(() => new TailBuffer())
  const [state, setState] = useState<TailState>('connecting')
  const [skipped, setSkipped] = useState(0)
  const [shown, setShown] = useState({ rows: buffer.rows, waiting: 0, rate: 0 })

  useEffect(() => {
    const path = `/api/v1/stores/${encodeURIComponent(storeId)}/analytics/events/tail`
    const source = new EventSource(path)
    source.addEventListener('open', () => setState('live'))
    let isFirst = true
    source.addEventListener('error', () => {
      // After a broken connection, the recent events are in the list already.
      isFirst = false
      setState(source.readyState === EventSource.CLOSED ? 'lost' : 'connecting')
    })
    source.addEventListener('event', ({ data }: MessageEvent<string>) =>
      buffer.push(JSON.parse(data) as TailedEvent, performance.now()),
    )
    source.addEventListener('recent', ({ data }: MessageEvent<string>) => {
      if (isFirst) buffer.push(JSON.parse(data) as TailedEvent)
    })
    source.addEventListener('skipped', ({ data }: MessageEvent<string>) => {
      const { count } = JSON.parse(data) as { count: number }
      setSkipped((before) => before + count)
    })
    source.addEventListener('ended', () => {
      source.close()
      setState('ended')
    })
    return () => source.close()
  }, [storeId, buffer])

  useEffect(() => {
    const timer = setInterval(() => {
      if (!isPaused) buffer.show()
      const now = {
        rows: buffer.rows,
        waiting: buffer.waiting,
        rate: buffer.rate(performance.now()),
      }
      setShown((before) =>
        before.rows === now.rows && before.waiting === now.waiting && before.rate === now.rate
          ? before
          : now,
      )
    }, SHOW_MS)
    return () => clearInterval(timer)
  }, [buffer, isPaused])

  return { ...shown, skipped, state, clear: () => buffer.clear() }
}
