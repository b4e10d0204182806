import type { StoreSuggestionsConfig } from '@aisle/client'
import { Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { ROLE_HINTS, useMay } from '../../session/session.ts'
import { useStore } from '../../session/store.ts'
import { useDraft } from '../../state/draft.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Form } from '../../ui/form.tsx'
import type { Column } from '../../ui/table-model.ts'
import { Table } from '../../ui/table.tsx'
import { NumberField, TextField } from '../../ui/text-field.tsx'
import { useChangeConfig } from './config-data.ts'
import { numberColumn, textColumn } from '../../ui/columns.tsx'

type Pinned = StoreSuggestionsConfig['pinned'][number]

const POPULARITY_MAX = 1_000_000_000
const NEW: Pinned = { query: '', popularity: 1_000 }

/** Entries suggested whatever visitors do, by popularity. */
export function PinnedList({ config }: { readonly config: StoreSuggestionsConfig }): ReactNode {
  const { storeId } = useStore()
  const mayEdit = useMay('editor')
  const { mutate, error, isPending, reset } = useChangeConfig()
  const draft = useDraft<Pinned>(`suggestions/${storeId}/pinned`, NEW)
  const set = (value: Pinned): void => {
    reset()
    draft.set(value)
  }
  const add = (): void => {
    const pinned = { ...draft.value, query: draft.value.query.trim() }
    mutate({
      done: `“${pinned.query}” pinned`,
      change: (now) => ({
        ...now,
        pinned: [...now.pinned.filter(({ query }) => query !== pinned.query), pinned],
      }),
      after: draft.clear,
    })
  }
  const columns: readonly Column<Pinned>[] = [
    textColumn('query', 'Query', ({ query }) => query),
    numberColumn('popularity', 'Popularity', ({ popularity }) => popularity),
    {
      id: 'remove',
      header: '',
      width: '56px',
      isMain: true,
      cell: ({ query }) => (
        <IconButton
          label={`Unpin ${query}`}
          icon={Trash2}
          size="small"
          isDisabled={!mayEdit}
          onPress={() =>
            mutate({
              done: `“${query}” is not pinned any more`,
              change: (now) => ({
                ...now,
                pinned: now.pinned.filter((one) => one.query !== query),
              }),
            })
          }
        />
      ),
    },
  ]
  return (
    <div className="stack">
      <p className="muted">
        Suggested with this popularity, whatever visitors do: for campaigns, and for a shop that has
        no visitors yet.
      </p>
      <Form onSubmit={add} error={error}>
        <div className="suggestions-add">
          <TextField
            label="Query"
            value={draft.value.query}
            onChange={(query) => set({ ...draft.value, query })}
            maxLength={80}
            isDisabled={!mayEdit}
          />
          <NumberField
            label="Popularity"
            value={draft.value.popularity}
            onChange={(popularity) =>
              set({ ...draft.value, popularity: Number.isFinite(popularity) ? popularity : 0 })
            }
            minValue={0}
            maxValue={POPULARITY_MAX}
            isDisabled={!mayEdit}
          />
          <Button
            type="submit"
            isPending={isPending}
            isDisabled={!mayEdit || draft.value.query.trim() === ''}
          >
            Pin suggestion
          </Button>
        </div>
        {!mayEdit && <p className="small muted">{ROLE_HINTS.editor}</p>}
      </Form>
      <Table
        label="Pinned suggestions"
        name="suggestions-pinned"
        rows={config.pinned}
        columns={columns}
        rowId={({ query }) => query}
        sortParameter="pinned-sort"
        empty={<p className="suggestions-none muted">Nothing is pinned.</p>}
      />
    </div>
  )
}
