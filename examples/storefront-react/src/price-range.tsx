import { useState } from 'react'
import { count, price } from './format.ts'
import { withRange, type PageState } from './page-state.ts'
import { barsOf } from './price-edges.ts'
import type { FacetConfig } from './shop-config.ts'
import { useShop } from './shop-context.ts'

interface PriceRangeProps {
  readonly facet: FacetConfig
  readonly state: PageState
  readonly counts: readonly { readonly value: string; readonly count: number }[]
}

const BAR = 10
const HEIGHT = 40

/** A histogram with two handles, each a slider. The bars do not depend on the selection. */
export function PriceRange({ facet, state, counts }: PriceRangeProps) {
  const { go } = useShop()
  const bars = barsOf(counts)
  const [low, high] = state.ranges[facet.field] ?? []
  const placeOf = (value: number | undefined, otherwise: number): number => {
    const place = bars.findIndex((bar) => value !== undefined && value <= bar.low)
    return value === undefined ? otherwise : place < 0 ? bars.length : place
  }
  const [from, setFrom] = useState(placeOf(low, 0))
  const [to, setTo] = useState(placeOf(high, bars.length))
  if (bars.length === 0) return null
  const most = Math.max(...bars.map((bar) => bar.count))
  const edge = (place: number): number => bars[place]?.low ?? bars.at(-1)!.high ?? bars.at(-1)!.low
  const isAll = from === 0 && to >= bars.length
  const found = bars.slice(from, to).reduce((sum, bar) => sum + bar.count, 0)
  const choose = (): void => {
    const range = [
      from === 0 ? undefined : edge(from),
      to >= bars.length ? undefined : edge(to),
    ] as const
    go(withRange(state, facet.field, isAll ? undefined : range))
  }
  const slider = {
    type: 'range',
    min: 0,
    max: bars.length,
    step: 1,
    onPointerUp: choose,
    onKeyUp: choose,
  } as const
  return (
    <div className="range">
      <svg
        className="histogram"
        viewBox={`0 0 ${bars.length * BAR} ${HEIGHT}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        {bars.map((bar, i) => {
          const height = bar.count === 0 ? 0 : Math.max(2, (HEIGHT * bar.count) / most)
          const name = i >= from && i < to ? 'bar bar-in' : 'bar'
          const place = { x: i * BAR + 1, y: HEIGHT - height, width: BAR - 2, height }
          return <rect className={name} key={bar.low} {...place} />
        })}
      </svg>
      <div className="handles">
        <input
          {...slider}
          aria-label={`${facet.label} from`}
          aria-valuetext={price(edge(from))}
          value={from}
          onChange={(event) => setFrom(Math.min(Number(event.target.value), to - 1))}
        />
        <input
          {...slider}
          aria-label={`${facet.label} up to`}
          aria-valuetext={price(edge(to))}
          value={to}
          onChange={(event) => setTo(Math.max(Number(event.target.value), from + 1))}
        />
      </div>
      <p className="range-text">
        {price(edge(from))} to {price(edge(to))} <span className="facet-count">{count(found)}</span>
      </p>
    </div>
  )
}
