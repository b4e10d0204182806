import type { StoreSummary } from '@aisle/client'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { formatBytes, formatNumber } from '../../format/numbers.ts'
import { Time } from '../../ui/time.tsx'
import { storePath } from '../../session/store.ts'
import type { Column } from '../../ui/table-model.ts'
import { Section } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'

const COLUMNS: readonly Column<StoreSummary>[] = [
  {
    id: 'name',
    header: 'Store',
    value: ({ name }) => name,
    cell: ({ name, store_id }) => (
      <Link href={storePath(store_id)}>
        <bdi>{name}</bdi>
      </Link>
    ),
  },
  {
    id: 'documents',
    header: 'Products',
    isNumber: true,
    isMain: true,
    value: ({ documents }) => documents,
    cell: ({ documents }) => formatNumber(documents),
  },
  {
    id: 'index',
    header: 'Index in memory',
    isNumber: true,
    value: ({ index_bytes }) => index_bytes,
    cell: ({ index_bytes }) => formatBytes(index_bytes),
  },
  {
    id: 'disk',
    header: 'On disk',
    isNumber: true,
    value: ({ disk_bytes }) => disk_bytes,
    cell: ({ disk_bytes }) => formatBytes(disk_bytes),
  },
  {
    id: 'segments',
    header: 'Segments',
    isNumber: true,
    isHidden: true,
    value: ({ segments }) => segments,
    cell: ({ segments }) => formatNumber(segments),
  },
  {
    id: 'written',
    header: 'Last write',
    value: ({ last_write_at }) => last_write_at,
    cell: ({ last_write_at }) =>
      last_write_at === undefined ? <span className="muted">–</span> : <Time at={last_write_at} />,
  },
]

/** The size of each store. */
export function StoreSizes({ stores }: { readonly stores: readonly StoreSummary[] }): ReactNode {
  return (
    <Section title="Stores" isPlain>
      <Table
        label="Sizes of stores"
        name="store-sizes"
        rows={stores}
        columns={COLUMNS}
        rowId={({ store_id }) => store_id}
      />
    </Section>
  )
}
