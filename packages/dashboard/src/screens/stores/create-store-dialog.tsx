import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useLocation } from 'wouter'
import { useApi } from '../../api/api.ts'
import { keepSecret } from '../../parts/shown-secrets.ts'
import { storePath, STORES_QUERY } from '../../session/store.ts'
import { useDraft } from '../../state/draft.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorNote } from '../../ui/error-state.tsx'
import { Form } from '../../ui/form.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { StoreSecrets, type NewStore } from './store-secrets.tsx'

/** Needs only a name; then it shows the keys, and the write secret for the only time. */
export function CreateStoreDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const api = useApi()
  const queries = useQueryClient()
  const [, navigate] = useLocation()
  const { value, set, clear } = useDraft('store', { name: '', id: '' })
  const [made, setMade] = useState<NewStore>()
  const { mutate, error, isPending } = useMutation({
    mutationFn: () =>
      api.createStore({
        name: value.name,
        ...(value.id.trim() === '' ? {} : { id: value.id.trim() }),
      }),
    onSuccess: async (store) => {
      keepSecret(store.store_id, store.write_secret)
      clear()
      setMade(store)
      await queries.invalidateQueries({ queryKey: STORES_QUERY })
    },
  })
  if (made !== undefined) {
    return (
      <StoreSecrets
        store={made}
        onDone={() => {
          onClose()
          navigate(storePath(made.store_id))
        }}
      />
    )
  }
  return (
    <Dialog title="New store" isOpen onClose={onClose}>
      <Form onSubmit={() => mutate()} error={error}>
        <TextField
          label="Name"
          name="name"
          about="As your team calls the shop."
          value={value.name}
          onChange={(name) => set({ ...value, name })}
          isRequired
          autoFocus
        />
        <TextField
          label="Store id"
          name="id"
          about="Letters, digits, - and _. It stands in requests and is not changed later; left empty, one is made up."
          value={value.id}
          onChange={(id) => set({ ...value, id })}
          isMono
        />
        {error !== null && <ErrorNote error={error} />}
        <div className="form-actions">
          <Button type="submit" variant="primary" isPending={isPending}>
            Create store
          </Button>
          <Button onPress={onClose}>Cancel</Button>
        </div>
      </Form>
    </Dialog>
  )
}
