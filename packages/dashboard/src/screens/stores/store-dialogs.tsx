import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useApi } from '../../api/api.ts'
import { keepSecret } from '../../parts/secret-value.tsx'
import { STORES_QUERY, useStores } from '../../session/store.ts'
import { useDraft } from '../../state/draft.ts'
import { FormDialog, ConfirmDialog } from '../../ui/form-dialog.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { StoreSecrets } from '../../parts/store-secrets.tsx'
import type { StoreSummary } from '@aisle/client'
import { perform } from '../../state/change.ts'
import { formatBytes, formatCount, formatNumber } from '../../format/numbers.ts'
import { toast } from '../../state/toasts.ts'
import { Checkbox, Select } from '../../ui/choice.tsx'
import { languageName, LANGUAGES } from '../../parts/languages.ts'
import { proposedStoreId } from '../../parts/store-id.ts'
import { cloneStore, type CloneProgress } from './clone-store.ts'

/** Of a store whose settings have none. */
const DEFAULT_LANGUAGE = 'en'

/** Needs only a name; then it shows the keys, and the write secret for the only time. */
export function CreateStoreDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const api = useApi()
  const queries = useQueryClient()
  const { data: stores = [] } = useStores()
  const { value, set, clear } = useDraft('store', { name: '', id: '', language: DEFAULT_LANGUAGE })
  const taken = stores.map(({ store_id: one }) => one)
  const id = value.id.trim() === '' ? proposedStoreId(value.name, taken) : value.id.trim()
  const creating = useMutation({
    mutationFn: async () => {
      const { name, language } = value
      const store = await api.createStore({ name, ...(id === '' ? {} : { id }) })
      if (language !== DEFAULT_LANGUAGE) {
        // The store exists: its secret must be shown even if this fails.
        await api
          .store(store.store_id)
          .changeSettings({ language })
          .catch(() => toast("Couldn't set the language. Set it in the settings.", 'bad'))
      }
      return store
    },
    onSuccess: (store) => {
      keepSecret(store.store_id, store.write_secret)
      clear()
      void queries.invalidateQueries({ queryKey: STORES_QUERY })
    },
  })
  if (creating.data !== undefined) return <StoreSecrets store={creating.data} onClose={onClose} />
  return (
    <FormDialog title="Create store" submitLabel="Create store" action={creating} onClose={onClose}>
      <TextField
        label="Name"
        name="name"
        about="Shown to your team."
        value={value.name}
        onChange={(name) => set({ ...value, name })}
        isRequired
        autoFocus
      />
      <TextField
        label="Store id"
        name="id"
        about="Letters, digits, - and _. Used in requests; cannot be changed."
        value={value.id === '' ? id : value.id}
        onChange={(typed) => set({ ...value, id: typed })}
        isMono
      />
      <Select
        label="Language of the products"
        options={LANGUAGES.map((tag) => ({ value: tag, label: languageName(tag) }))}
        value={value.language}
        onChange={(language) => set({ ...value, language })}
      />
    </FormDialog>
  )
}

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
        about="The store id does not change. Your shop is not affected."
        value={name}
        onChange={setName}
        isRequired
        autoFocus
      />
    </FormDialog>
  )
}

export function DeleteStoreDialog({
  store,
  onClose,
}: {
  readonly store: StoreSummary | undefined
  readonly onClose: () => void
}): ReactNode {
  const api = useApi()
  const queries = useQueryClient()
  if (store === undefined) return null
  const { store_id: id, name, documents, disk_bytes: bytes } = store
  return (
    <ConfirmDialog
      title={`Delete ${name}?`}
      confirmLabel="Delete store"
      nameToType={id}
      isOpen
      onClose={onClose}
      onConfirm={async () => {
        await api.deleteStore(id)
        await queries.invalidateQueries({ queryKey: STORES_QUERY })
        toast(`${name} deleted`)
      }}
    >
      <p>
        Deletes {formatCount(documents, 'product')} ({formatBytes(bytes)}) and the schema, rules,
        synonyms, presets, keys, events and reports of this store. Its keys stop working
        immediately.
      </p>
      <p>You can only restore it from a snapshot.</p>
    </ConfirmDialog>
  )
}

/** Copies a store, to experiment or for another shop that is similar. */
export function CloneStoreDialog({
  store,
  onClose,
}: {
  readonly store: StoreSummary
  readonly onClose: () => void
}): ReactNode {
  const api = useApi()
  const queries = useQueryClient()
  const [name, setName] = useState(`${store.name} (copy)`)
  const [withProducts, setWithProducts] = useState(true)
  const [progress, setProgress] = useState<CloneProgress>()
  const cloning = useMutation({
    mutationFn: () => cloneStore(api, { from: store.store_id, name, withProducts }, setProgress),
    onSuccess: (made) => keepSecret(made.store_id, made.write_secret),
    onSettled: () => queries.invalidateQueries({ queryKey: STORES_QUERY }),
  })
  if (cloning.data !== undefined) return <StoreSecrets store={cloning.data} onClose={onClose} />
  return (
    <FormDialog
      title={`Clone ${store.name}`}
      submitLabel="Clone store"
      action={cloning}
      isFirm={cloning.isPending}
      onClose={onClose}
    >
      <p className="muted">
        Copies the schema, settings, synonyms, stop words, presets and rules. The new store gets its
        own keys, events and reports.
      </p>
      <TextField label="Name" name="name" value={name} onChange={setName} isRequired autoFocus />
      <Checkbox isSelected={withProducts} onChange={setWithProducts}>
        Also copy {formatCount(store.documents, 'product')}
      </Checkbox>
      {cloning.isPending && progress !== undefined && (
        <p className="small muted number" role="status">
          {progress.step}
          {progress.total > 1 &&
            `: ${formatNumber(progress.done)} of ${formatNumber(progress.total)}`}
        </p>
      )}
    </FormDialog>
  )
}
