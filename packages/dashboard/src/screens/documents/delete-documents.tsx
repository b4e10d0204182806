import { Pencil, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatCount } from '../../format/numbers.ts'
import { useRefresh, useStore } from '../../session/store.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/form-dialog.tsx'
import { toast } from '../../state/toasts.ts'
import { idsExpression } from './filter-clauses.ts'

/** Which products are to be deleted. */
export type Deletion =
  | { readonly kind: 'all'; readonly count: number }
  | { readonly kind: 'filtered'; readonly count: number; readonly filterBy: string }
  | { readonly kind: 'chosen'; readonly ids: readonly string[] }

/** Asks, with the count of what will be gone, then deletes. */
export function DeleteDialog({
  deletion,
  onClose,
  onDone,
}: {
  readonly deletion: Deletion | undefined
  readonly onClose: () => void
  readonly onDone: () => void
}): ReactNode {
  const { summary, calls } = useStore()
  const refresh = useRefresh()
  if (deletion === undefined) return null
  const count = deletion.kind === 'chosen' ? deletion.ids.length : deletion.count
  const products = formatCount(count, 'product')
  const remove = async (): Promise<void> => {
    const { documents_deleted: deleted } =
      deletion.kind === 'all'
        ? await calls.clearDocuments()
        : await calls.deleteDocuments(
            deletion.kind === 'filtered' ? deletion.filterBy : idsExpression(deletion.ids),
          )
    toast(`${formatCount(deleted, 'product')} deleted`)
    onDone()
    await refresh('documents', 'stores')
  }
  return (
    <ConfirmDialog
      title={deletion.kind === 'all' ? 'Delete all products' : `Delete ${products}`}
      confirmLabel={`Delete ${products}`}
      {...(deletion.kind === 'chosen' ? {} : { nameToType: summary.name })}
      isOpen
      onClose={onClose}
      onConfirm={remove}
    >
      <p>
        {deletion.kind === 'all'
          ? `All ${products} of ${summary.name} are deleted. Searches find nothing until you import products. The schema, rules and settings stay.`
          : `${products} of ${summary.name} ${count === 1 ? 'is' : 'are'} deleted. Visitors no longer find ${count === 1 ? 'it' : 'them'}.`}
      </p>
      <p className="muted">This cannot be undone. Export first to keep a copy.</p>
    </ConfirmDialog>
  )
}

/** At the foot of the table while rows are ticked. */
export function SelectionBar({
  ids,
  onEdit,
  onDelete,
  onClear,
}: {
  readonly ids: ReadonlySet<string>
  readonly onEdit: () => void
  readonly onDelete: () => void
  readonly onClear: () => void
}): ReactNode {
  if (ids.size === 0) return null
  return (
    <div className="documents-selection floating" role="region" aria-label="Selection">
      <span className="strong number">{formatCount(ids.size, 'product')} selected</span>
      <span className="grow" />
      <Button onPress={onClear}>Clear selection</Button>
      <Button icon={Pencil} onPress={onEdit}>
        Edit products
      </Button>
      <Button variant="danger" icon={Trash2} onPress={onDelete}>
        Delete products
      </Button>
    </div>
  )
}
