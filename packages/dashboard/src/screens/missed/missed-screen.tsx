import { CircleCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatNumber } from '../../format/numbers.ts'
import { useUrlChange, useUrlState } from '../../state/url-state.ts'
import { Segmented } from '../../ui/choice.tsx'
import { Page } from '../../ui/page.tsx'
import { Pager } from '../../ui/pager.tsx'
import { stepsOf } from '../../ui/side-panel.tsx'
import { EmptyState, ErrorState, Note } from '../../ui/states.tsx'
import { Table } from '../../ui/table.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { COLUMNS } from './missed-columns.tsx'
import {
  PAGE_ROWS,
  PERIODS,
  STATES,
  useMissedSearch,
  useMissedSearches,
  usePeriod,
  type State,
} from './missed-data.ts'
import { MissedPanel } from './missed-panel.tsx'
import './missed.css'

const LABELS: Readonly<Record<State, string>> = {
  open: 'Open',
  fixed: 'Fixed',
  dismissed: 'Dismissed',
}
const EMPTY: Readonly<Record<State, { readonly title: string; readonly text: string }>> = {
  open: {
    title: 'No missed searches',
    text: 'Searches that find nothing, or whose results nobody clicks, appear here with what would fix them.',
  },
  fixed: {
    title: 'Nothing fixed yet',
    text: 'Searches that you fix appear here, with what they find and their effect after a week.',
  },
  dismissed: { title: 'Nothing dismissed', text: 'Searches that you dismiss appear here.' },
}

/** The queue of searches that lose visitors: open, fixed and dismissed. */
export function MissedScreen(): ReactNode {
  const [days, setDays] = usePeriod()
  const { data } = useMissedSearches('open', 1)
  const label = (state: State): string => {
    const count = data?.counts[state]
    return count === undefined ? LABELS[state] : `${LABELS[state]} ${formatNumber(count)}`
  }
  return (
    <Page
      title="Missed searches"
      about="Searches that found nothing, or whose results nobody clicked, and what would fix them."
      actions={
        <Segmented
          label="Period"
          options={PERIODS.map((value) => ({ value, label: `${value} days` }))}
          value={days}
          onChange={setDays}
        />
      }
    >
      {data?.reports_clicks === false && (
        <Note>
          Your shop sends no click events, so searches with results but no clicks are not listed.
        </Note>
      )}
      <Tabs
        label="Missed searches"
        parameter="state"
        tabs={STATES.map((state) => ({
          id: state,
          label: label(state),
          content: <MissedList state={state} />,
        }))}
      />
    </Page>
  )
}

function MissedList({ state }: { readonly state: State }): ReactNode {
  // Each tab has its own page, so that another tab begins at its first.
  const pageName = `${state}-page`
  const [pageText] = useUrlState(pageName, '1')
  const page = Math.max(1, Number(pageText) || 1)
  const { data, error, refetch } = useMissedSearches(state, page)
  const [openQuery] = useUrlState('query')
  const change = useUrlChange()
  const open = (query: string): void => change({ query })
  const rows = data?.searches
  const at = rows?.findIndex(({ query }) => query === openQuery) ?? -1
  const isElsewhere = openQuery !== '' && rows !== undefined && at < 0
  const { data: other } = useMissedSearch(openQuery, isElsewhere)
  const search = rows?.[at] ?? (isElsewhere ? other : undefined)
  const total = data?.counts[state] ?? 0
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />
  return (
    <>
      <Table
        label={`${LABELS[state]} missed searches`}
        name={`missed-${state}`}
        rows={rows}
        columns={COLUMNS[state]}
        rowId={({ query }) => query}
        onOpen={({ query }) => open(query)}
        openRowId={openQuery}
        {...(data === undefined ? {} : { total })}
        empty={
          <EmptyState icon={CircleCheck} title={EMPTY[state].title}>
            {EMPTY[state].text}
          </EmptyState>
        }
      />
      {total > PAGE_ROWS && (
        <Pager
          page={page}
          pageCount={Math.ceil(total / PAGE_ROWS)}
          onChange={(next) => change({ [pageName]: next === 1 ? undefined : String(next) })}
        >
          {`Page ${page} of ${Math.ceil(total / PAGE_ROWS)}`}
        </Pager>
      )}
      {search !== undefined && (
        <MissedPanel
          key={search.query}
          search={search}
          onClose={() => open('')}
          {...stepsOf(rows, at, ({ query }) => open(query))}
        />
      )}
    </>
  )
}
