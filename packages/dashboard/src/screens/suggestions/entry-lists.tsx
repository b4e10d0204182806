import type { StoreSuggestionsConfig } from '@aisle/client'
import { Trash2 } from 'lucide-react'
import { type ReactNode, useMemo, useState } from 'react'
import { ROLE_HINTS, useMay } from '../../session/session.ts'
import { useStore } from '../../session/store.ts'
import { useDraft } from '../../state/draft.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Form } from '../../ui/form.tsx'
import type { Column } from '../../ui/table-model.ts'
import { Table } from '../../ui/table.tsx'
import { NumberField, TextField, SearchField } from '../../ui/text-field.tsx'
import { useChangeConfig } from './config-data.ts'
import { numberColumn, textColumn } from '../../ui/columns.tsx'
import { linesToWords } from '../../parts/word-lines.ts'

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
          isDisabled={!mayEdit}
          onPress={() =>
            mutate({
              done: `“${query}” unpinned`,
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
        Suggested with this popularity, regardless of traffic: for campaigns and new shops.
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
        empty={<p className="suggestions-none muted">No pinned suggestions.</p>}
      />
    </div>
  )
}

/** Blocked words, allowed queries: several are added at once, a line each. */
export function WordList({
  name,
  label,
  about,
  empty,
  words,
}: {
  readonly name: 'blocklist' | 'allowlist'
  readonly label: string
  readonly about: string
  readonly empty: string
  readonly words: readonly string[]
}): ReactNode {
  const { storeId } = useStore()
  const mayEdit = useMay('editor')
  const { mutate, error, isPending, reset } = useChangeConfig()
  const draft = useDraft(`suggestions/${storeId}/${name}`, '')
  const [find, setFind] = useState('')
  const rows = useMemo(() => {
    const wanted = find.trim().toLocaleLowerCase()
    return words.filter((word) => word.toLocaleLowerCase().includes(wanted))
  }, [words, find])
  const columns: readonly Column<string>[] = [
    textColumn('word', label, (word) => word),
    {
      id: 'remove',
      header: '',
      width: '56px',
      isMain: true,
      cell: (word) => (
        <IconButton
          label={`Remove ${word}`}
          icon={Trash2}
          isDisabled={!mayEdit}
          onPress={() =>
            mutate({
              done: `“${word}” removed`,
              change: (now) => ({ ...now, [name]: now[name].filter((one) => one !== word) }),
            })
          }
        />
      ),
    },
  ]
  const add = (): void => {
    const typed = draft.value
    mutate({
      done: typed.includes('\n') ? `${label} added` : `“${typed.trim()}” added`,
      change: (now) => ({
        ...now,
        [name]: [...new Set([...now[name], ...linesToWords(typed)])],
      }),
      after: draft.clear,
    })
  }
  return (
    <div className="stack">
      <p className="muted">{about}</p>
      <Form
        onSubmit={add}
        error={error}
        actions={
          <Button
            type="submit"
            isPending={isPending}
            isDisabled={!mayEdit || draft.value.trim() === ''}
          >
            Add words
          </Button>
        }
      >
        <TextField
          label={`Add to ${label.toLowerCase()}`}
          about={mayEdit ? 'One word or phrase per line.' : ROLE_HINTS.editor}
          lines={2}
          value={draft.value}
          onChange={(value) => {
            reset()
            draft.set(value)
          }}
          isDisabled={!mayEdit}
        />
      </Form>
      <Table
        label={label}
        name={`suggestions-${name}`}
        rows={rows}
        total={words.length}
        columns={columns}
        rowId={(word) => word}
        sortParameter={`${name}-sort`}
        tools={<SearchField label="Find words" value={find} onChange={setFind} />}
        empty={
          <p className="suggestions-none muted">
            {words.length === 0 ? empty : 'No entry matches.'}
          </p>
        }
      />
    </div>
  )
}
