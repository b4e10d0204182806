import type { RunSourceRequest, Source, SourceRun } from '@aisle/client'
import { useMutation } from '@tanstack/react-query'
import { Eye, Pause, Pencil, Play, RefreshCw, Trash2, X } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { formatNumber } from '../../format/numbers.ts'
import { sourceFault } from '../../parts/sources.ts'
import { ROLE_HINTS, useMay } from '../../session/session.ts'
import { storePath, useRefresh, useStore } from '../../session/store.ts'
import { perform } from '../../state/change.ts'
import { useUrlChange, useUrlState } from '../../state/url-state.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { numberColumn, textColumn, timeColumn } from '../../ui/columns.tsx'
import { ConfirmDialog } from '../../ui/form-dialog.tsx'
import { ActionMenu } from '../../ui/menu.tsx'
import { Page, Section } from '../../ui/page.tsx'
import { ErrorNote, Note } from '../../ui/states.tsx'
import { Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { placeOf } from './connection-kinds.ts'
import { RunPanel } from './run-panel.tsx'
import { useRuns } from './source-data.ts'
import {
  followingText,
  isFollowed,
  runResult,
  runState,
  scheduleText,
  sourceState,
} from './source-text.ts'

const COLUMNS = [
  timeColumn<SourceRun>('began', 'Began', (run) => run.created_at, { width: '150px' }),
  textColumn<SourceRun>('state', 'Status', (run) => runState(run)[1], {
    isMain: true,
    width: '200px',
    cell: (run) => {
      const [kind, text] = runState(run)
      return (
        <span className="row gap-4">
          <Badge kind={kind}>{text}</Badge>
          {run.kind === 'dry_run' && <Badge>Dry run</Badge>}
        </span>
      )
    },
  }),
  textColumn<SourceRun>('result', 'Result', runResult, {
    cell: (run) => <bdi className="cut">{runResult(run)}</bdi>,
  }),
  numberColumn<SourceRun>('rows', 'Rows', ({ rows }) => rows, { width: '110px' }),
]

/** One source: its state, what it does, and its runs. */
export function SourcePage({ source }: { readonly source: Source }): ReactNode {
  const { storeId, calls } = useStore()
  const mayEdit = useMay('editor')
  const change = useUrlChange()
  const refresh = useRefresh()
  const runs = useRuns(source)
  const [openId] = useUrlState('run')
  const [isDeleting, setDeleting] = useState(false)
  const { name, running, paused } = source
  const begin = useMutation({
    mutationFn: (how: RunSourceRequest) =>
      perform({
        write: () => calls.runSource(name, how),
        after: () => refresh('sources'),
        done: () => (how.dry_run === true ? 'Dry run started' : 'Run started'),
      }),
  })
  const pause = useMutation({
    mutationFn: () =>
      perform({
        write: () => (paused ? calls.resumeSource(name) : calls.pauseSource(name)),
        after: () => refresh('sources'),
        done: () => (paused ? 'Source resumed' : 'Source paused'),
      }),
  })
  const cancel = useMutation({
    mutationFn: () =>
      perform({
        write: () => calls.cancelSourceRun(name, running!),
        after: () => refresh('sources'),
        done: () => 'The run ends with its next products',
      }),
  })
  const fault = sourceFault(source)
  const canPause = source.schedule !== undefined || isFollowed(source)
  const error = begin.error ?? pause.error ?? cancel.error
  const [kind, text] = sourceState(source)
  return (
    <Page
      title={name}
      about={<bdi>{placeOf(source)}</bdi>}
      above={[{ label: 'Sources', to: storePath(storeId, 'sources') }]}
      actions={
        <>
          <ActionMenu
            actions={[
              {
                label: 'Edit source',
                icon: Pencil,
                isDisabled: !mayEdit,
                onAction: () => change({ edit: 'true' }),
              },
              {
                label: paused ? 'Resume source' : 'Pause source',
                icon: paused ? Play : Pause,
                isDisabled: !mayEdit || !canPause,
                onAction: () => pause.mutate(),
              },
              {
                label: 'Write all products again',
                icon: RefreshCw,
                isDisabled: !mayEdit || running !== undefined,
                onAction: () => begin.mutate({ full: true }),
              },
              {
                label: 'Delete source',
                icon: Trash2,
                isDangerous: true,
                isDisabled: !mayEdit,
                onAction: () => setDeleting(true),
              },
            ]}
          />
          {running === undefined ? (
            <>
              <Button
                icon={Eye}
                isDisabled={!mayEdit}
                isPending={begin.isPending && begin.variables.dry_run === true}
                onPress={() => begin.mutate({ dry_run: true })}
              >
                Start dry run
              </Button>
              <Button
                icon={Play}
                variant="primary"
                isDisabled={!mayEdit}
                isPending={begin.isPending && begin.variables.dry_run !== true}
                onPress={() => begin.mutate({})}
              >
                Run now
              </Button>
            </>
          ) : (
            <Button
              icon={X}
              isDisabled={!mayEdit}
              isPending={cancel.isPending}
              onPress={() => cancel.mutate()}
            >
              Cancel run
            </Button>
          )}
        </>
      }
    >
      {!mayEdit && <Note>{ROLE_HINTS.editor}.</Note>}
      {error !== null && <ErrorNote error={error} />}
      {fault !== undefined && running === undefined && (
        <Note kind="warn">
          <p>{fault}</p>
          {source.health === 'shrunk' && mayEdit && (
            <p className="sources-remove">
              <Button size="small" onPress={() => begin.mutate({ allow_removal: true })}>
                Remove missing products
              </Button>
            </p>
          )}
        </Note>
      )}
      <Section>
        <dl className="sources-facts">
          <Fact label="Status">
            <Badge kind={kind}>{text}</Badge>
          </Fact>
          <Fact label="Products">{formatNumber(source.documents)}</Fact>
          <Fact label="Schedule">{scheduleText(source)}</Fact>
          <Fact label="Next run">
            {source.next_run_at === undefined ? 'None' : <Time at={source.next_run_at} />}
          </Fact>
          <Fact label="Last good run">
            {source.last_good_run?.ended_at === undefined ? (
              'None'
            ) : (
              <Time at={source.last_good_run.ended_at} />
            )}
          </Fact>
          {isFollowed(source) && <Fact label="Changes">{followingText(source)}</Fact>}
          <Fact label="Missing products">
            {source.deletions === 'keep'
              ? 'Stay'
              : `Removed, up to ${Math.round(source.max_removed_share * 100)}% at once`}
          </Fact>
        </dl>
      </Section>
      <Section title="Runs" about="The last 50. Open one to see what it changed." isPlain>
        {runs.isError ? (
          <ErrorNote error={runs.error} attempt="load" />
        ) : (
          <Table
            label="Runs"
            name="source-runs"
            rows={runs.data}
            columns={COLUMNS}
            rowId={({ id }) => id}
            onOpen={({ id }) => change({ run: id })}
            openRowId={openId}
            empty={<p className="muted">Not run yet. A dry run shows what would be written.</p>}
          />
        )}
      </Section>
      {openId !== '' && (
        <RunPanel key={openId} source={name} id={openId} onClose={() => change({ run: '' })} />
      )}
      <ConfirmDialog
        title={`Delete “${name}”`}
        confirmLabel="Delete source"
        isOpen={isDeleting}
        onClose={() => setDeleting(false)}
        onConfirm={() =>
          perform({
            write: () => calls.deleteSource(name),
            after: () => {
              change({ source: undefined })
              return refresh('sources')
            },
            done: () => 'Source deleted',
          })
        }
      >
        <p>Its runs are deleted. The products that it has written stay.</p>
      </ConfirmDialog>
    </Page>
  )
}

function Fact({
  label,
  children,
}: {
  readonly label: string
  readonly children: ReactNode
}): ReactNode {
  return (
    <div>
      <dt className="small muted">{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}
