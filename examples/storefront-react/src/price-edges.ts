/**
 * Starts of the bars of a histogram: steps that grow with the number, so that one list suits a shop
 * of screws and one of pianos. Ranges without products at either end are left out.
 */
const PRICE_EDGES = [
  0, 5, 10, 15, 20, 30, 40, 50, 70, 100, 150, 200, 300, 400, 500, 700, 1_000, 1_500, 2_000, 3_000,
  5_000, 10_000, 20_000, 50_000, 100_000,
] as const

/** One bar: prices from `low`, below `high`. */
export interface PriceBar {
  readonly low: number
  /** Absent for the last one. */
  readonly high: number | undefined
  readonly count: number
}

/** The ranges in the syntax of `facet_by`. */
export function edgesText(): string {
  return PRICE_EDGES.map((low, i) => `${low}:[${low},${PRICE_EDGES[i + 1] ?? ''}]`).join(', ')
}

export function barsOf(counts: readonly { readonly value: string; readonly count: number }[]) {
  const byEdge = new Map(counts.map(({ value, count }) => [Number(value), count]))
  const bars = PRICE_EDGES.map((low, i): PriceBar => {
    return { low, high: PRICE_EDGES[i + 1], count: byEdge.get(low) ?? 0 }
  })
  const first = bars.findIndex(({ count }) => count > 0)
  const last = bars.findLastIndex(({ count }) => count > 0)
  return first < 0 ? [] : bars.slice(first, last + 1)
}
