import { useMutation } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { Link } from 'wouter'
import { formatCount, formatNumber } from '../../format/numbers.ts'
import { storePath, useStore } from '../../session/store.ts'
import { toast } from '../../state/toasts.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/form-dialog.tsx'
import { Section } from '../../ui/page.tsx'
import { Progress } from '../../ui/progress.tsx'
import { ErrorNote, Note } from '../../ui/states.tsx'
import {
  discardRebuild,
  dismissRebuild,
  retryRebuild,
  swapRebuild,
  useRebuild,
  type RebuildJob,
  type RebuildPhase,
} from './rebuild-job.ts'

const TITLES: Readonly<Record<RebuildPhase, string>> = {
  copying: 'Building the copy',
  cancelling: 'Deleting the copy',
  stopped: 'The copy is not complete',
  ready: 'The copy is ready',
  swapping: 'Swapping',
  swapped: 'Swapped',
}

/** The rebuild of the open store: progress, what does not fit, the swap, and the old copy. */
export function RebuildPanel(): ReactNode {
  const { storeId } = useStore()
  const job = useRebuild()
  if (job === undefined) return null
  if (job.storeId !== storeId) {
    return (
      <Note>
        A copy of <Link href={storePath(job.storeId, 'schema')}>{job.storeName}</Link> is being
        rebuilt. Finish or delete it before you rebuild another store.
      </Note>
    )
  }
  return (
    <Section title={TITLES[job.phase]} actions={<Actions job={job} />}>
      <div className="stack">
        <Body job={job} />
      </div>
    </Section>
  )
}

function Body({ job }: { readonly job: RebuildJob }): ReactNode {
  switch (job.phase) {
    case 'copying':
    case 'swapping':
    case 'cancelling':
      return <Running job={job} />
    case 'stopped':
      return <Stopped job={job} />
    case 'ready':
      return (
        <p>
          <CopyLink job={job} /> has the new schema and {formatCount(job.done, 'product')}. Try a
          search in it, then swap. Nothing has changed in {job.storeName} so far.
        </p>
      )
    case 'swapped':
      return <Swapped job={job} />
  }
}

function Running({ job: { phase, done, total, storeName } }: { readonly job: RebuildJob }) {
  return (
    <>
      <p className="number" role="status">
        {formatNumber(done)} of {formatCount(total, 'product')} copied.{' '}
        {phase === 'swapping'
          ? `Changes made since the copy are copied first.`
          : `${storeName} stays online with its current schema. Keep this tab open; if it closes, you can continue here.`}
      </p>
      <Progress value={total === 0 ? 0 : done / total} label="Products copied" />
    </>
  )
}

function Stopped({ job }: { readonly job: RebuildJob }): ReactNode {
  const { misfits, misfitCount, isCutShort, refusals, error, reason } = job
  return (
    <>
      {error !== undefined && <ErrorNote error={error} />}
      {reason !== undefined && <Note kind="bad">{reason} Nothing was swapped.</Note>}
      {refusals.length > 0 && (
        <>
          <Note kind="bad">
            The new schema does not fit these settings. Nothing was swapped. Correct them, then try
            again.
          </Note>
          <ul className="small-list" aria-label="Settings that do not fit">
            {refusals.map(({ file, error: refused }) => (
              <li key={file}>
                <code>{file}</code> <span className="muted">{refused.message}</span>
              </li>
            ))}
          </ul>
        </>
      )}
      {misfitCount > 0 && (
        <>
          <Note kind="bad">
            {isCutShort && 'At least '}
            {formatCount(misfitCount, 'product')} {misfitCount === 1 ? 'does' : 'do'} not fit the
            new schema. Nothing was swapped. Correct {misfitCount === 1 ? 'it' : 'them'} and try
            again, or delete the copy and change the draft.
          </Note>
          <ul className="small-list" aria-label="Products that do not fit">
            {misfits.map(({ id, reason: why }) => (
              <li key={id}>
                <Link
                  href={`${storePath(job.storeId, 'documents')}?open=${encodeURIComponent(id)}`}
                >
                  {id}
                </Link>{' '}
                <span className="muted">{why}</span>
              </li>
            ))}
          </ul>
          {misfitCount > misfits.length && (
            <p className="muted small">The first {misfits.length} are listed.</p>
          )}
        </>
      )}
    </>
  )
}

function Swapped({ job }: { readonly job: RebuildJob }): ReactNode {
  return (
    <>
      {job.isLate && (
        <Note kind="warn">
          {job.storeName} was written between the last copy and the swap. Those writes are only in
          the previous version. Send them again, or swap back.
        </Note>
      )}
      <p>
        {job.storeName} now has the new schema and {formatCount(job.done, 'product')}. The previous
        version is in <CopyLink job={job} />. To undo, swap the two in{' '}
        <Link href={`/stores?swap=${encodeURIComponent(job.storeId)}`}>Stores</Link>.
      </p>
    </>
  )
}

function CopyLink({ job: { copyId, copyName } }: { readonly job: RebuildJob }): ReactNode {
  return <Link href={storePath(copyId!)}>{copyName}</Link>
}

function Actions({ job }: { readonly job: RebuildJob }): ReactNode {
  const { phase, storeName, copyName, isLate } = job
  const [asked, setAsked] = useState<'swap' | 'delete'>()
  const discard = useMutation({
    mutationFn: discardRebuild,
    onSuccess: () => toast('Copy deleted'),
    onError: () => toast("Couldn't delete the copy. Delete it in Stores.", 'bad'),
  })
  const close = (): void => setAsked(undefined)
  if (phase === 'swapping') return null
  if (phase === 'swapped') {
    return (
      <>
        <Button onPress={dismissRebuild}>Keep {copyName}</Button>
        {!isLate && (
          <Button variant="danger" onPress={() => setAsked('delete')}>
            Delete previous version
          </Button>
        )}
        <ConfirmDialog
          title="Delete previous version"
          confirmLabel="Delete previous version"
          isOpen={asked === 'delete'}
          onClose={close}
          onConfirm={() => discard.mutateAsync()}
        >
          <p>Deletes {copyName} with the former schema and products. You cannot swap back then.</p>
        </ConfirmDialog>
      </>
    )
  }
  const isBuilding = phase === 'copying' || phase === 'cancelling'
  return (
    <>
      <Button isPending={discard.isPending} onPress={() => discard.mutate()}>
        {isBuilding ? 'Cancel' : 'Delete copy'}
      </Button>
      {phase === 'stopped' && <Button onPress={retryRebuild}>Try again</Button>}
      {phase === 'ready' && (
        <Button variant="primary" onPress={() => setAsked('swap')}>
          Swap
        </Button>
      )}
      <ConfirmDialog
        title={`Swap ${storeName}`}
        confirmLabel="Swap stores"
        isDangerous={false}
        isOpen={asked === 'swap'}
        onClose={close}
        onConfirm={async () => swapRebuild()}
      >
        <p>
          {storeName} gets the schema, products and settings of the copy at once. Its id, keys,
          events and reports stay. The copy gets the previous version.
        </p>
        <p>
          Changes made since the copy are copied first. A write in the last moment before the swap
          stays in the previous version; you will be told if there was one.
        </p>
      </ConfirmDialog>
    </>
  )
}
