import { ChartLine } from 'lucide-react'
import type { ReactNode } from 'react'
import { storePath, useStore } from '../../session/store.ts'
import { useDateRange } from '../../state/date-range.ts'
import { useUrlState } from '../../state/url-state.ts'
import { LinkButton } from '../../ui/button.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../ui/states.tsx'
import { Section } from '../../ui/page.tsx'
import { FigureTiles } from './figure-tiles.tsx'
import { FIGURES } from '../../parts/figures.ts'
import { Funnel } from './funnel.tsx'
import { OverviewChart } from './overview-chart.tsx'
import { Positions } from './positions.tsx'
import { useReport } from './report-data.ts'

/** Up to this many days a row is an hour, from this many on a week. */
const HOURLY_DAYS_MAX = 2
const WEEKLY_DAYS_MIN = 181

export function OverviewTab(): ReactNode {
  const { storeId } = useStore()
  const { days } = useDateRange()
  const isByDay = days > HOURLY_DAYS_MAX
  const interval = isByDay ? (days >= WEEKLY_DAYS_MIN ? 'week' : 'day') : 'hour'
  const { data, error, refetch } = useReport('overview', { interval })
  const [chosen, choose] = useUrlState('figure', FIGURES[0]!.id)
  const figure = FIGURES.find(({ id }) => id === chosen) ?? FIGURES[0]!
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Skeleton height={420} />
  const { searches, clicks, conversions } = data.totals
  if (searches + clicks + conversions === 0 && data.comparison === undefined) {
    return (
      <EmptyState
        icon={ChartLine}
        title="Nobody has searched in this period"
        action={
          <LinkButton to={storePath(storeId, 'events')} variant="primary">
            Watch events come in
          </LinkButton>
        }
      >
        Searches are counted by themselves. Clicks and orders appear here when the shop sends them
        as events. Choose another period above, or look whether events arrive.
      </EmptyState>
    )
  }
  return (
    <div className="stack-groups">
      <section className="analytics-overview" aria-label="Figures">
        <FigureTiles
          totals={data.totals}
          before={data.comparison?.totals}
          chosen={figure.id}
          onChoose={choose}
        />
        <div className="analytics-chart">
          <OverviewChart report={data} figure={figure} isByDay={isByDay} />
          <p className="small muted">
            {figure.about} {interval === 'week' && 'Weeks begin on Mondays.'}
          </p>
        </div>
      </section>
      <div className="analytics-pair">
        <Section title="From search to order" about="Searches that came so far, or further.">
          <Funnel />
        </Section>
        <Section title="Where visitors click" about="Clicks by position among the results.">
          <Positions />
        </Section>
      </div>
    </div>
  )
}
