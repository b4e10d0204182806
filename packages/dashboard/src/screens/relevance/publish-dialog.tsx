import type { RelevanceDraft, StoreSettings } from '@aisle/contract'
import { PUBLISH_NOTE_MAX_CHARS } from '@aisle/contract/limits'
import { useState, type ReactNode } from 'react'
import { overSettings } from '../../parts/store-queries.ts'
import { useRefresh, useStore } from '../../session/store.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { draftChanges } from '../../parts/draft-changes.ts'
import { useMutation } from '@tanstack/react-query'
import { perform } from '../../state/change.ts'

/** Lists the changes of B, and publishes them. */
export function PublishDialog({
  draft,
  settings,
  onClose,
  onPublished,
}: {
  readonly draft: RelevanceDraft
  readonly settings: StoreSettings
  readonly onClose: () => void
  /** The live settings have changed meanwhile. */
  readonly onPublished: () => void
}): ReactNode {
  const { calls } = useStore()
  const refresh = useRefresh()
  const [note, setNote] = useState('')
  const publishing = useMutation({
    mutationFn: () =>
      perform({
        write: () =>
          overSettings(calls, settings, (etag) =>
            calls.publishDraft(
              { draft, ...(note.trim() === '' ? {} : { note: note.trim() }) },
              etag,
            ),
          ),
        after: () => {
          onPublished()
          onClose()
        },
        done: ({ settings: published }) => `Version ${published.version} is live`,
        undo: ({ etag }) => calls.rollbackSettings(settings.version, etag).then(onPublished),
      }),
    // The changes are listed against the newest settings.
    onError: () => refresh('settings'),
  })
  return (
    <FormDialog title="Publish B" submitLabel="Publish B" action={publishing} onClose={onClose}>
      <p>
        Visitors get this with their next search, as version {settings.version + 1}. Version{' '}
        {settings.version} stays in the history.
      </p>
      <ul className="relevance-changes stack gap-4">
        {draftChanges(draft, settings.ranking).map((change) => (
          <li key={change}>{change}</li>
        ))}
      </ul>
      <TextField
        label="Note"
        about="Reason for the change"
        value={note}
        onChange={setNote}
        maxLength={PUBLISH_NOTE_MAX_CHARS}
        autoFocus
      />
    </FormDialog>
  )
}
