import { Trash2 } from 'lucide-react'
import { useMemo, useState, type ReactNode } from 'react'
import { ROLE_HINTS, useMay } from '../../session/session.ts'
import { useStore } from '../../session/store.ts'
import { useDraft } from '../../state/draft.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Form } from '../../ui/form.tsx'
import type { Column } from '../../ui/table-model.ts'
import { Table } from '../../ui/table.tsx'
import { SearchField, TextField } from '../../ui/text-field.tsx'
import { useChangeConfig } from './config-data.ts'
import { linesToWords } from '../../parts/word-lines.ts'
import { textColumn } from '../../ui/columns.tsx'

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
          size="small"
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
            {words.length === 0 ? empty : 'No entry contains that.'}
          </p>
        }
      />
    </div>
  )
}
