import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { useQuery } from '@tanstack/react-query'
import { ChartLine } from 'lucide-react'
import { formatBytes, formatCompact, formatNumber, formatPercent } from '../../format/numbers.ts'
import { Time } from '../../ui/time.tsx'
import { FigureChange, FigureValue } from '../../parts/figure-change.tsx'
import { FIGURES } from '../../parts/figures.ts'
import { SourceFaults } from '../../parts/source-faults.tsx'
import { queryLinks, storePath, useStore } from '../../session/store.ts'
import { useMay } from '../../session/session.ts'
import { useDateRange, type DateRange } from '../../state/date-range.ts'
import { BarList } from '../../ui/bar-list.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { DateRangeField } from '../../ui/date-range.tsx'
import { EmptyState, ErrorState, SkeletonLines } from '../../ui/states.tsx'
import { LineChart, preloadCharts } from '../../ui/line-chart.tsx'
import { Page, Section } from '../../ui/page.tsx'
import { Guide } from './guide.tsx'
import { INITIAL_COMPARISON, INITIAL_RANGE, overviewQueries } from './overview-queries.ts'
import './overview.css'

const TILES = FIGURES.filter(({ id }) =>
  ['searches', 'users', 'no_result_rate', 'click_through_rate', 'revenue'].includes(id),
)

preloadCharts()

/** The first page of a store: how it is doing, and what to do next while something is missing. */
export function OverviewScreen(): ReactNode {
  const { storeId, summary, calls } = useStore()
  const isEditor = useMay('editor')
  const range = useDateRange(INITIAL_RANGE, INITIAL_COMPARISON)
  const queries = overviewQueries(storeId, calls, range)
  const searches = useQuery(queries.searches)
  const top = useQuery(queries.top)
  const lost = useQuery(queries.lost)
  const { data, error, refetch } = searches
  const totals = data?.totals
  const before = data?.comparison?.totals
  const isEmpty = totals?.searches === 0 && (before?.searches ?? 0) === 0
  const analytics = `${storePath(storeId, 'analytics')}?${rangeText(range)}`
  return (
    <Page width="reading" title={summary.name} about="Traffic in this store, and what to do next.">
      <SourceFaults />
      <Guide totals={totals} />
      <Figures>
        <Figure label="Products" to={storePath(storeId, 'documents')}>
          {formatNumber(summary.documents)}
        </Figure>
        <Figure label="On disk">{formatBytes(summary.disk_bytes)}</Figure>
        <Figure label="Last change">
          {summary.last_write_at === undefined ? '–' : <Time at={summary.last_write_at} />}
        </Figure>
        {isEditor && (
          <Figure label="Keys" to={storePath(storeId, 'keys')}>
            Show
          </Figure>
        )}
      </Figures>
      <Section
        title="Searches"
        about="Days in UTC. Keystrokes of one search count once."
        actions={<DateRangeField range={range} />}
      >
        {error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
        {error === null && totals === undefined && <SkeletonLines count={6} />}
        {isEmpty && (
          <EmptyState
            icon={ChartLine}
            title="No searches in this period"
            action={<LinkButton to={storePath(storeId, 'preview')}>Search as a visitor</LinkButton>}
          >
            Searches of your shop appear here. Searches in the preview are not counted.
          </EmptyState>
        )}
        {data !== undefined && !isEmpty && (
          <>
            <Figures>
              {TILES.map((figure) => (
                <Figure
                  key={figure.id}
                  label={figure.label}
                  {...(figure.id === 'searches' ? { to: analytics } : {})}
                  note={
                    before !== undefined && (
                      <FigureChange figure={figure} now={data.totals} before={before} />
                    )
                  }
                >
                  <FigureValue figure={figure} now={data.totals} before={before} />
                </Figure>
              ))}
            </Figures>
            <LineChart
              label={`Searches per day, ${formatNumber(data.totals.searches)} in total`}
              times={data.rows.map(({ start }) => Date.parse(start))}
              series={[
                { name: 'Searches', values: data.rows.map(({ searches: count }) => count) },
                {
                  name: 'No results',
                  values: data.rows.map(({ no_result_searches: count }) => count),
                },
              ]}
              format={formatCompact}
            />
          </>
        )}
      </Section>
      {lost.data !== undefined && lost.data.rows.length > 0 && (
        <Section
          title="Searches with no results"
          about="A synonym, a rule or a product can fix them."
          actions={<Link href={storePath(storeId, 'missed-searches')}>See all</Link>}
        >
          <BarList
            label="Queries with no results"
            bars={lost.data.rows.map(({ query, searches: count }) => ({
              id: query,
              label: <Link href={queryLinks(storeId, query).preview}>{query}</Link>,
              value: count,
              ...(isEditor
                ? { note: <Link href={queryLinks(storeId, query).fix}>Find a fix</Link> }
                : {}),
            }))}
          />
        </Section>
      )}
      {top.data !== undefined && top.data.rows.length > 0 && (
        <Section title="Top searches">
          <BarList
            label="Top queries"
            bars={top.data.rows.map(({ query, searches: count, click_through_rate: rate }) => ({
              id: query,
              label: (
                <a href={`${storePath(storeId, 'preview')}?q=${encodeURIComponent(query)}`}>
                  {query}
                </a>
              ),
              value: count,
              // Unknown where the shop sends no clicks.
              ...(rate === null ? {} : { note: `${formatPercent(rate, 0)} clicked` }),
            }))}
          />
        </Section>
      )}
    </Page>
  )
}

/** The period and its comparison, as the address of another screen has them. */
function rangeText({ name, from, to, compare }: DateRange): string {
  const period = name === undefined ? `from=${from}&to=${to}` : `range=${name}`
  return compare === undefined ? period : `${period}&compare=${compare}`
}

/** A few numbers beside each other. */
export function Figures({ children }: { readonly children: ReactNode }): ReactNode {
  return <dl className="figures">{children}</dl>
}

/** A number, and the way to what is behind it. */
export function Figure({
  label,
  to,
  note,
  children,
}: {
  readonly label: string
  readonly to?: string
  /** Below the number. */
  readonly note?: ReactNode
  readonly children: ReactNode
}): ReactNode {
  return (
    <div className="figure">
      <dt className="small muted">{label}</dt>
      <dd className="figure-value number">
        {to === undefined ? children : <Link href={to}>{children}</Link>}
      </dd>
      {note !== undefined && <dd>{note}</dd>}
    </div>
  )
}
