import type { StoreSummary } from '@aisle/client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useLocation } from 'wouter'
import { useApi } from '../../api/api.ts'
import { formatCount, formatNumber } from '../../format/numbers.ts'
import { keepSecret } from '../../parts/shown-secrets.ts'
import { storePath, STORES_QUERY } from '../../session/store.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/choice.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorNote } from '../../ui/error-state.tsx'
import { Form } from '../../ui/form.tsx'
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
  const [, navigate] = useLocation()
  const [name, setName] = useState(`${store.name} (copy)`)
  const [withProducts, setWithProducts] = useState(true)
  const [progress, setProgress] = useState<CloneProgress>()
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: () => cloneStore(api, { from: store.store_id, name, withProducts }, setProgress),
    onSuccess: (made) => keepSecret(made.store_id, made.write_secret),
    onSettled: () => queries.invalidateQueries({ queryKey: STORES_QUERY }),
  })
  if (data !== undefined) {
    return (
      <StoreSecrets
        store={data}
        onDone={() => {
          onClose()
          navigate(storePath(data.store_id))
        }}
      />
    )
  }
  return (
    <Dialog title={`Clone ${store.name}`} isOpen onClose={onClose} isFirm={isPending}>
      <Form onSubmit={() => mutate()} error={error}>
        <p className="muted">
          The schema, settings, synonyms, stop words, presets and rules are copied. Keys, events and
          reports are the new store’s own.
        </p>
        <TextField label="Name" name="name" value={name} onChange={setName} isRequired autoFocus />
        <Checkbox isSelected={withProducts} onChange={setWithProducts}>
          Copy the {formatCount(store.documents, 'product')} too
        </Checkbox>
        {isPending && progress !== undefined && (
          <p className="small muted number" role="status">
            {progress.step}
            {progress.total > 1 &&
              `: ${formatNumber(progress.done)} of ${formatNumber(progress.total)}`}
          </p>
        )}
        {error !== null && <ErrorNote error={error} />}
        <div className="form-actions">
          <Button type="submit" variant="primary" isPending={isPending}>
            Clone store
          </Button>
          <Button onPress={onClose} isDisabled={isPending}>
            Cancel
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
