import type { Snapshot, SnapshotStore } from '@aisle/client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ArchiveRestore } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useApi } from '../../api/api.ts'
import { formatCount, formatNumber } from '../../format/numbers.ts'
import { formatExactTime } from '../../format/time.ts'
import { keepSecret } from '../../parts/secret-value.tsx'
import { proposedStoreId } from '../../parts/store-id.ts'
import { NewKeys } from '../../parts/store-secrets.tsx'
import { STORES_QUERY, useStores } from '../../session/store.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { ErrorNote, SkeletonLines } from '../../ui/states.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { RESTORES_QUERY, RestoreProgress } from './restores.tsx'

/** The stores of a snapshot, each with a way to make a new store of it. */
export function StoresInSnapshot({ snapshot }: { readonly snapshot: Snapshot }): ReactNode {
  const api = useApi()
  const [chosen, setChosen] = useState<SnapshotStore>()
  const { data, error } = useQuery({
    queryKey: ['snapshot-stores', snapshot.name],
    queryFn: async () => (await api.snapshotStores(snapshot.name)).stores,
    staleTime: Infinity,
  })
  if (error !== null) return <ErrorNote attempt="load" error={error} />
  if (data === undefined) return <SkeletonLines count={2} />
  return (
    <>
      <p className="muted">
        Makes a new store of one in the snapshot, with new keys. No other store changes.
      </p>
      <ul className="snapshot-stores" aria-label="Stores of the snapshot">
        {data.map((store) => (
          <li key={store.store_id}>
            <span className="grow">
              <span className="strong">{store.name}</span>{' '}
              <span className="muted small number">{formatCount(store.documents, 'product')}</span>
            </span>
            <Button
              icon={ArchiveRestore}
              aria-label={`Restore ${store.name}`}
              onPress={() => setChosen(store)}
            >
              Restore
            </Button>
          </li>
        ))}
      </ul>
      {chosen !== undefined && (
        <RestoreDialog snapshot={snapshot} store={chosen} onClose={() => setChosen(undefined)} />
      )}
    </>
  )
}

function RestoreDialog({
  snapshot,
  store,
  onClose,
}: {
  readonly snapshot: Snapshot
  readonly store: SnapshotStore
  readonly onClose: () => void
}): ReactNode {
  const api = useApi()
  const queries = useQueryClient()
  const { data: stores = [] } = useStores()
  const [name, setName] = useState(`${store.name} (restored)`)
  const [given, setId] = useState('')
  const taken = stores.map(({ store_id: one }) => one)
  const id = given === '' ? proposedStoreId(name, taken) : given
  const restoring = useMutation({
    mutationFn: () => api.restoreStore(snapshot.name, { store: store.store_id, id, name }),
    onSuccess: ({ store: made }) => {
      keepSecret(made.store_id, made.write_secret)
      void queries.invalidateQueries({ queryKey: STORES_QUERY })
      void queries.invalidateQueries({ queryKey: RESTORES_QUERY })
    },
  })
  if (restoring.data !== undefined) {
    const { restore, store: made } = restoring.data
    return (
      <Dialog
        title={`Restore ${store.name}`}
        onClose={onClose}
        footer={<Button onPress={onClose}>Close</Button>}
      >
        <RestoreProgress id={restore.id} name={made.name} />
        <NewKeys store={made} />
      </Dialog>
    )
  }
  return (
    <FormDialog
      title={`Restore ${store.name}`}
      submitLabel="Restore store"
      action={restoring}
      onClose={onClose}
    >
      <p className="muted">
        The new store gets the {formatNumber(store.documents)} products, schema, settings, synonyms,
        stop words, presets and rules of {formatExactTime(Date.parse(snapshot.created_at))}. It has
        no events yet.
      </p>
      <TextField label="Name" name="name" value={name} onChange={setName} isRequired autoFocus />
      <TextField
        label="Store id"
        name="id"
        about="Letters, digits, - and _. Used in requests; cannot be changed."
        value={id}
        onChange={setId}
        isRequired
        isMono
      />
    </FormDialog>
  )
}
