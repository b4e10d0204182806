import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { formatCount, formatNumber, formatPercent } from '../format/numbers.ts'
import { Time } from '../ui/time.tsx'
import { useStore } from '../session/store.ts'
import { currentTimeMs } from '../state/clock.ts'
import { useUrlState } from '../state/url-state.ts'
import { Badge } from '../ui/badge.tsx'
import { Segmented } from '../ui/choice.tsx'
import { TextHint } from '../ui/hint.tsx'
import type { Column } from '../ui/table-model.ts'
import './usage.css'

const DAY_MS = 86_400_000
/** The rows that a report has at most: more than a store can have rules or presets. */
const ROWS_MAX = 10_000
export const PERIODS = [
  { value: '7', label: 'Last 7 days' },
  { value: '30', label: 'Last 30 days' },
] as const
type Days = (typeof PERIODS)[number]['value']

/** The searches with one rule, or one preset, and what followed. */
export interface Use {
  readonly searches: number
  readonly users: number
  readonly no_result_rate: number | null
  readonly click_through_rate: number | null
  readonly last_search_at: string
}

export interface Usage {
  readonly days: Days
  readonly setDays: (days: Days) => void
  readonly isFailed: boolean
  /** All searches of the period; undefined if unknown. */
  readonly searches: number | undefined
  /** @returns undefined if there was no search with it */
  readonly of: (name: string) => Use | undefined
}

/** How often rules applied, or presets were named, in the last days: `?days=7` in the address. */
export function useUsage(report: 'rules' | 'presets'): Usage {
  const { storeId, calls } = useStore()
  const [text, setDays] = useUrlState('days', '30')
  const days = text === '7' ? '7' : '30'
  const { data, isError } = useQuery({
    queryKey: ['report', storeId, report, 'last', days],
    queryFn: async () => {
      const from = new Date(currentTimeMs() - Number(days) * DAY_MS).toISOString()
      const { totals, rows } = await calls.report(report, { from, limit: ROWS_MAX })
      const uses = rows.map((row) => [nameOf(row), row as Use] as const)
      return { searches: totals.searches, uses: new Map(uses) }
    },
  })
  return {
    days,
    setDays,
    isFailed: isError,
    searches: data?.searches,
    of: (name) => data?.uses.get(name),
  }
}

export function UsagePeriod({ usage }: { readonly usage: Usage }): ReactNode {
  return (
    <div className="row">
      <Segmented
        label="Searches counted"
        options={PERIODS}
        value={usage.days}
        onChange={usage.setDays}
      />
      {usage.isFailed && (
        <span className="small muted">Searches are not counted at the moment.</span>
      )}
    </div>
  )
}

/**
 * Columns of a table of rules or presets.
 *
 * @param expected whether a row without searches is a fault, in a period that had some
 */
export function usageColumns<Row>(
  usage: Usage,
  header: string,
  nameOfRow: (row: Row) => string,
  expected: (row: Row) => boolean,
): readonly Column<Row>[] {
  return [
    {
      id: 'searches',
      header,
      isNumber: true,
      isMain: true,
      width: '96px',
      value: (row) =>
        usage.searches === undefined ? undefined : (usage.of(nameOfRow(row))?.searches ?? 0),
      cell: (row) => <UseCount usage={usage} name={nameOfRow(row)} isExpected={expected(row)} />,
    },
    {
      id: 'clicked',
      header: 'Clicked',
      isNumber: true,
      width: '84px',
      value: (row) => usage.of(nameOfRow(row))?.click_through_rate ?? undefined,
      cell: (row) => formatPercent(usage.of(nameOfRow(row))?.click_through_rate),
    },
  ]
}

function UseCount({
  usage,
  name,
  isExpected,
}: {
  readonly usage: Usage
  readonly name: string
  readonly isExpected: boolean
}): ReactNode {
  const { searches, days } = usage
  const use = usage.of(name)
  if (searches === undefined) return '–'
  if (use !== undefined) {
    return (
      <>
        <TextHint text={`${formatPercent(use.searches / searches)} of ${formatNumber(searches)}`}>
          {formatNumber(use.searches)}
        </TextHint>
        <span className="usage-unit"> {use.searches === 1 ? 'search' : 'searches'}</span>
      </>
    )
  }
  if (searches === 0 || !isExpected) {
    return (
      <>
        0<span className="usage-unit"> searches</span>
      </>
    )
  }
  const all = formatCount(searches, 'search', 'searches')
  return (
    <>
      <TextHint text={`In none of the ${all} of the last ${days} days`}>
        <Badge kind="warn">never</Badge>
      </TextHint>
      <span className="usage-unit"> in {all}</span>
    </>
  )
}

/** The same in sentences, for one of them. */
export function UseText({
  usage,
  name,
}: {
  readonly usage: Usage
  readonly name: string
}): ReactNode {
  const { searches, days, isFailed } = usage
  const use = usage.of(name)
  if (isFailed) return <p className="muted">Searches are not counted at the moment.</p>
  if (searches === undefined) return <p className="muted">Counting searches…</p>
  if (searches === 0) return <p className="muted">No searches in the last {days} days.</p>
  if (use === undefined) {
    return (
      <p>
        None of the {formatCount(searches, 'search', 'searches')} in the last {days} days.
      </p>
    )
  }
  return (
    <p>
      <strong>{formatCount(use.searches, 'search', 'searches')}</strong> in the last {days} days,{' '}
      {formatPercent(use.searches / searches)} of all, by {formatCount(use.users, 'visitor')}
      {use.no_result_rate !== null && `; ${formatPercent(use.no_result_rate)} had no results`}
      {use.click_through_rate !== null &&
        `; ${formatPercent(use.click_through_rate)} led to a click`}
      . The last one was <Time at={use.last_search_at} />.
    </p>
  )
}

function nameOf(row: { readonly rule_id: string } | { readonly preset: string }): string {
  return 'rule_id' in row ? row.rule_id : row.preset
}
