import type { Placed } from './naive-searches.ts'
import { LATENCY_SHARES, type Latency } from './report-counts.ts'

/** The nearest rank: the smallest value that a share of all values does not exceed. */
export function latencyOf(timed: readonly Placed[]): Latency {
  const values = timed.flatMap(({ tookMs }) => tookMs ?? []).toSorted((a, b) => a - b)
  const { length } = values
  return {
    searches: length,
    percentiles: LATENCY_SHARES.map(
      (share) => values[Math.max(1, length - Math.floor(length - length * share)) - 1] ?? null,
    ),
    maxMs: values.at(-1) ?? null,
  }
}
