import type { StoreSummary } from '@aisle/client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useApi } from '../../api/api.ts'
import { formatCount } from '../../format/numbers.ts'
import { Select } from '../../ui/choice.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { Note } from '../../ui/states.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { perform } from '../../state/change.ts'

/** With more stores than this, the id is typed. */
const LISTED_MAX = 200

/** Two stores change products, schema and settings; what that means is shown before. */
export function SwapStoresDialog({
  store,
  stores,
  onClose,
}: {
  readonly store: StoreSummary
  readonly stores: readonly StoreSummary[]
  readonly onClose: () => void
}): ReactNode {
  const api = useApi()
  const queries = useQueryClient()
  const others = likelyFirst(stores, store)
  const [otherId, setOtherId] = useState(others[0]?.store_id ?? '')
  const other = others.find(({ store_id: id }) => id === otherId.trim())
  const swap = async (id: string): Promise<void> => {
    await api.swapStores(store.store_id, id)
    // Whatever is known of either of them is that of the other one.
    await queries.invalidateQueries()
  }
  const swapping = useMutation({
    mutationFn: () => {
      const id = otherId.trim()
      return perform({
        write: () => swap(id),
        after: onClose,
        done: () => `${store.name} and ${other?.name ?? id} swapped`,
        undo: () => swap(id),
      })
    },
  })
  return (
    <FormDialog
      title={`Swap ${store.name}`}
      submitLabel="Swap stores"
      action={swapping}
      isFirm={swapping.isPending}
      isDisabled={otherId.trim() === ''}
      onClose={onClose}
    >
      <p className="muted">
        Exchanges the products, schema, settings, synonyms, stop words, presets and rules of two
        stores at once. Ids, names, keys, events and reports stay. Swap again to undo.
      </p>
      {others.length === 0 && <Note>No other store yet. Clone this one first.</Note>}
      {others.length > LISTED_MAX ? (
        <TextField
          label="Id of the other store"
          name="other"
          value={otherId}
          onChange={setOtherId}
          isRequired
          autoFocus
        />
      ) : (
        others.length > 0 && (
          <Select
            label="With"
            options={others.map(({ store_id: id, name, documents }) => ({
              value: id,
              label: name,
              about: `${id} · ${formatCount(documents, 'product')}`,
            }))}
            value={otherId}
            onChange={setOtherId}
          />
        )
      )}
      {other !== undefined && <Outcome store={store} other={other} />}
    </FormDialog>
  )
}

function Outcome({
  store,
  other,
}: {
  readonly store: StoreSummary
  readonly other: StoreSummary
}): ReactNode {
  const pairs = [
    [store, other],
    [other, store],
  ] as const
  const empty = pairs.find(([, next]) => next.documents === 0)?.[0]
  return (
    <>
      <dl className="stores-swap">
        {pairs.map(([one, next]) => (
          <div key={one.store_id}>
            <dt>
              <code>{one.store_id}</code>
            </dt>
            <dd className="number">
              {formatCount(one.documents, 'product')} →{' '}
              <strong>{formatCount(next.documents, 'product')}</strong>
            </dd>
          </div>
        ))}
      </dl>
      {empty !== undefined && (
        <Note kind="warn">
          {empty.name} will have no products, so its searches will find nothing.
        </Note>
      )}
    </>
  )
}

/** Stores that `aisle reindex` or a clone has made for this one, then the others by name. */
function likelyFirst(stores: readonly StoreSummary[], store: StoreSummary): StoreSummary[] {
  const isLikely = ({ store_id: id, name }: StoreSummary): number =>
    Number(id.startsWith(store.store_id)) + Number(name.startsWith(store.name))
  return stores
    .filter(({ store_id: id }) => id !== store.store_id)
    .toSorted((a, b) => isLikely(b) - isLikely(a) || (a.name < b.name ? -1 : 1))
}
