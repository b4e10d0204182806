import { Layers } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatNumber } from '../../format/numbers.ts'
import { usesText } from '../../parts/collection-uses.ts'
import { ListPage, MissingPage } from '../../parts/list-page.tsx'
import { storePath, useStore } from '../../session/store.ts'
import { useUrlChange, useUrlState } from '../../state/url-state.ts'
import { Badge } from '../../ui/badge.tsx'
import { numberColumn, textColumn } from '../../ui/columns.tsx'
import { EmptyState } from '../../ui/states.tsx'
import type { Column } from '../../ui/table-model.ts'
import { Table } from '../../ui/table.tsx'
import { SearchField } from '../../ui/text-field.tsx'
import {
  useCollectionCounts,
  useCollections,
  type Collections,
  type NamedCollection,
} from './collection-data.ts'
import { CollectionEditor } from './collection-editor.tsx'
import './collections.css'

/**
 * `?collection=NAME` opens a collection, `?new=true` starts one, with `&filter=…` from the products
 * screen; otherwise the list is shown.
 */
export function CollectionsScreen(): ReactNode {
  const { storeId } = useStore()
  const collections = useCollections()
  const [name] = useUrlState('collection')
  const [isNew] = useUrlState('new')
  const { query } = collections
  if (name === '' && isNew === '') return <CollectionsList collections={collections} />
  const saved = query.data?.find((one) => one.name === name)
  if (query.data !== undefined && (isNew !== '' || saved !== undefined)) {
    return <CollectionEditor key={name} saved={saved} collections={collections} all={query.data} />
  }
  return (
    <MissingPage
      title={name === '' ? 'New collection' : name}
      list={{ label: 'Collections', to: storePath(storeId, 'collections') }}
      query={query}
      kind="collection"
    />
  )
}

function CollectionsList({
  collections: { query, uses },
}: {
  readonly collections: Collections
}): ReactNode {
  const change = useUrlChange()
  const [text, setText] = useUrlState('find', '', { isTyped: true })
  const counts = useCollectionCounts(query.data?.map(({ name }) => name)).data
  const rows = query.data
  const needle = text.trim().toLowerCase()
  const shown = rows?.filter(({ name, value }) =>
    `${name} ${value.title ?? ''} ${value.filter_by}`.toLowerCase().includes(needle),
  )
  const usesOf = ({ name }: NamedCollection) => uses.get(name) ?? []
  const columns: readonly Column<NamedCollection>[] = [
    textColumn('name', 'Collection', ({ name, value }) => value.title ?? name, {
      width: '24%',
      cell: ({ name, value }) => (
        <span className="collections-name">
          <span className="strong cut">
            <bdi>{value.title ?? name}</bdi>
          </span>
          {value.title !== undefined && (
            <span className="small muted cut">
              <bdi>{name}</bdi>
            </span>
          )}
        </span>
      ),
    }),
    textColumn('filter', 'Products with', ({ value }) => value.filter_by, {
      isMain: true,
      cell: ({ value }) => <code className="cut">{value.filter_by}</code>,
    }),
    numberColumn(
      'count',
      'Products',
      ({ name }) => {
        const count = counts?.get(name)
        return typeof count === 'number' ? count : -1
      },
      {
        width: '130px',
        cell: ({ name }) => {
          const count = counts?.get(name)
          if (count === undefined) return ''
          return typeof count === 'number' ? formatNumber(count) : <Badge kind="bad">Broken</Badge>
        },
      },
    ),
    textColumn('uses', 'Used by', (row) => usesText(usesOf(row)), {
      width: '24%',
      cell: (row) => <span className="cut">{usesText(usesOf(row)) || '—'}</span>,
    }),
  ]
  return (
    <ListPage
      title="Collections"
      about="Filters with a name. Searches, rules and presets refer to them; a change applies everywhere."
      icon={Layers}
      query={query}
      makeLabel="Create collection"
      onMake={() => change({ new: 'true' })}
      empty={{
        title: 'No collections yet',
        why: 'A collection is a filter with a name, such as “Summer sale”: pages show it, rules boost or hide it, and you change its products in one place.',
      }}
    >
      <Table
        label="Collections"
        name="collections"
        rows={shown}
        columns={columns}
        rowId={({ name }) => name}
        onOpen={({ name }) => change({ collection: name })}
        total={rows?.length ?? 0}
        tools={<SearchField label="Find collections" value={text} onChange={setText} />}
        empty={
          <EmptyState icon={Layers} title="No collection matches">
            Try other words.
          </EmptyState>
        }
      />
    </ListPage>
  )
}
