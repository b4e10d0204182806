import type { MissedSearch, MissedSearchEffect } from '@aisle/client'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { formatCount, formatNumber, formatPercent } from '../../format/numbers.ts'
import { useStore } from '../../session/store.ts'
import { useNow } from '../../state/clock.ts'
import { Skeleton } from '../../ui/states.tsx'

const DAY_MS = 86_400_000
/** The effect is measured from a week on. */
const EFFECT_MIN_DAYS = 7

/** Click-through before a fix and after it, with the searches that it is counted from. */
export function EffectLine({ search }: { readonly search: MissedSearch }): ReactNode {
  const { storeId, calls } = useStore()
  const nowMs = useNow()
  const { query, decided_at: at = '' } = search
  const isDue = nowMs - Date.parse(at) >= EFFECT_MIN_DAYS * DAY_MS
  const { data, error } = useQuery({
    queryKey: ['missed-searches', storeId, 'effect', query],
    queryFn: () => calls.missedSearchEffect(query),
    enabled: isDue,
  })
  if (!isDue) return <span className="muted">Measured after a week</span>
  if (error !== null) return <span className="muted">Could not be measured</span>
  if (data === undefined) return <Skeleton width={160} />
  return <Effect effect={data} />
}

function Effect({
  effect: { status, before, after },
}: {
  readonly effect: MissedSearchEffect
}): ReactNode {
  if (status === 'too_early') return <span className="muted">Measured after a week</span>
  if (status === 'no_clicks_reported') {
    return <span className="muted">Your shop sends no click events</span>
  }
  const days = Math.round((Date.parse(after.to) - Date.parse(after.from)) / DAY_MS)
  const counts = `${formatNumber(before.searches)} → ${formatCount(after.searches, 'search', 'searches')}`
  if (status === 'not_enough_searches') {
    return <span className="muted">Not enough searches yet ({counts})</span>
  }
  return (
    <>
      <span className="strong">
        Click-through {formatPercent(before.click_through_rate, 0)} →{' '}
        {formatPercent(after.click_through_rate, 0)}
      </span>{' '}
      <span className="small muted">
        {counts} in {formatCount(days, 'day')} each
      </span>
    </>
  )
}
