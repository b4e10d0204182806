import { useMemo } from 'react'
import { useNow } from './clock.ts'
import { useUrlChange, useUrlState } from './url-state.ts'

const DAY_MS = 86_400_000

/** Named periods in days; they end with today. */
export const RANGE_DAYS = { today: 1, '7d': 7, '30d': 30, '90d': 90 } as const
export type RangeName = keyof typeof RANGE_DAYS
export type Comparison = 'previous' | 'year'

/** Days in UTC, as in reports; in the address as `range=30d`, or `from` and `to`. */
export interface DateRange {
  /** First day: `2026-11-01`. */
  readonly from: string
  /** Last day, inclusive. */
  readonly to: string
  /** The day after it: `to` in the API. */
  readonly toExclusive: string
  readonly days: number
  /** Undefined: a custom period. */
  readonly name: RangeName | undefined
  readonly compare: Comparison | undefined
}

export interface DateRangeState extends DateRange {
  readonly choose: (name: RangeName) => void
  /** Days, both inclusive. */
  readonly chooseDays: (from: string, to: string) => void
  readonly setCompare: (compare: Comparison | undefined) => void
}

/** @param initialCompare the comparison until another is chosen */
export function useDateRange(
  initial: RangeName = '30d',
  initialCompare?: Comparison,
): DateRangeState {
  const [name] = useUrlState('range', initial)
  const [from] = useUrlState('from')
  const [to] = useUrlState('to')
  const [compare] = useUrlState('compare', initialCompare ?? '')
  const change = useUrlChange()
  const today = dayOf(useNow())
  return useMemo(() => {
    return {
      ...rangeOf({ name, from, to, compare }, today, initial),
      choose: (next) =>
        change({ range: next === initial ? undefined : next, from: undefined, to: undefined }),
      chooseDays: (nextFrom, nextTo) => change({ range: undefined, from: nextFrom, to: nextTo }),
      setCompare: (next) =>
        change({ compare: next === initialCompare ? undefined : (next ?? 'none') }),
    }
  }, [name, from, to, compare, today, initial, initialCompare, change])
}

/**
 * The range that an address asks for. A custom period wins; an invalid one counts as none.
 *
 * @param today the last day of a named period
 * @param initial the period of an address without a known one
 */
export function rangeOf(
  { name, from, to, compare }: { readonly [Key in 'name' | 'from' | 'to' | 'compare']: string },
  today: string,
  initial: RangeName,
): DateRange {
  const range = isDay(from) && isDay(to) && from <= to ? { from, to } : undefined
  const known = Object.hasOwn(RANGE_DAYS, name) ? (name as RangeName) : initial
  const last = range?.to ?? today
  const first = range?.from ?? addDays(today, 1 - RANGE_DAYS[known])
  return {
    from: first,
    to: last,
    toExclusive: addDays(last, 1),
    days: Math.round((Date.parse(last) - Date.parse(first)) / DAY_MS) + 1,
    name: range === undefined ? known : undefined,
    compare: compare === 'previous' || compare === 'year' ? compare : undefined,
  }
}

export function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}

export function addDays(day: string, count: number): string {
  return dayOf(Date.parse(day) + count * DAY_MS)
}

function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && Number.isFinite(Date.parse(text))
}
