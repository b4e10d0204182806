import type { StoreSummary } from '@aisle/client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useApi } from '../../api/api.ts'
import { STORES_QUERY } from '../../session/store.ts'
import { FormDialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { perform } from '../../state/change.ts'

export function RenameStoreDialog({
  store,
  onClose,
}: {
  readonly store: StoreSummary
  readonly onClose: () => void
}): ReactNode {
  const api = useApi()
  const queries = useQueryClient()
  const [name, setName] = useState(store.name)
  const rename = async (next: string): Promise<void> => {
    await api.renameStore(store.store_id, next)
    await queries.invalidateQueries({ queryKey: STORES_QUERY })
  }
  const renaming = useMutation({
    mutationFn: () =>
      perform({
        write: () => rename(name),
        after: onClose,
        done: () => `Renamed to “${name}”`,
        undo: () => rename(store.name),
      }),
  })
  return (
    <FormDialog
      title={`Rename ${store.name}`}
      submitLabel="Rename store"
      action={renaming}
      onClose={onClose}
      width="narrow"
    >
      <TextField
        label="Name"
        name="name"
        about="The store id stays; nothing in your shop changes."
        value={name}
        onChange={setName}
        isRequired
        autoFocus
      />
    </FormDialog>
  )
}
