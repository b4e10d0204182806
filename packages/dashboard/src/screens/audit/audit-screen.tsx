import type { AuditEntry, AuditQuery } from '@aisle/client'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { ScrollText } from 'lucide-react'
import { useMemo, type ReactNode } from 'react'
import { useApi } from '../../api/api.ts'
import { formatExactTime } from '../../format/time.ts'
import { Time } from '../../ui/time.tsx'
import { useStores } from '../../session/store.ts'
import { useDateRange } from '../../state/date-range.ts'
import { useUrlChange, useUrlState } from '../../state/url-state.ts'
import { Badge, Chip } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/choice.tsx'
import { DateRangeField } from '../../ui/date-range.tsx'
import { EmptyState, ErrorState } from '../../ui/states.tsx'
import { Page } from '../../ui/page.tsx'
import { SidePanel, stepsOf } from '../../ui/side-panel.tsx'
import type { Column } from '../../ui/table-model.ts'
import { Table } from '../../ui/table.tsx'
import { actionText, auditLines, RESULT_LABELS } from './audit-lines.ts'
import { EntryFacts } from './entry-facts.tsx'
import { textColumn } from '../../ui/columns.tsx'
import './audit.css'

const PAGE_ENTRIES = 100
const RESULTS = [
  { value: 'any', label: 'Any outcome' },
  { value: 'done', label: RESULT_LABELS.done },
  { value: 'refused', label: RESULT_LABELS.refused },
  { value: 'failed', label: RESULT_LABELS.failed },
] as const
const RESULT_BADGES = { done: 'good', refused: 'warn', failed: 'bad' } as const

/** Who did what, the newest first; filters are in the address. */
export function AuditScreen(): ReactNode {
  const api = useApi()
  const range = useDateRange('30d')
  const change = useUrlChange()
  const [open, setOpen] = useUrlState('open')
  const filters = useAuditFilters()
  const { login, storeId, action, result } = filters
  const query: AuditQuery = {
    from: range.from,
    to: range.toExclusive,
    limit: PAGE_ENTRIES,
    ...(login === '' ? {} : { login }),
    ...(storeId === '' ? {} : { store_id: storeId }),
    ...(action === '' ? {} : { action }),
    ...(result === 'any' ? {} : { result }),
  }
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetchingNextPage } = useInfiniteQuery(
    {
      queryKey: ['audit', query],
      initialPageParam: undefined as number | undefined,
      queryFn: ({ pageParam: before }) =>
        api.audit(before === undefined ? query : { ...query, before }),
      getNextPageParam: ({ next_before: before }) => before,
    },
  )
  const entries = useMemo(
    () => data && auditLines(data.pages.flatMap((page) => page.entries)),
    [data],
  )
  if (error !== null && data === undefined) {
    return <ErrorState error={error} onRetry={() => void refetch()} />
  }
  const at = entries?.findIndex(({ id }) => String(id) === open) ?? -1
  const opened = entries?.[at]
  return (
    <Page title="Audit" about="Who changed what, when, and from where.">
      <DateRangeField range={range} hasComparison={false} />
      <Table<AuditEntry>
        label="Audit log"
        name="audit"
        rows={entries}
        columns={COLUMNS}
        rowId={({ id }) => String(id)}
        onOpen={({ id }) => setOpen(String(id))}
        openRowId={open}
        tools={<AuditTools {...filters} />}
        empty={
          <EmptyState
            icon={ScrollText}
            title="No matching entries in this period"
            action={
              <Button
                onPress={() =>
                  change({
                    login: undefined,
                    store: undefined,
                    action: undefined,
                    result: undefined,
                  })
                }
              >
                Clear filters
              </Button>
            }
          >
            Changes and logins are recorded here.
          </EmptyState>
        }
      />
      {hasNextPage && (
        <div className="row row-center">
          <Button isPending={isFetchingNextPage} onPress={() => void fetchNextPage()}>
            Show older entries
          </Button>
        </div>
      )}
      {opened !== undefined && (
        <SidePanel
          title={actionText(opened.action)}
          onClose={() => setOpen('')}
          {...stepsOf(entries, at, ({ id }) => setOpen(String(id)))}
        >
          <EntryFacts entry={opened} />
        </SidePanel>
      )}
    </Page>
  )
}

interface AuditFilters {
  readonly login: string
  readonly storeId: string
  readonly action: string
  readonly result: (typeof RESULTS)[number]['value']
}

function useAuditFilters(): AuditFilters {
  const [login] = useUrlState('login')
  const [storeId] = useUrlState('store')
  const [action] = useUrlState('action')
  const [result] = useUrlState('result', 'any')
  const known = RESULTS.find(({ value }) => value === result)
  return { login, storeId, action, result: known?.value ?? 'any' }
}

function AuditTools({ login, storeId, action, result }: AuditFilters): ReactNode {
  const api = useApi()
  const change = useUrlChange()
  const { data: stores = [] } = useStores()
  const { data: users = [] } = useQuery({
    queryKey: ['users'],
    queryFn: async () => (await api.users()).users,
  })
  return (
    <div className="audit-tools row">
      <Select
        label="Person"
        isLabelHidden
        options={[
          { value: '', label: 'Anyone' },
          ...users.map((user) => ({ value: user.login, label: user.login })),
        ]}
        value={login}
        onChange={(next) => change({ login: next })}
      />
      <Select
        label="Store"
        isLabelHidden
        options={[
          { value: '', label: 'All stores' },
          ...stores.map(({ store_id: id, name }) => ({ value: id, label: name })),
        ]}
        value={storeId}
        onChange={(next) => change({ store: next })}
      />
      <Select
        label="Outcome"
        isLabelHidden
        options={RESULTS}
        value={result}
        onChange={(next) => change({ result: next === 'any' ? undefined : next })}
      />
      {action !== '' && (
        <Chip onRemove={() => change({ action: undefined })} removeLabel="Any action">
          {actionText(action)}
        </Chip>
      )}
    </div>
  )
}

const COLUMNS: readonly Column<AuditEntry>[] = [
  textColumn('action', 'Action', ({ action }) => actionText(action), {
    cell: ({ action, count }) => (
      <span className="row">
        <span className="strong">{actionText(action)}</span>
        {count !== undefined && <Badge>{count} times</Badge>}
      </span>
    ),
  }),
  textColumn('target', 'What', ({ target }) => target),
  textColumn('who', 'Who', whoText, { isMain: true }),
  textColumn('store', 'Store', ({ store_id: id }) => id, {
    cell: ({ store_id: id }) => (id === undefined ? '' : <code>{id}</code>),
  }),
  textColumn('result', 'Outcome', ({ result }) => result, {
    cell: ({ result }) => <Badge kind={RESULT_BADGES[result]}>{RESULT_LABELS[result]}</Badge>,
  }),
  textColumn('address', 'From', ({ address }) => address, {
    cell: ({ address }) => <code>{address}</code>,
    isHidden: true,
  }),
  textColumn('at', 'When', ({ at }) => formatExactTime(Date.parse(at)), {
    cell: ({ at }) => <Time at={at} />,
  }),
]

function whoText({ actor, login }: AuditEntry): string {
  if (login !== undefined) return login
  return {
    admin_token: 'Admin token',
    user: 'A user',
    store_key: 'Store key',
    nobody: 'Nobody',
  }[actor]
}
