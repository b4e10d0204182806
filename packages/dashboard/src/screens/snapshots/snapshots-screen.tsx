import type { Snapshot } from '@aisle/client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Archive, Camera } from 'lucide-react'
import type { ReactNode } from 'react'
import { useApi } from '../../api/api.ts'
import { formatBytes, formatCount } from '../../format/numbers.ts'
import { useUrlState } from '../../state/url-state.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState, ErrorNote, ErrorState, Note } from '../../ui/states.tsx'
import { Page } from '../../ui/page.tsx'
import type { Column } from '../../ui/table-model.ts'
import { Table } from '../../ui/table.tsx'
import { toast } from '../../state/toasts.ts'
import { Restores } from './restores.tsx'
import { SnapshotPanel } from './snapshot-panel.tsx'
import { numberColumn, textColumn, timeColumn } from '../../ui/columns.tsx'
import { stepsOf } from '../../ui/side-panel.tsx'

const COLUMNS: readonly Column<Snapshot>[] = [
  timeColumn('created', 'Created', (row) => row.created_at),
  textColumn('name', 'Name', ({ name }) => name, {
    isHidden: true,
    cell: ({ name }) => <code>{name}</code>,
  }),
  numberColumn('stores', 'Stores', ({ stores }) => stores),
  numberColumn('documents', 'Products', ({ documents }) => documents),
  numberColumn('bytes', 'Size', ({ bytes }) => bytes, { format: formatBytes, isMain: true }),
  numberColumn('events', 'Events', (row) => row.event_bytes, { format: formatBytes }),
  textColumn('version', 'Version', ({ version }) => version),
]

/** Copies of everything: made, checked, deleted; and how to go back to one. */
export function SnapshotsScreen(): ReactNode {
  const api = useApi()
  const client = useQueryClient()
  const [open, setOpen] = useUrlState('snapshot')
  const query = useQuery({
    queryKey: ['snapshots'],
    queryFn: async () =>
      (await api.snapshots()).snapshots.toSorted((a, b) => (a.created_at < b.created_at ? 1 : -1)),
  })
  const refresh = (): Promise<void> => client.invalidateQueries({ queryKey: ['snapshots'] })
  const making = useMutation({
    mutationFn: () => api.createSnapshot(),
    onSuccess: async (made) => {
      await refresh()
      toast(`Snapshot of ${formatCount(made.documents, 'product')} created and verified`)
    },
  })
  const rows = query.data
  const at = rows?.findIndex(({ name }) => name === open) ?? -1
  const makeButton = (
    <Button
      variant="primary"
      icon={Camera}
      isPending={making.isPending}
      onPress={() => making.mutate()}
    >
      Create snapshot
    </Button>
  )

  return (
    <Page
      title="Snapshots"
      about="Consistent copies of everything: products, rules, keys, users, events."
      actions={rows?.length !== 0 && makeButton}
    >
      {making.isPending && <Note>Copying and verifying all data. The service keeps running.</Note>}
      {making.isError && <ErrorNote error={making.error} />}
      {query.isError ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : rows?.length === 0 ? (
        <EmptyState icon={Archive} title="No snapshots yet" action={makeButton}>
          Each snapshot is verified when created. Create one before a large change, and every night
          with <code>aisle snapshot create</code>.
        </EmptyState>
      ) : (
        <Table
          label="Snapshots"
          name="snapshots"
          rows={rows}
          columns={COLUMNS}
          rowId={({ name }) => name}
          onOpen={({ name }) => setOpen(name)}
          openRowId={open}
        />
      )}
      <Restores />
      {rows?.[at] !== undefined && (
        <SnapshotPanel
          key={open}
          snapshot={rows[at]}
          onClose={() => setOpen('')}
          {...stepsOf(rows, at, ({ name }) => setOpen(name))}
          onDeleted={() => {
            setOpen('')
            void refresh()
          }}
        />
      )}
    </Page>
  )
}
