import type { Experiment } from '@aisle/contract'
import { FlaskConical } from 'lucide-react'
import type { ReactNode } from 'react'
import { useSettings } from '../../parts/store-queries.ts'
import { storePath, useStore } from '../../session/store.ts'
import { useUrlChange, useUrlState } from '../../state/url-state.ts'
import { Badge } from '../../ui/badge.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { textColumn, timeColumn } from '../../ui/columns.tsx'
import { Page } from '../../ui/page.tsx'
import { stepsOf } from '../../ui/side-panel.tsx'
import { EmptyState, ErrorState, Note } from '../../ui/states.tsx'
import { Table } from '../../ui/table.tsx'
import { useExperiments } from './experiment-data.ts'
import { ExperimentPanel } from './experiment-panel.tsx'
import { GOAL_TEXTS, KIND_TEXTS, STATE_TEXTS } from './experiment-text.ts'
import './experiments.css'

const BADGES = { running: 'accent', ended: 'plain', published: 'good' } as const

const COLUMNS = [
  textColumn<Experiment>('name', 'Name', ({ name }) => name, {
    width: '34%',
    cell: ({ name }) => <bdi className="strong">{name}</bdi>,
  }),
  textColumn<Experiment>('state', 'Status', ({ state }) => STATE_TEXTS[state], {
    isMain: true,
    width: '120px',
    cell: ({ state }) => <Badge kind={BADGES[state]}>{STATE_TEXTS[state]}</Badge>,
  }),
  textColumn<Experiment>('kind', 'Kind', ({ kind }) => KIND_TEXTS[kind]),
  textColumn<Experiment>('goal', 'Decided by', ({ goal }) => GOAL_TEXTS[goal]),
  textColumn<Experiment>('only', 'Only', ({ tags, category }) =>
    [...(category === undefined ? [] : [category.value]), ...tags].join(', '),
  ),
  timeColumn<Experiment>('started', 'Started', (one) => one.started_at),
  timeColumn<Experiment>('ends', 'Ends', (one) => one.ends_at),
]

/** The experiments of a store: what runs, and what earlier ones showed. */
export function ExperimentsScreen(): ReactNode {
  const { storeId } = useStore()
  const { data: rows, error, refetch } = useExperiments()
  const warnings = useSettings().data?.warnings ?? []
  const [openId] = useUrlState('experiment')
  const change = useUrlChange()
  const open = (experiment: string): void => change({ experiment })
  const at = rows?.findIndex(({ id }) => id === openId) ?? -1
  const opened = rows?.[at]
  const workbench = (
    <LinkButton to={storePath(storeId, 'relevance')} icon={FlaskConical}>
      Draft a change
    </LinkButton>
  )
  return (
    <Page
      title="Experiments"
      about="Drafts shown to visitors beside what is live. Their clicks and orders decide."
      actions={workbench}
    >
      {warnings.map((warning) => (
        <Note key={warning} kind="warn">
          {warning}.
        </Note>
      ))}
      {error !== null ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <Table
          label="Experiments"
          name="experiments"
          rows={rows}
          columns={COLUMNS}
          rowId={({ id }) => id}
          onOpen={({ id }) => open(id)}
          openRowId={openId}
          empty={
            <EmptyState icon={FlaskConical} title="No experiments yet" action={workbench}>
              Change the draft in the relevance workbench, then run it as an experiment.
            </EmptyState>
          }
        />
      )}
      {opened !== undefined && (
        <ExperimentPanel
          key={opened.id}
          experiment={opened}
          onClose={() => open('')}
          {...stepsOf(rows, at, ({ id }) => open(id))}
        />
      )}
    </Page>
  )
}
