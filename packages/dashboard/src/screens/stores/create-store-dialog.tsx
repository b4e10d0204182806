import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useApi } from '../../api/api.ts'
import { keepSecret } from '../../parts/secret-value.tsx'
import { STORES_QUERY } from '../../session/store.ts'
import { useDraft } from '../../state/draft.ts'
import { FormDialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { StoreSecrets } from './store-secrets.tsx'

/** Needs only a name; then it shows the keys, and the write secret for the only time. */
export function CreateStoreDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const api = useApi()
  const queries = useQueryClient()
  const { value, set, clear } = useDraft('store', { name: '', id: '' })
  const creating = useMutation({
    mutationFn: () =>
      api.createStore({
        name: value.name,
        ...(value.id.trim() === '' ? {} : { id: value.id.trim() }),
      }),
    onSuccess: (store) => {
      keepSecret(store.store_id, store.write_secret)
      clear()
      void queries.invalidateQueries({ queryKey: STORES_QUERY })
    },
  })
  if (creating.data !== undefined) return <StoreSecrets store={creating.data} onClose={onClose} />
  return (
    <FormDialog title="New store" submitLabel="Create store" action={creating} onClose={onClose}>
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
    </FormDialog>
  )
}
