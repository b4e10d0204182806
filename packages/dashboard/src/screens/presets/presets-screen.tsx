import { SlidersHorizontal } from 'lucide-react'
import type { ReactNode } from 'react'
import { storePath, useStore } from '../../session/store.ts'
import { useUrlChange, useUrlState } from '../../state/url-state.ts'
import { EmptyState } from '../../ui/states.tsx'
import { ListPage, MissingPage } from '../../parts/list-page.tsx'
import { UsagePeriod, usageColumns, useUsage } from '../../parts/usage.tsx'
import type { Column } from '../../ui/table-model.ts'
import { Table } from '../../ui/table.tsx'
import { SearchField } from '../../ui/text-field.tsx'
import { PresetEditor } from './preset-editor.tsx'
import { changesFromDefaults, usePresets, type NamedPreset, type Presets } from './preset-values.ts'
import { numberColumn, textColumn } from '../../ui/columns.tsx'
import './presets.css'

/** `?preset=NAME` opens a preset, `?new=true` starts a new one; otherwise the list is shown. */
export function PresetsScreen(): ReactNode {
  const { storeId } = useStore()
  const presets = usePresets()
  const [name] = useUrlState('preset')
  const [isNew] = useUrlState('new')
  const { query } = presets
  if (name === '' && isNew === '') return <PresetsList presets={presets} />
  const saved = query.data?.find((preset) => preset.name === name)
  if (query.data !== undefined && (isNew !== '' || saved !== undefined)) {
    return <PresetEditor key={name} saved={saved} presets={presets} all={query.data} />
  }
  return (
    <MissingPage
      title={name === '' ? 'New preset' : name}
      list={{ label: 'Presets', to: storePath(storeId, 'presets') }}
      query={query}
      kind="preset"
    />
  )
}

const COLUMNS: readonly Column<NamedPreset>[] = [
  textColumn('name', 'Preset', ({ name }) => name, {
    width: '24%',
    cell: ({ name }) => <span className="strong">{name}</span>,
  }),
  textColumn('says', 'What it changes', ({ value }) => changesText(value), {
    isMain: true,
    cell: ({ value }) => <span className="presets-says">{changesText(value) || 'nothing'}</span>,
  }),
  numberColumn('count', 'Parameters', ({ value }) => Object.keys(value).length, { width: '120px' }),
]

function PresetsList({ presets: { query } }: { readonly presets: Presets }): ReactNode {
  const change = useUrlChange()
  const usage = useUsage('presets')
  const [text, setText] = useUrlState('find', '', { isTyped: true })
  const rows = query.data
  const needle = text.trim().toLowerCase()
  const shown = rows?.filter(({ name, value }) =>
    `${name} ${changesText(value)}`.toLowerCase().includes(needle),
  )
  return (
    <ListPage
      title="Presets"
      about="Named search parameters. Your shop's pages name a preset; you change it here."
      icon={SlidersHorizontal}
      query={query}
      makeLabel="Create preset"
      onMake={() => change({ new: 'true' })}
      empty={{
        title: 'No presets yet',
        why: "A preset lets you change a page's weights, facets and typo tolerance without deploying your shop.",
      }}
    >
      <Table
        label="Presets"
        name="presets"
        rows={shown}
        columns={[
          ...COLUMNS,
          ...usageColumns<NamedPreset>(
            usage,
            'Searches',
            ({ name }) => name,
            () => true,
          ),
        ]}
        rowId={({ name }) => name}
        onOpen={({ name }) => change({ preset: name })}
        total={rows?.length ?? 0}
        tools={
          <>
            <SearchField label="Find presets" value={text} onChange={setText} />
            <UsagePeriod usage={usage} />
          </>
        }
        empty={
          <EmptyState icon={SlidersHorizontal} title="No preset matches">
            Try other words.
          </EmptyState>
        }
      />
    </ListPage>
  )
}

function changesText(value: NamedPreset['value']): string {
  return changesFromDefaults(value)
    .map(({ name, after }) => `${name}: ${after ?? ''}`)
    .join(', ')
}
