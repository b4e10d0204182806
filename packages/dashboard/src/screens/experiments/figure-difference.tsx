import type { Experiment, ExperimentReport } from '@aisle/contract'
import type { ReactNode } from 'react'
import { formatNumber } from '../../format/numbers.ts'
import { figureText } from './experiment-text.ts'

type Figure = NonNullable<ExperimentReport['figures']>['click']

/** How much more visitors of the draft do, and the interval of that. */
export function Difference({
  goal,
  figure: { difference, low, high },
  currency,
}: {
  readonly goal: Experiment['goal']
  readonly figure: Figure
  readonly currency: string | undefined
}): ReactNode {
  const isMoney = goal === 'revenue'
  return (
    <>
      {difference !== null && difference > 0 && '+'}
      {isMoney ? figureText(goal, difference, currency) : pointsText(difference)}
      {low !== null && (
        <div className="muted small">
          {isMoney
            ? `${figureText(goal, low, currency)} to ${figureText(goal, high, currency)}`
            : `${formatNumber(100 * low, 1)} to ${pointsText(high)}`}
        </div>
      )}
    </>
  )
}

/** A difference of two percentages: 12% is 2 points more than 10%. */
function pointsText(difference: number | null): string {
  return difference === null ? '–' : `${formatNumber(100 * difference, 1)} points`
}
