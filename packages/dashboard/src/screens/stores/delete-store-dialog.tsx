import type { StoreSummary } from '@aisle/client'
import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useApi } from '../../api/api.ts'
import { formatBytes, formatCount } from '../../format/numbers.ts'
import { STORES_QUERY } from '../../session/store.ts'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { toast } from '../../state/toasts.ts'

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
        toast(`${name} is deleted`)
      }}
    >
      <p>
        {formatCount(documents, 'product')} ({formatBytes(bytes)}) will be gone, with the schema,
        rules, synonyms, presets, keys, events and reports of this store. Its secrets open nothing
        from that moment.
      </p>
      <p>Only a snapshot brings it back.</p>
    </ConfirmDialog>
  )
}
