import type { StoreSummary } from '@aisle/client'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { formatBytes } from '../../format/numbers.ts'
import { storePath } from '../../session/store.ts'
import type { Column } from '../../ui/table-model.ts'
import { Section } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'
import { numberColumn, timeColumn, textColumn } from '../../ui/columns.tsx'

const COLUMNS: readonly Column<StoreSummary>[] = [
  textColumn('name', 'Store', ({ name }) => name, {
    cell: ({ name, store_id }) => (
      <Link href={storePath(store_id)}>
        <bdi>{name}</bdi>
      </Link>
    ),
  }),
  numberColumn('documents', 'Products', ({ documents }) => documents, { isMain: true }),
  numberColumn('index', 'Index in memory', (row) => row.index_bytes, { format: formatBytes }),
  numberColumn('disk', 'On disk', (row) => row.disk_bytes, { format: formatBytes }),
  numberColumn('segments', 'Segments', ({ segments }) => segments, { isHidden: true }),
  timeColumn('written', 'Last write', (row) => row.last_write_at),
]

/** The size of each store. */
export function StoreSizes({ stores }: { readonly stores: readonly StoreSummary[] }): ReactNode {
  return (
    <Section title="Stores" isPlain>
      <Table
        label="Store sizes"
        name="store-sizes"
        rows={stores}
        columns={COLUMNS}
        rowId={({ store_id }) => store_id}
      />
    </Section>
  )
}
