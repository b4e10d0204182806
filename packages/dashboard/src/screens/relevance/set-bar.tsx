import { FileUp, Pencil, Save } from 'lucide-react'
import { useRef, useState, type ReactNode } from 'react'
import { useMutation } from '@tanstack/react-query'
import { ChangedMeanwhile, type FieldView } from '../../parts/changed-meanwhile.tsx'
import { DeletedMeanwhile, isDeletedMeanwhile } from '../../parts/deleted-meanwhile.tsx'
import { useResourceChanges } from '../../parts/store-queries.ts'
import { useMay } from '../../session/session.ts'
import { formatCount } from '../../format/numbers.ts'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/choice.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { Note } from '../../ui/states.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { toast } from '../../state/toasts.ts'
import { linesOfQueries, queriesFromLines, readJudgedFile } from './query-lines.ts'
import type { SetQuery } from './judgments.ts'
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
            { value: '', label: 'Top searches' },
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
        Import judgments
      </Button>
      <input
        ref={file}
        type="file"
        hidden
        aria-label="Judgments file"
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
          <button type="button" className="text-link" onClick={draft.clear}>
            Undo changes
          </button>
        </span>
      )}
      <ChangedMeanwhile what="set" draft={draft} view={QUERIES_VIEW} />
      {open === 'edit' && <EditDialog list={list} onClose={() => setOpen(undefined)} />}
      {open === 'save' && <SaveDialog list={list} onClose={() => setOpen(undefined)} />}
    </div>
  )
}

/** A set by its queries. */
const QUERIES_VIEW: FieldView<readonly SetQuery[]> = {
  of: (queries) => Object.fromEntries(queries.map((query) => [query.q, query])),
  back: (fields) => Object.values(fields) as SetQuery[],
  text: (query) => {
    if (query === undefined) return 'not in the set'
    const { weight = 1, judgments } = query as SetQuery
    const grades = Object.keys(judgments ?? {}).length
    return `weight ${weight}, ${formatCount(grades, 'grade')}`
  },
}

interface SetDialogProps {
  readonly list: QueryList
  readonly onClose: () => void
}

function EditDialog({ list: { draft }, onClose }: SetDialogProps): ReactNode {
  const [text, setText] = useState(() => linesOfQueries(draft.value))
  const queries = queriesFromLines(text, draft.value)
  return (
    <FormDialog
      title="Queries to compare"
      submitLabel={`Use ${formatCount(queries.length, 'query', 'queries')}`}
      action={{
        mutate: () => {
          draft.set(queries)
          onClose()
        },
      }}
      onClose={onClose}
    >
      <TextField
        label="One query per line"
        about="After a tab: its weight, such as its number of searches."
        lines={14}
        isMono
        autoFocus
        value={text}
        onChange={setText}
      />
    </FormDialog>
  )
}

function SaveDialog({ list, onClose }: SetDialogProps): ReactNode {
  const { put } = useResourceChanges('query-sets')
  const [typed, setName] = useState(list.name)
  const name = typed.trim()
  const saving = useMutation({
    mutationFn: (isNew: boolean) => {
      const { base, value } = list.draft
      return put(name, { queries: value }, isNew ? undefined : { queries: base })
    },
    onSuccess: () => {
      list.draft.clear()
      list.choose(name)
      toast(`Set ${name} saved`)
      onClose()
    },
  })
  const isGone = isDeletedMeanwhile(saving.error)
  return (
    <FormDialog
      title="Save query set"
      submitLabel="Save set"
      action={{
        mutate: () => saving.mutate(name !== list.name),
        isPending: saving.isPending,
        error: isGone ? null : saving.error,
      }}
      isDisabled={name === ''}
      onClose={onClose}
      width="narrow"
    >
      {isGone && (
        <DeletedMeanwhile
          what="set"
          isPending={saving.isPending}
          onCreate={() => saving.mutate(true)}
          onDiscard={() => {
            list.draft.clear()
            list.choose('')
            onClose()
          }}
        />
      )}
      <TextField label="Name" value={typed} onChange={setName} autoFocus maxLength={128} />
      {list.saved.includes(name) && name !== list.name && (
        <Note kind="warn">A set with this name exists. It will be replaced.</Note>
      )}
    </FormDialog>
  )
}
