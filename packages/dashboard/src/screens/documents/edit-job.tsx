import type { DocumentEditJob } from '@aisle/contract'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Undo2 } from 'lucide-react'
import { useEffect, type ReactNode } from 'react'
import { formatCount, formatNumber } from '../../format/numbers.ts'
import { useMay } from '../../session/session.ts'
import { useRefresh, useStore } from '../../session/store.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorNote, SkeletonLines } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import '../../ui/progress.css'

const LOOK_MS = 700

function isRunning({ state }: Pick<DocumentEditJob, 'state'>): boolean {
  return state === 'finding' || state === 'changing'
}

/** Edits of the store, newest first; read often while one runs. */
function useEdits() {
  const { storeId, calls } = useStore()
  return useQuery({
    queryKey: ['edits', storeId],
    queryFn: async () => (await calls.edits()).edits,
    refetchInterval: ({ state }) => (state.data?.some(isRunning) === true ? LOOK_MS : false),
  })
}

/** One edit: its progress, then what it did, and its undo. */
export function EditJob({
  id,
  onReplaced,
}: {
  readonly id: string
  /** Its undo has begun. */
  readonly onReplaced: (id: string) => void
}): ReactNode {
  const { storeId, calls } = useStore()
  const refresh = useRefresh()
  const { data: job, error } = useQuery({
    queryKey: ['edits', storeId, id],
    queryFn: () => calls.edit(id),
    refetchInterval: ({ state }) =>
      state.data === undefined || isRunning(state.data) ? LOOK_MS : false,
  })
  const isOver = job !== undefined && !isRunning(job)
  useEffect(() => {
    if (isOver) void refresh('documents', 'document', 'edits', 'stores')
    // `refresh` is another function with each render.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [isOver])
  const cancel = useMutation({
    mutationFn: () => calls.cancelEdit(id),
    onSuccess: () => refresh('edits'),
  })
  if (error !== null) return <ErrorNote attempt="load" error={error} />
  if (job === undefined) return <SkeletonLines count={3} />
  return (
    <div className="stack gap-12">
      <JobText job={job} />
      {!isOver && (
        <>
          <progress
            className="progress"
            aria-label="Progress"
            {...(job.state === 'finding' ? {} : { value: job.done, max: Math.max(1, job.found) })}
          />
          <div className="row gap-8">
            <span className="small muted number grow">
              {job.state === 'finding'
                ? `${formatCount(job.found, 'product')} found so far`
                : `${formatNumber(job.done)} of ${formatNumber(job.found)}`}
            </span>
            <Button isPending={cancel.isPending} onPress={() => cancel.mutate()}>
              Cancel edit
            </Button>
          </div>
          <p className="small muted">
            The service continues when you leave this page. The history shows the result.
          </p>
        </>
      )}
      {isOver && <Undo job={job} onBegun={onReplaced} />}
      <Lists job={job} />
    </div>
  )
}

function JobText({ job }: { readonly job: DocumentEditJob }): ReactNode {
  const { state, kind, changed, unchanged, refused, skipped, edit, error } = job
  const verb = kind === 'undo' ? 'restored' : edit.delete === true ? 'deleted' : 'changed'
  const parts = [
    `${formatCount(changed, 'product')} ${verb}`,
    ...(unchanged > 0 ? [`${formatNumber(unchanged)} already had these values`] : []),
    ...(refused > 0 ? [`${formatNumber(refused)} refused`] : []),
    ...(skipped > 0 ? [`${formatNumber(skipped)} skipped, because they changed meanwhile`] : []),
  ]
  const title = {
    finding: 'Finding products',
    changing: kind === 'undo' ? 'Undoing the edit' : 'Editing products',
    done: kind === 'undo' ? 'Edit undone' : 'Edit done',
    cancelled: 'Edit cancelled',
    failed: 'Edit failed',
  }[state]
  return (
    <div className="stack gap-4">
      <h3>{title}</h3>
      <p aria-live="polite">{parts.join(', ')}.</p>
      {error !== undefined && <p className="bulk-failed">{error}</p>}
    </div>
  )
}

function Lists({ job }: { readonly job: DocumentEditJob }): ReactNode {
  const { errors, skipped_ids: skipped } = job
  if (errors.length === 0 && skipped.length === 0) return null
  return (
    <ul className="bulk-refused small" aria-label="Not changed">
      {errors.map(({ id, error }) => (
        <li key={`refused ${id}`}>
          <code>{id}</code> {error}
        </li>
      ))}
      {skipped.map((id) => (
        <li key={`skipped ${id}`}>
          <code>{id}</code> Changed by others
        </li>
      ))}
    </ul>
  )
}

function Undo({
  job,
  onBegun,
}: {
  readonly job: DocumentEditJob
  readonly onBegun: (id: string) => void
}): ReactNode {
  const { calls } = useStore()
  const mayEdit = useMay('editor')
  const refresh = useRefresh()
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => calls.undoEdit(job.id),
    onSuccess: (undo) => {
      void refresh('edits')
      onBegun(undo.id)
    },
  })
  if (job.kind === 'undo' || job.changed === 0) return null
  if (job.undone_by !== undefined) return <p className="small muted">This edit was undone.</p>
  if (job.history !== 'kept') {
    return <p className="small muted">The former values are no longer kept.</p>
  }
  return (
    <>
      {error !== null && <ErrorNote error={error} />}
      {mayEdit && (
        <div className="row gap-8">
          <Button icon={Undo2} isPending={isPending} onPress={() => mutate()}>
            Undo edit
          </Button>
          <span className="small muted">
            Products that were changed since stay as they are. Possible for 30 days.
          </span>
        </div>
      )}
    </>
  )
}

/** All edits of the store; one opens. */
export function EditHistoryDialog({
  openId,
  onOpen,
  onClose,
}: {
  /** Empty: the list. */
  readonly openId: string
  readonly onOpen: (id: string) => void
  readonly onClose: () => void
}): ReactNode {
  const { data: edits, error } = useEdits()
  return (
    <Dialog title="Bulk edits" onClose={onClose} width="wide">
      {openId !== '' ? (
        <>
          <div>
            <Button size="small" onPress={() => onOpen('')}>
              All bulk edits
            </Button>
          </div>
          <EditJob key={openId} id={openId} onReplaced={onOpen} />
        </>
      ) : error !== null ? (
        <ErrorNote attempt="load" error={error} />
      ) : edits === undefined ? (
        <SkeletonLines count={5} />
      ) : edits.length === 0 ? (
        <p className="muted">
          No bulk edits yet. Set a filter or search, then choose Edit products.
        </p>
      ) : (
        <ul className="lined">
          {edits.map((job) => (
            <li key={job.id}>
              <button type="button" className="bulk-entry" onClick={() => onOpen(job.id)}>
                <span className="stack gap-4">
                  <span className="cut">{job.note ?? jobWords(job)}</span>
                  <span className="small muted cut">
                    {job.changed_by?.login ?? job.changed_by?.actor ?? ''}{' '}
                    <Time at={job.created_at} />
                  </span>
                </span>
                <span className="small muted number">{formatCount(job.changed, 'product')}</span>
                <Badge kind={job.state === 'failed' ? 'bad' : 'plain'}>
                  {job.undone_by === undefined ? job.state : 'undone'}
                </Badge>
              </button>
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  )
}

function jobWords({ kind, edit }: DocumentEditJob): string {
  if (kind === 'undo') return 'Undo'
  if (edit.delete === true) return 'Delete products'
  const { set = {}, add = {}, remove = {} } = edit
  const words = Object.entries({ Set: set, Add: add, Remove: remove }).flatMap(([verb, fields]) =>
    Object.keys(fields).map((name) => `${verb} ${name}`),
  )
  return words.join(', ')
}
