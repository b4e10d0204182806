import { FileUp, Pencil, Save } from 'lucide-react'
import { useRef, useState, type ReactNode } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { useStore } from '../../session/store.ts'
import { useMay } from '../../session/session.ts'
import { formatCount } from '../../format/numbers.ts'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/choice.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorNote } from '../../ui/error-state.tsx'
import { Note } from '../../ui/note.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { toast } from '../../ui/toast.tsx'
import { linesOfQueries, queriesFromLines, readJudgedFile } from './query-lines.ts'
import type { QueryList } from './workbench-state.ts'

/** The queries to compare: chosen, typed, read from a file, saved. */
export function SetBar({ list }: { readonly list: QueryList }): ReactNode {
  const [open, setOpen] = useState<'edit' | 'save'>()
  const file = useRef<HTMLInputElement>(null)
  const mayEdit = useMay('editor')
  const { name, saved, draft } = list
  const known = name === '' || saved.includes(name) ? saved : [name, ...saved]
  const read = async (chosen: File): Promise<void> => {
    const { queries, judgments, faults } = readJudgedFile(await chosen.text())
    if (queries.length > 0) draft.set(queries)
    const count = `${formatCount(queries.length, 'query', 'queries')}, ${formatCount(judgments, 'grade')}`
    const fault = faults.length === 0 ? '' : `. ${faults.join('; ')}`
    toast(`${count} read${fault}`, queries.length === 0 ? 'bad' : 'good')
  }
  return (
    <div className="row relevance-set">
      <div className="relevance-set-choice">
        <Select
          label="Queries"
          isLabelHidden
          options={[
            { value: '', label: 'What visitors search for' },
            ...known.map((value) => ({ value, label: value })),
          ]}
          value={name}
          onChange={list.choose}
        />
      </div>
      <Button icon={Pencil} onPress={() => setOpen('edit')}>
        Type queries
      </Button>
      <Button icon={FileUp} onPress={() => file.current?.click()}>
        Read judged file
      </Button>
      <input
        ref={file}
        type="file"
        hidden
        aria-label="Judged file"
        accept=".csv,.tsv,.txt,.json"
        onChange={(event) => {
          const chosen = event.target.files?.[0]
          event.target.value = ''
          if (chosen !== undefined) void read(chosen)
        }}
      />
      <Button
        icon={Save}
        isDisabled={!mayEdit || draft.value.length === 0}
        onPress={() => setOpen('save')}
      >
        Save set
      </Button>
      {draft.isChanged && (
        <span className="small">
          Changed, not saved.{' '}
          <button type="button" className="relevance-link" onClick={draft.clear}>
            Undo changes
          </button>
        </span>
      )}
      {open === 'edit' && <EditDialog list={list} onClose={() => setOpen(undefined)} />}
      {open === 'save' && <SaveDialog list={list} onClose={() => setOpen(undefined)} />}
    </div>
  )
}

interface SetDialogProps {
  readonly list: QueryList
  readonly onClose: () => void
}

function EditDialog({ list: { draft }, onClose }: SetDialogProps): ReactNode {
  const [text, setText] = useState(() => linesOfQueries(draft.value))
  const queries = queriesFromLines(text, draft.value)
  return (
    <Dialog
      title="Queries to compare"
      isOpen
      onClose={onClose}
      footer={
        <>
          <Button onPress={onClose}>Cancel</Button>
          <Button
            variant="primary"
            onPress={() => {
              draft.set(queries)
              onClose()
            }}
          >
            {`Take ${formatCount(queries.length, 'query', 'queries')}`}
          </Button>
        </>
      }
    >
      <TextField
        label="A query a line"
        about="Behind a tab: how much it counts, such as how often it is searched for."
        lines={14}
        isMono
        autoFocus
        value={text}
        onChange={setText}
      />
    </Dialog>
  )
}

function SaveDialog({ list, onClose }: SetDialogProps): ReactNode {
  const { storeId, calls } = useStore()
  const client = useQueryClient()
  const [name, setName] = useState(list.name)
  const [error, setError] = useState<unknown>()
  const [isPending, setPending] = useState(false)
  const save = async (): Promise<void> => {
    setPending(true)
    try {
      await calls.putResource('query-sets', name.trim(), { queries: list.draft.value })
      await client.invalidateQueries({ queryKey: ['query-sets', storeId] })
      list.draft.clear()
      list.choose(name.trim())
      toast(`Set ${name.trim()} saved`)
      onClose()
    } catch (failure) {
      setError(failure)
      setPending(false)
    }
  }
  const isThere = list.saved.includes(name.trim()) && name.trim() !== list.name
  return (
    <Dialog
      title="Save query set"
      isOpen
      onClose={onClose}
      width="narrow"
      footer={
        <>
          <Button onPress={onClose}>Cancel</Button>
          <Button
            variant="primary"
            isPending={isPending}
            isDisabled={name.trim() === ''}
            onPress={() => void save()}
          >
            Save set
          </Button>
        </>
      }
    >
      <TextField label="Name" value={name} onChange={setName} autoFocus maxLength={128} />
      {isThere && <Note kind="warn">There is a set of that name: it will be replaced.</Note>}
      {error !== undefined && <ErrorNote error={error} />}
    </Dialog>
  )
}
