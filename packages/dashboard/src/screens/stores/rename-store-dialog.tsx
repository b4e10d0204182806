import type { StoreSummary } from '@aisle/client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useApi } from '../../api/api.ts'
import { STORES_QUERY } from '../../session/store.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorNote } from '../../ui/error-state.tsx'
import { Form } from '../../ui/form.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { toast } from '../../ui/toast.tsx'

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
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => rename(name),
    onSuccess: () => {
      onClose()
      toast(`Renamed to “${name}”`, 'good', () => void rename(store.name))
    },
  })
  return (
    <Dialog title={`Rename ${store.name}`} isOpen onClose={onClose} width="narrow">
      <Form onSubmit={() => mutate()} error={error}>
        <TextField
          label="Name"
          name="name"
          about="The store id stays; nothing in your shop changes."
          value={name}
          onChange={setName}
          isRequired
          autoFocus
        />
        {error !== null && <ErrorNote error={error} />}
        <div className="form-actions">
          <Button type="submit" variant="primary" isPending={isPending}>
            Rename store
          </Button>
          <Button onPress={onClose}>Cancel</Button>
        </div>
      </Form>
    </Dialog>
  )
}
