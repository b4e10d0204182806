import {
  applyChanges,
  changesTo,
  configurationOf,
  ConfigurationFilesError,
  differencesOfChange,
  fetchConfiguration,
  fileOf,
  filesOf,
  redefinesFields,
  type Change,
  type FileFailure,
  type StoreConfiguration,
} from '@aisle/configuration'
import type { StoreClient } from '@aisle/client'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { formatCount } from '../../format/numbers.ts'
import { ROLE_HINTS, useMay } from '../../session/session.ts'
import { useStore } from '../../session/store.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/choice.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorNote, ErrorState, Note, SkeletonLines } from '../../ui/states.tsx'
import { toast } from '../../state/toasts.ts'
import { packArchive, unpackArchive } from './settings-archive.ts'

/** An archive that could be read. */
export interface OpenedFiles {
  readonly name: string
  readonly wanted: StoreConfiguration
}

/** The archive of a store as it is now. */
export async function configurationArchive(store: StoreClient): Promise<Uint8Array<ArrayBuffer>> {
  return packArchive(filesOf(await fetchConfiguration(store), 'yaml'))
}

/** @returns faults, a line each, when it is not an archive of settings */
export async function openArchive(
  file: File,
): Promise<OpenedFiles | { readonly faults: readonly string[] }> {
  try {
    const files = unpackArchive(new Uint8Array(await file.arrayBuffer()))
    return { name: file.name, wanted: configurationOf(files) }
  } catch (error) {
    if (!(error instanceof ConfigurationFilesError)) return { faults: [(error as Error).message] }
    return { faults: error.faults.map((fault) => `${fault.file} ${fault.message}`) }
  }
}

/** What an archive would change, and the question whether it should. */
export function FilesDialog({
  opened: { name, wanted },
  onClose,
  onApplied,
}: {
  readonly opened: OpenedFiles
  readonly onClose: () => void
  readonly onApplied: () => Promise<unknown>
}): ReactNode {
  const { storeId, calls } = useStore()
  const mayEdit = useMay('editor')
  const [isPruning, setPruning] = useState(false)
  const present = useQuery({
    queryKey: ['settings', storeId, 'configuration'],
    queryFn: () => fetchConfiguration(calls),
    staleTime: 0,
    gcTime: 0,
    structuralSharing: false,
  })
  const all = present.data === undefined ? [] : changesTo(present.data, wanted)
  const removals = all.filter(({ verb }) => verb === 'remove')
  const changes = isPruning ? all : all.filter(({ verb }) => verb !== 'remove')
  const hasConflict = all.some(({ verb }) => verb === 'conflict')

  const applying = useMutation({
    mutationFn: () => applyChanges(calls, changes),
    onSuccess: async (refused) => {
      if (refused.length > 0) return
      toast(`${formatCount(changes.length, 'change')} applied`, 'good')
      onClose()
      await onApplied()
    },
    onSettled: async (refused) => {
      if (refused?.length !== 0) await present.refetch()
    },
  })
  const failures = applying.data ?? []
  // What was applied in part is shown by the page behind when it has been read here.
  const close = (): void => {
    onClose()
    if (failures.length > 0 || applying.isError) void onApplied()
  }
  return (
    <Dialog
      title={`Import ${name}`}
      onClose={close}
      width="wide"
      footer={
        <>
          {!mayEdit && <span className="muted small grow">{ROLE_HINTS.editor}</span>}
          <Button onPress={close}>Close</Button>
          <Button
            variant={isPruning && removals.length > 0 ? 'danger' : 'primary'}
            isDisabled={!mayEdit || hasConflict || changes.length === 0}
            isPending={applying.isPending}
            onPress={() => applying.mutate()}
          >
            Apply {formatCount(changes.length, 'change')}
          </Button>
        </>
      }
    >
      {present.isError ? (
        <ErrorState error={present.error} onRetry={() => void present.refetch()} />
      ) : present.data === undefined ? (
        <SkeletonLines count={6} />
      ) : (
        <>
          <Failures failures={failures} />
          {all.length === 0 && <p>The store matches the files. Nothing to apply.</p>}
          {hasConflict && (
            <Note kind="bad">
              A field can't become an object, or stop being one, while its products stay. Replacing
              the schema can, but deletes all products; see Schema.
            </Note>
          )}
          {redefinesFields(changes) && (
            <Note>
              Products stay, and are re-indexed before the new fields take effect. Until then
              searches use the old ones.
            </Note>
          )}
          <ul className="lined">
            {changes.map((change) => (
              <ChangedFile key={`${fileOf(change)} ${change.name}`} change={change} />
            ))}
          </ul>
          {removals.length > 0 && (
            <Checkbox isSelected={isPruning} onChange={setPruning}>
              Also delete what the archive does not have:{' '}
              {formatCount(removals.length, 'preset, rule or set', 'presets, rules and sets')}
            </Checkbox>
          )}
          {applying.isError && <ErrorNote error={applying.error} />}
        </>
      )}
    </Dialog>
  )
}

function Failures({ failures }: { readonly failures: readonly FileFailure[] }): ReactNode {
  if (failures.length === 0) return null
  return (
    <Note kind="bad">
      <p>
        {failures.some(({ file }) => file === 'schema')
          ? 'Nothing was applied. The schema is invalid:'
          : `The rest was applied. Couldn't apply ${formatCount(failures.length, 'file')}:`}
      </p>
      <ul className="settings-faults">
        {failures.map(({ file, error }) => (
          <li key={file}>
            <code>{file}</code> {error.message}{' '}
            {error.code !== undefined && <code className="muted">{error.code}</code>}
          </li>
        ))}
      </ul>
    </Note>
  )
}

const VERBS = {
  add: { word: 'New', kind: 'good' },
  change: { word: 'Changed', kind: 'accent' },
  remove: { word: 'Deleted', kind: 'bad' },
  conflict: { word: 'Conflict', kind: 'bad' },
} as const

function ChangedFile({ change }: { readonly change: Change }): ReactNode {
  const { word, kind } = VERBS[change.verb]
  const isNamed = change.kind === 'schema' || change.kind === 'settings'
  const differences = differencesOfChange(change)
  return (
    <li className="stack gap-4">
      <span className="row">
        <Badge kind={kind}>{word}</Badge>
        <span className="muted">{change.kind}</span>
        <bdi className="strong">{change.name}</bdi>
      </span>
      {differences.length > 0 && (
        <ul className="small">
          {differences.map(({ path, before, after }) => (
            <li key={path}>
              {path !== '' && <code>{path}</code>} <span className="muted">{shown(before)}</span> →{' '}
              <bdi>{shown(after)}</bdi>
            </li>
          ))}
        </ul>
      )}
      {isNamed || change.verb !== 'add' ? null : (
        <p className="small muted">{shown(change.after)}</p>
      )}
    </li>
  )
}

const SHOWN_CHARS = 300

function shown(value: unknown): string {
  if (value === undefined) return '(none)'
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)}…` : text
}
