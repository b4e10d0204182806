import type { ReactNode } from 'react'
import { formatPercent } from '../../format/numbers.ts'
import { BarList } from '../../ui/bar-list.tsx'
import { ErrorNote, Skeleton } from '../../ui/states.tsx'
import { useReport } from './report-data.ts'

const STEPS = {
  search: 'Searched',
  click: 'Clicked a product',
  add: 'Added to the cart',
  order: 'Ordered',
} as const

export function Funnel(): ReactNode {
  const { data, error } = useReport('funnel')
  if (error !== null) return <ErrorNote error={error} />
  if (data === undefined) return <Skeleton height={132} />
  const isSilent = data.rows.some(({ rate }) => rate === null)
  return (
    <>
      <BarList
        label="Steps from search to order"
        bars={data.rows.map(({ step, journeys, rate }, i) => {
          const before = data.comparison?.rows[i]?.rate
          return {
            id: step,
            label: STEPS[step],
            value: journeys,
            note:
              before === undefined
                ? formatPercent(rate)
                : `${formatPercent(rate)} from ${formatPercent(before)}`,
          }
        })}
      />
      {isSilent && data.totals.journeys > 0 && (
        <p className="small muted">“–”: the shop sends no events of this step.</p>
      )}
    </>
  )
}
