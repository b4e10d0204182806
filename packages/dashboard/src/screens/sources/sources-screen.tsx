import type { Source } from '@aisle/client'
import { Rss } from 'lucide-react'
import type { ReactNode } from 'react'
import { ListPage, MissingPage } from '../../parts/list-page.tsx'
import { useSources } from '../../parts/sources.ts'
import { storePath, useStore } from '../../session/store.ts'
import { useUrlChange, useUrlState } from '../../state/url-state.ts'
import { Badge } from '../../ui/badge.tsx'
import { numberColumn, textColumn, timeColumn } from '../../ui/columns.tsx'
import { Table } from '../../ui/table.tsx'
import { placeOf } from './connection-kinds.ts'
import { SourceForm } from './source-form.tsx'
import { SourcePage } from './source-page.tsx'
import { sourceState, updatesText } from './source-text.ts'
import './sources.css'

const COLUMNS = [
  textColumn<Source>('name', 'Source', ({ name }) => name, {
    width: '26%',
    cell: (source) => (
      <span className="sources-name">
        <bdi className="strong cut">{source.name}</bdi>
        <bdi className="small muted cut">{placeOf(source)}</bdi>
      </span>
    ),
  }),
  textColumn<Source>('state', 'Status', (one) => sourceState(one)[1], {
    isMain: true,
    width: '150px',
    cell: (one) => {
      const [kind, text] = sourceState(one)
      return <Badge kind={kind}>{text}</Badge>
    },
  }),
  numberColumn<Source>('documents', 'Products', ({ documents }) => documents),
  timeColumn<Source>('last', 'Last run', ({ last_run: last }) => last?.ended_at),
  textColumn<Source>('schedule', 'Updates', updatesText),
]

/** `?source=NAME` opens a source, `&edit=true` its form, `?new=true` starts one. */
export function SourcesScreen(): ReactNode {
  const { storeId } = useStore()
  const query = useSources()
  const change = useUrlChange()
  const [name] = useUrlState('source')
  const [isNew] = useUrlState('new')
  const [isEditing] = useUrlState('edit')
  const saved = query.data?.find((one) => one.name === name)
  if (isNew !== '') return <SourceForm saved={undefined} />
  if (saved !== undefined) {
    return isEditing === '' ? (
      <SourcePage key={name} source={saved} />
    ) : (
      <SourceForm key={name} saved={saved} />
    )
  }
  if (name !== '') {
    return (
      <MissingPage
        title={name}
        list={{ label: 'Sources', to: storePath(storeId, 'sources') }}
        query={query}
        kind="source"
      />
    )
  }
  return (
    <ListPage
      title="Sources"
      about="Feeds and databases that the service reads, so that the store is as fresh as your shop."
      icon={Rss}
      query={query}
      makeLabel="Connect source"
      onMake={() => change({ new: 'true' })}
      empty={{
        title: 'No sources yet',
        why: 'Connect the product feed that your shop publishes for Google or Meta, or any file at a URL. Only what has changed is written.',
      }}
    >
      <Table
        label="Sources"
        name="sources"
        rows={query.data}
        columns={COLUMNS}
        rowId={({ name: id }) => id}
        onOpen={({ name: source }) => change({ source })}
      />
    </ListPage>
  )
}
