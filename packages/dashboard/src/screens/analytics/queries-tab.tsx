import { SearchX } from 'lucide-react'
import type { ReactNode } from 'react'
import { useMay } from '../../session/session.ts'
import { useUrlState } from '../../state/url-state.ts'
import { Segmented } from '../../ui/choice.tsx'
import { EmptyState, ErrorState } from '../../ui/states.tsx'
import { Table } from '../../ui/table.tsx'
import { BARE_QUERY_COLUMNS, before, QUERY_COLUMNS, withEarlier } from './query-columns.tsx'
import { ROWS_MAX, useReport } from './report-data.ts'

const KINDS = [
  { value: 'top-queries', label: 'Most searched' },
  { value: 'no-results', label: 'No results' },
  { value: 'no-clicks', label: 'No clicks' },
] as const
type Kind = (typeof KINDS)[number]['value']

const EMPTY: Readonly<Record<Kind, { readonly title: string; readonly text: string }>> = {
  'top-queries': {
    title: 'No searches in this period',
    text: 'Queries appear here with their clicks and orders.',
  },
  'no-results': {
    title: 'Every search had results',
    text: 'Queries with no results appear here. Fix them with a synonym or a rule.',
  },
  'no-clicks': {
    title: 'Every search got a click, or your shop sends no click events',
    text: 'Queries whose results got no clicks appear here.',
  },
}

/** Queries: the most frequent, those without results, and those without clicks. */
export function QueriesTab(): ReactNode {
  const [chosen, choose] = useUrlState('list', KINDS[0].value)
  const kind = KINDS.find(({ value }) => value === chosen)?.value ?? KINDS[0].value
  const tools = <Segmented label="Which queries" options={KINDS} value={kind} onChange={choose} />
  // Another list is another table; its rows are different.
  return kind === 'top-queries' ? (
    <TopQueries tools={tools} />
  ) : (
    <BareQueries key={kind} kind={kind} tools={tools} />
  )
}

function TopQueries({ tools }: { readonly tools: ReactNode }): ReactNode {
  const { data, error, refetch } = useReport('top-queries', { limit: ROWS_MAX })
  const [open, setOpen] = useUrlState('query')
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />
  const earlier = data?.comparison
  return (
    <Table
      label="Top queries"
      name="analytics-top-queries"
      rows={data === undefined ? undefined : withEarlier(data.rows, earlier?.rows)}
      columns={before(QUERY_COLUMNS, earlier !== undefined)}
      rowId={({ query }) => query}
      onOpen={({ query }) => setOpen(query)}
      openRowId={open}
      {...(data === undefined ? {} : { total: data.totals.queries })}
      tools={tools}
      empty={<Nothing kind="top-queries" />}
    />
  )
}

function BareQueries({
  kind,
  tools,
}: {
  readonly kind: Exclude<Kind, 'top-queries'>
  readonly tools: ReactNode
}): ReactNode {
  const mayEdit = useMay('editor')
  const { data, error, refetch } = useReport(kind, { limit: ROWS_MAX })
  const [open, setOpen] = useUrlState('query')
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />
  const earlier = data?.comparison
  return (
    <Table
      label={kind === 'no-results' ? 'Queries with no results' : 'Queries with no clicks'}
      name={`analytics-${kind}`}
      rows={data === undefined ? undefined : withEarlier(data.rows, earlier?.rows)}
      columns={before(BARE_QUERY_COLUMNS, earlier !== undefined).filter(
        ({ id }) => mayEdit || id !== 'do',
      )}
      rowId={({ query }) => query}
      onOpen={({ query }) => setOpen(query)}
      openRowId={open}
      {...(data === undefined ? {} : { total: data.totals.queries })}
      tools={tools}
      empty={<Nothing kind={kind} />}
    />
  )
}

function Nothing({ kind }: { readonly kind: Kind }): ReactNode {
  const { title, text } = EMPTY[kind]
  return (
    <EmptyState icon={SearchX} title={title}>
      {text}
    </EmptyState>
  )
}
