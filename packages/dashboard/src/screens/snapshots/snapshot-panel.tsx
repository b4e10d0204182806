import type { Snapshot } from '@aisle/client'
import { useMutation } from '@tanstack/react-query'
import { ShieldCheck, Trash2 } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useApi } from '../../api/api.ts'
import { formatBytes, formatCount, formatNumber } from '../../format/numbers.ts'
import { formatExactTime } from '../../format/time.ts'
import { Time } from '../../ui/time.tsx'
import { shellText } from '../../format/quoting.ts'
import { Button } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { ConfirmDialog } from '../../ui/form-dialog.tsx'
import { ErrorNote, Note } from '../../ui/states.tsx'
import { Section } from '../../ui/page.tsx'
import { SidePanel, type SidePanelProps } from '../../ui/side-panel.tsx'
import { toast } from '../../state/toasts.ts'
import { StoresInSnapshot } from './restore-store.tsx'
import './snapshots.css'

interface SnapshotPanelProps extends Pick<SidePanelProps, 'onClose' | 'onPrevious' | 'onNext'> {
  readonly snapshot: Snapshot
  readonly onDeleted: () => void
}

/** What a snapshot holds, whether it can still be read, and how to go back to it. */
export function SnapshotPanel({ snapshot, onDeleted, ...panel }: SnapshotPanelProps): ReactNode {
  const api = useApi()
  const [isDeleting, setDeleting] = useState(false)
  const checking = useMutation({ mutationFn: () => api.verifySnapshot(snapshot.name) })
  const facts: readonly (readonly [string, ReactNode])[] = [
    ['Created', <Time key="made" at={snapshot.created_at} />],
    ['Stores', formatNumber(snapshot.stores)],
    ['Products', formatNumber(snapshot.documents)],
    ['Size', `${formatBytes(snapshot.bytes)}, ${formatBytes(snapshot.event_bytes)} of it events`],
    ['Folder', <code key="folder">{snapshot.folder}</code>],
    ['Version', `${snapshot.version}, format ${snapshot.format}`],
  ]
  return (
    <SidePanel
      title={formatExactTime(Date.parse(snapshot.created_at))}
      {...panel}
      footer={
        <>
          <Button variant="ghost" icon={Trash2} onPress={() => setDeleting(true)}>
            Delete snapshot
          </Button>
          <span className="grow" />
          <Button
            icon={ShieldCheck}
            isPending={checking.isPending}
            onPress={() => checking.mutate()}
          >
            Check snapshot
          </Button>
        </>
      }
    >
      <dl className="snapshot-facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt className="muted">{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {checking.isSuccess && (
        <Note kind="good">
          Verified: {formatCount(checking.data.documents, 'product')} in{' '}
          {formatCount(checking.data.stores, 'store')}, all intact.
        </Note>
      )}
      {checking.isError && <ErrorNote attempt="load" error={checking.error} />}
      <Section title="Restore one store" isPlain>
        <StoresInSnapshot snapshot={snapshot} />
      </Section>
      <Section title="Restore everything" isPlain>
        <p className="muted">
          Restore the snapshot into an empty folder on the server, then start the service with that
          folder. Current data is not affected.
        </p>
        <CodeBlock
          label="Restore"
          samples={[
            {
              label: 'Shell',
              code: `aisle restore ${shellText(snapshot.folder)} --data-dir ./restored\nAISLE_DATA_DIR=./restored npm start`,
            },
          ]}
        />
      </Section>
      <ConfirmDialog
        title="Delete snapshot"
        confirmLabel="Delete snapshot"
        isOpen={isDeleting}
        onClose={() => setDeleting(false)}
        onConfirm={async () => {
          await api.deleteSnapshot(snapshot.name)
          toast('Snapshot deleted')
          onDeleted()
        }}
      >
        <p>
          The copy of {formatCount(snapshot.documents, 'product')} in{' '}
          {formatCount(snapshot.stores, 'store')} of{' '}
          {formatExactTime(Date.parse(snapshot.created_at))} will be deleted permanently (
          {formatBytes(snapshot.bytes)}). Live data is not affected.
        </p>
      </ConfirmDialog>
    </SidePanel>
  )
}
