import type { RelevanceDraft, StoreSettings } from '@aisle/contract'
import { PUBLISH_NOTE_MAX_CHARS } from '@aisle/contract/limits'
import { useState, type ReactNode } from 'react'
import { useStore } from '../../session/store.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorNote } from '../../ui/error-state.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { toast } from '../../ui/toast.tsx'
import { draftChanges } from './draft-changes.ts'

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
  const [note, setNote] = useState('')
  const [error, setError] = useState<unknown>()
  const [isPending, setPending] = useState(false)
  const publish = async (): Promise<void> => {
    setPending(true)
    setError(undefined)
    try {
      const said = note.trim() === '' ? {} : { note: note.trim() }
      const { settings: published } = await calls.publishDraft({ draft, ...said })
      onPublished()
      onClose()
      toast(`Version ${published.version} is live`, 'good', () => {
        calls
          .rollbackSettings(settings.version)
          .then(onPublished)
          .catch(() => toast('The former version could not be restored', 'bad'))
      })
    } catch (failure) {
      setError(failure)
      setPending(false)
    }
  }
  return (
    <Dialog
      title="Publish B"
      isOpen
      onClose={onClose}
      footer={
        <>
          <Button onPress={onClose}>Cancel</Button>
          <Button variant="primary" isPending={isPending} onPress={() => void publish()}>
            Publish B
          </Button>
        </>
      }
    >
      <p>
        Visitors get this with their next search, as version {settings.version + 1}. Version{' '}
        {settings.version} stays in the history.
      </p>
      <ul className="relevance-changes">
        {draftChanges(draft, settings.ranking).map((change) => (
          <li key={change}>{change}</li>
        ))}
      </ul>
      <TextField
        label="Note"
        about="What it is for; the history shows it."
        value={note}
        onChange={setNote}
        maxLength={PUBLISH_NOTE_MAX_CHARS}
        autoFocus
      />
      {error !== undefined && <ErrorNote error={error} />}
    </Dialog>
  )
}
