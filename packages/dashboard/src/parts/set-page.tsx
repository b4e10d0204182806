import { useMutation } from '@tanstack/react-query'
import { Plus, Trash2, type LucideIcon } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { ROLE_HINTS, useMay } from '../session/session.ts'
import { useUrlState } from '../state/url-state.ts'
import { formatCount } from '../format/numbers.ts'
import { Button } from '../ui/button.tsx'
import { Select, Switch } from '../ui/choice.tsx'
import { ConfirmDialog, FormDialog } from '../ui/form-dialog.tsx'
import { EmptyState, ErrorState, Note, Skeleton } from '../ui/states.tsx'
import { Page } from '../ui/page.tsx'
import { TextField } from '../ui/text-field.tsx'
import { toast } from '../state/toasts.ts'
import type { QuerySet, QuerySets } from './query-sets.ts'
import { perform } from '../state/change.ts'
import './set-page.css'

export interface SetPageProps<Entry> {
  readonly title: string
  readonly about: string
  readonly icon: LucideIcon
  /** Why a first set is worth making. */
  readonly why: string
  /** What an entry is called: `synonym`, `stop word`. */
  readonly entryName: string
  readonly sets: QuerySets<Entry>
  readonly actions?: (set: QuerySet<Entry>) => ReactNode
  /** Candidates for entries; shown above the sets, even before the first one exists. */
  readonly suggestions?: (set: QuerySet<Entry> | undefined) => ReactNode
  /** The entries of the chosen set. */
  readonly children: (set: QuerySet<Entry>, mayEdit: boolean) => ReactNode
}

/**
 * The page for one kind of sets: which one is open, whether it applies by default, and its entries.
 */
export function SetPage<Entry>(props: SetPageProps<Entry>): ReactNode {
  const { query, save, change, remove } = props.sets
  const [chosen, choose] = useUrlState('set')
  const [isMaking, setMaking] = useState(false)
  const [isDeleting, setDeleting] = useState(false)
  const mayEdit = useMay('editor')
  const sets = query.data
  const set = sets?.find(({ name }) => name === chosen) ?? sets?.[0]

  const makeButton = (variant: 'primary' | 'secondary'): ReactNode => (
    <Button icon={Plus} variant={variant} isDisabled={!mayEdit} onPress={() => setMaking(true)}>
      Create set
    </Button>
  )
  const { mutate: changeDefault } = useMutation({
    mutationFn: (isDefault: boolean) => change(set!.name, (newest) => ({ ...newest, isDefault })),
    onSuccess: (_, isDefault) =>
      toast(isDefault ? 'Applies to every search' : 'Applies only where named'),
    onError: () => toast("Couldn't change the set", 'bad'),
  })

  return (
    <Page
      title={props.title}
      about={props.about}
      actions={
        set !== undefined && (
          <>
            {makeButton('secondary')}
            {props.actions?.(set)}
          </>
        )
      }
    >
      {!mayEdit && <Note>{ROLE_HINTS.editor}.</Note>}
      {query.isError && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && <Skeleton height={240} />}
      {sets !== undefined && props.suggestions?.(set)}
      {sets?.length === 0 && (
        <EmptyState
          icon={props.icon}
          title={`No ${props.entryName}s yet`}
          action={makeButton('primary')}
        >
          {props.why}
        </EmptyState>
      )}
      {set !== undefined && (
        <>
          <div className="set-bar">
            <div className="set-choice">
              <Select
                label="Set"
                isLabelHidden
                options={sets!.map(({ name, entries }) => ({
                  value: name,
                  label: name,
                  about: formatCount(entries.length, props.entryName),
                }))}
                value={set.name}
                onChange={choose}
              />
            </div>
            <Switch isSelected={set.isDefault} isDisabled={!mayEdit} onChange={changeDefault}>
              Applies to every search that names no set
            </Switch>
            <span className="grow" />
            <Button
              variant="ghost"
              size="small"
              icon={Trash2}
              isDisabled={!mayEdit}
              onPress={() => setDeleting(true)}
            >
              Delete set
            </Button>
          </div>
          {props.children(set, mayEdit)}
          <ConfirmDialog
            title={`Delete “${set.name}”`}
            confirmLabel="Delete set"
            isOpen={isDeleting}
            onClose={() => setDeleting(false)}
            onConfirm={() =>
              perform({
                write: () => remove(set.name, set),
                after: () => choose(''),
                done: () => 'Set deleted',
                undo: () => save(set),
              })
            }
          >
            <p>
              Its {formatCount(set.entries.length, props.entryName)} will no longer apply to
              searches. Searches and presets that name the set will fail.
            </p>
          </ConfirmDialog>
        </>
      )}
      {isMaking && (
        <MakeSet
          taken={new Set(sets?.map(({ name }) => name))}
          onClose={() => setMaking(false)}
          onMake={async (name) => {
            await save({ name, entries: [], isDefault: true })
            choose(name)
            setMaking(false)
          }}
        />
      )}
    </Page>
  )
}

function MakeSet({
  taken,
  onClose,
  onMake,
}: {
  readonly taken: ReadonlySet<string>
  readonly onClose: () => void
  readonly onMake: (name: string) => Promise<void>
}): ReactNode {
  const [typed, setName] = useState('')
  const name = typed.trim()
  const making = useMutation({ mutationFn: () => onMake(name) })
  return (
    <FormDialog
      title="Create set"
      submitLabel="Create set"
      action={making}
      isDisabled={name === '' || taken.has(name)}
      onClose={onClose}
    >
      <TextField
        label="Name"
        name="name"
        about="Letters, digits, spaces, dots, colons, hyphens and underscores. It applies to every search; you can change that later."
        error={taken.has(name) ? 'This name is taken' : undefined}
        value={typed}
        onChange={setName}
        autoFocus
      />
    </FormDialog>
  )
}
