import type { StoreSummary } from '@aisle/client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useApi } from '../../api/api.ts'
import { formatCount, formatNumber } from '../../format/numbers.ts'
import { keepSecret } from '../../parts/secret-value.tsx'
import { STORES_QUERY } from '../../session/store.ts'
import { Checkbox } from '../../ui/choice.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { cloneStore, type CloneProgress } from './clone-store.ts'
import { StoreSecrets } from './store-secrets.tsx'

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
        The schema, settings, synonyms, stop words, presets and rules are copied. Keys, events and
        reports are the new store’s own.
      </p>
      <TextField label="Name" name="name" value={name} onChange={setName} isRequired autoFocus />
      <Checkbox isSelected={withProducts} onChange={setWithProducts}>
        Copy the {formatCount(store.documents, 'product')} too
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
