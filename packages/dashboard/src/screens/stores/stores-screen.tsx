import { Compass, Plus, ArrowLeftRight, Copy, Pencil, Store, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { ROLE_HINTS, useMay } from '../../session/session.ts'
import { storePath, useStores } from '../../session/store.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Section, Page } from '../../ui/page.tsx'
import type { StoreSummary } from '@aisle/client'
import { useQueries, useQueryClient } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { useApi } from '../../api/api.ts'
import { formatBytes } from '../../format/numbers.ts'
import { addDays, dayOf } from '../../state/date-range.ts'
import { useNow } from '../../state/clock.ts'
import { useUrlChange, useUrlState } from '../../state/url-state.ts'
import { EmptyState, ErrorState } from '../../ui/states.tsx'
import { ActionMenu } from '../../ui/menu.tsx'
import type { Column } from '../../ui/table-model.ts'
import { Table } from '../../ui/table.tsx'
import { SearchField } from '../../ui/text-field.tsx'
import {
  CloneStoreDialog,
  CreateStoreDialog,
  DeleteStoreDialog,
  RenameStoreDialog,
} from './store-dialogs.tsx'
import { SwapStoresDialog } from './swap-stores-dialog.tsx'
import { numberColumn, timeColumn, textColumn } from '../../ui/columns.tsx'
import './stores.css'

const DEMO_STORE_ID = 'demo'
/** With more stores than this, figures are only on their own pages. */
const FIGURES_MAX = 40
const REPORTS_AT_ONCE = 3

type Row = StoreSummary & { readonly searches: number | undefined }

export function StoresScreen(): ReactNode {
  const { data: stores, error, refetch } = useStores()
  const isOwner = useMay('owner')
  const [filter, setFilter] = useUrlState('find', '', { isTyped: true })
  const [asked] = useUrlState('new')
  const [renamed] = useUrlState('rename')
  const [cloned] = useUrlState('clone')
  const [swapped] = useUrlState('swap')
  const [deleted] = useUrlState('delete')
  const change = useUrlChange()
  const [, navigate] = useLocation()
  const searches = useDailySearches(stores ?? [])
  if (error !== null && stores === undefined) {
    return <ErrorState error={error} onRetry={() => void refetch()} />
  }
  const rows = stores
    ?.filter(({ name, store_id: id }) => isLike(name, filter) || isLike(id, filter))
    .map((store) => ({ ...store, searches: searches.get(store.store_id) }))
  const closeDialogs = (): void =>
    change({
      new: undefined,
      rename: undefined,
      clone: undefined,
      swap: undefined,
      delete: undefined,
    })
  const storeOf = (id: string): StoreSummary | undefined =>
    stores?.find(({ store_id: one }) => one === id)
  const isFirst = stores !== undefined && stores.every(({ store_id: id }) => id === DEMO_STORE_ID)

  return (
    <Page
      title="Stores"
      about="One store per shop, each with its own products, rules, keys and reports."
      actions={
        isOwner && !isFirst ? (
          <Button variant="primary" icon={Plus} onPress={() => change({ new: 'store' })}>
            Create store
          </Button>
        ) : undefined
      }
    >
      {isFirst && (
        <FirstSteps hasDemo={stores.length > 0} onCreate={() => change({ new: 'store' })} />
      )}
      <Table<Row>
        label="Stores"
        name="stores"
        rows={rows}
        columns={columnsFor({ isOwner, change })}
        rowId={({ store_id: id }) => id}
        onOpen={({ store_id: id }) => navigate(storePath(id))}
        tools={<SearchField label="Find a store" value={filter} onChange={setFilter} />}
        {...(stores === undefined ? {} : { total: stores.length })}
        empty={
          filter === '' ? (
            <EmptyState icon={Store} title="No store yet">
              A store holds the products, rules and settings of one shop.
            </EmptyState>
          ) : (
            <EmptyState
              icon={Store}
              title={`No store matches “${filter}”`}
              action={<Button onPress={() => setFilter('')}>Show all stores</Button>}
            />
          )
        }
      />
      {asked !== '' && <CreateStoreDialog onClose={closeDialogs} />}
      {storeOf(renamed) !== undefined && (
        <RenameStoreDialog store={storeOf(renamed)!} onClose={closeDialogs} />
      )}
      {storeOf(cloned) !== undefined && (
        <CloneStoreDialog store={storeOf(cloned)!} onClose={closeDialogs} />
      )}
      {storeOf(swapped) !== undefined && (
        <SwapStoresDialog store={storeOf(swapped)!} stores={stores!} onClose={closeDialogs} />
      )}
      <DeleteStoreDialog store={storeOf(deleted)} onClose={closeDialogs} />
    </Page>
  )
}

function columnsFor({
  isOwner,
  change,
}: {
  readonly isOwner: boolean
  readonly change: (changes: Readonly<Record<string, string | undefined>>) => void
}): Column<Row>[] {
  return [
    textColumn('name', 'Name', ({ name }) => name, {
      cell: ({ name }) => <span className="strong">{name}</span>,
    }),
    textColumn('id', 'Store id', ({ store_id: id }) => id, {
      cell: ({ store_id: id }) => <code>{id}</code>,
    }),
    numberColumn('products', 'Products', ({ documents }) => documents, { isMain: true }),
    numberColumn('searches', 'Searches', ({ searches }) => searches, { unit: 'today' }),
    numberColumn('disk', 'On disk', (row) => row.disk_bytes, { format: formatBytes }),
    numberColumn('memory', 'Index in memory', (row) => row.index_bytes, {
      format: formatBytes,
      isHidden: true,
    }),
    timeColumn('changed', 'Last change', (row) => row.last_write_at),
    timeColumn('created', 'Created', (row) => row.created_at, { isHidden: true }),
    {
      id: 'actions',
      header: '',
      width: '92px',
      cell: ({ store_id: id, name }) => (
        <div className="stores-actions">
          <LinkButton to={storePath(id)} size="small" variant="ghost">
            Open
          </LinkButton>
          {isOwner && (
            <ActionMenu
              label={`More for ${name}`}
              actions={[
                {
                  label: 'Rename',
                  icon: Pencil,
                  onAction: () => change({ rename: id }),
                },
                { label: 'Clone', icon: Copy, onAction: () => change({ clone: id }) },
                {
                  label: 'Swap',
                  icon: ArrowLeftRight,
                  onAction: () => change({ swap: id }),
                },
                {
                  label: 'Delete',
                  icon: Trash2,
                  isDangerous: true,
                  onAction: () => change({ delete: id }),
                },
              ]}
            />
          )}
        </div>
      ),
    },
  ]
}

/** Searches of today (UTC) by store, as they come in. */
function useDailySearches(stores: readonly StoreSummary[]): ReadonlyMap<string, number> {
  const api = useApi()
  const today = dayOf(useNow())
  const client = useQueryClient()
  const asked = stores.length > FIGURES_MAX ? [] : stores
  const keyOf = (id: string): readonly string[] => ['report', id, 'overview', today]
  // Reports of all stores wait for one thread: what waits there too long is refused.
  const answered = asked.filter(({ store_id: id }) => {
    const state = client.getQueryState(keyOf(id))
    return state !== undefined && state.status !== 'pending'
  }).length
  const answers = useQueries({
    queries: asked.map(({ store_id: id }, i) => ({
      queryKey: keyOf(id),
      enabled: i < answered + REPORTS_AT_ONCE,
      queryFn: () => api.store(id).report('overview', { from: today, to: addDays(today, 1) }),
      staleTime: 60_000,
    })),
  })
  return new Map(
    asked.flatMap(({ store_id: id }, i) => {
      const searches = answers[i]?.data?.totals.searches
      return searches === undefined ? [] : [[id, searches] as const]
    }),
  )
}

function isLike(text: string, typed: string): boolean {
  return text.toLocaleLowerCase().includes(typed.trim().toLocaleLowerCase())
}

/** What to do first, while there is only the demo shop. */
export function FirstSteps({
  hasDemo,
  onCreate,
}: {
  readonly hasDemo: boolean
  readonly onCreate: () => void
}): ReactNode {
  const isOwner = useMay('owner')
  return (
    <div className="first-steps">
      <Section title="Create a store for your shop">
        <p className="muted">
          Name it, import products from a CSV or JSON file, and search them. A guide takes you
          through it, with code samples that contain your keys.
        </p>
        {isOwner ? (
          <Button variant="primary" icon={Plus} onPress={onCreate}>
            Create store
          </Button>
        ) : (
          <p className="small muted">{ROLE_HINTS.owner}.</p>
        )}
      </Section>
      {hasDemo && (
        <Section title="Or explore the demo shop">
          <p className="muted">
            2,000 products for camping, home and kitchen. Try searches, rules and reports: nothing
            can break.
          </p>
          <div className="row">
            <LinkButton to={storePath('demo', 'preview')} icon={Compass}>
              Search the demo shop
            </LinkButton>
          </div>
        </Section>
      )}
    </div>
  )
}
