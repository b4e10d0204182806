import { Trash2 } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { ROLE_HINTS, useMay } from '../session/session.ts'
import { storePath, useRefresh, useStore } from '../session/store.ts'
import type { Version } from './store-queries.ts'
import { useUrlChange } from '../state/url-state.ts'
import { ConfirmDialog } from '../ui/form-dialog.tsx'
import { ActionMenu } from '../ui/menu.tsx'
import { Page } from '../ui/page.tsx'
import { ErrorNote, Note } from '../ui/states.tsx'
import { TextField } from '../ui/text-field.tsx'
import { ChangedMeanwhile, type FieldView } from './changed-meanwhile.tsx'
import { DeletedMeanwhile, isDeletedMeanwhile } from './deleted-meanwhile.tsx'
import { EditorButtons, type Editor } from './editor.tsx'

/** What is edited under a name that never changes. */
export interface NamedEditorProps<Draft, Value> {
  /** Its list is the page of this with an "s", and the address has its name under it. */
  readonly kind: 'preset' | 'collection'
  readonly title: string
  readonly about: string
  /** Undefined while it is new. */
  readonly saved: { readonly name: string; readonly value: Value } | undefined
  /** The names that others have. */
  readonly others: readonly string[]
  readonly editor: Editor<Draft>
  readonly view: FieldView<Draft>
  /** As typed. */
  readonly name: string
  /** Undefined while it cannot be saved. */
  readonly value: Value | undefined
  readonly resources: {
    readonly save: (name: string, value: Value, base?: Value | Version) => Promise<Version>
    readonly remove: (name: string, base: Value | Version) => Promise<void>
  }
  /** Whether a fault is shown at its field. */
  readonly isFaultShown: boolean
  /** What else can be done with a saved one. */
  readonly actions?: ReactNode
  /** What its end means, in the question before it. */
  readonly atItsEnd: ReactNode
  /** Whether the name must be typed to delete it. */
  readonly isNameTyped?: boolean
  readonly children: ReactNode
}

/** The page around an editor: saving, what others did meanwhile, deleting. */
export function NamedEditor<Draft, Value>({
  kind,
  title,
  about,
  saved,
  others,
  editor,
  view,
  name: typed,
  value,
  resources,
  isFaultShown,
  actions,
  atItsEnd,
  isNameTyped = false,
  children,
}: NamedEditorProps<Draft, Value>): ReactNode {
  const { storeId } = useStore()
  const mayEdit = useMay('editor')
  const change = useUrlChange()
  const refresh = useRefresh()
  const [isDeleting, setDeleting] = useState(false)
  const name = typed.trim()
  const list = `${kind}s` as const
  const noun = `${kind[0]!.toUpperCase()}${kind.slice(1)}`
  const isTaken = saved === undefined && others.includes(name)
  /** @param base absent: creates it */
  const saveOver = (base: Value | undefined): void => {
    if (value === undefined) return
    editor.save({
      write: () => resources.save(name, value, base),
      after: () => change({ [kind]: name, new: undefined, filter: undefined }),
      done: () => `${noun} saved`,
      undo: (written) => {
        if (saved !== undefined) return resources.save(name, saved.value, written)
        change({ [kind]: undefined })
        return resources.remove(name, written)
      },
    })
  }
  return (
    <Page
      title={title}
      about={about}
      above={[{ label: `${noun}s`, to: storePath(storeId, list) }]}
      actions={
        <>
          {saved !== undefined && (
            <>
              <ActionMenu
                actions={[
                  {
                    label: `Delete ${kind}`,
                    icon: Trash2,
                    isDangerous: true,
                    isDisabled: !mayEdit,
                    onAction: () => setDeleting(true),
                  },
                ]}
              />
              {actions}
            </>
          )}
          <EditorButtons
            editor={editor}
            label={`Save ${kind}`}
            isDisabled={
              !mayEdit ||
              name === '' ||
              isTaken ||
              value === undefined ||
              !(saved === undefined || editor.isChanged)
            }
            onSave={() => saveOver(saved?.value)}
          />
        </>
      }
    >
      {!mayEdit && <Note>{ROLE_HINTS.editor}.</Note>}
      {isDeletedMeanwhile(editor.error) ? (
        <DeletedMeanwhile
          what={kind}
          isPending={editor.isPending}
          onCreate={() => saveOver(undefined)}
          onDiscard={() => {
            editor.discard()
            change({ [kind]: undefined })
            void refresh(list)
          }}
        />
      ) : (
        editor.error !== null && !isFaultShown && <ErrorNote error={editor.error} />
      )}
      <ChangedMeanwhile what={kind} draft={editor} view={view} />
      {children}
      {saved !== undefined && (
        <ConfirmDialog
          title={`Delete “${title}”`}
          confirmLabel={`Delete ${kind}`}
          {...(isNameTyped ? { nameToType: saved.name } : {})}
          isOpen={isDeleting}
          onClose={() => setDeleting(false)}
          onConfirm={() =>
            editor.remove({
              write: () => resources.remove(saved.name, saved.value),
              after: () => change({ [kind]: undefined }),
              done: () => `${noun} deleted`,
              undo: () => resources.save(saved.name, saved.value),
            })
          }
        >
          {atItsEnd}
        </ConfirmDialog>
      )}
    </Page>
  )
}

/** The name of a new one. */
export function NameField({
  about,
  placeholder,
  value,
  onChange,
  others,
  error,
}: {
  readonly about: string
  readonly placeholder?: string
  readonly value: string
  readonly onChange: (name: string) => void
  /** Names that are taken. */
  readonly others: readonly string[]
  readonly error: string | undefined
}): ReactNode {
  const mayEdit = useMay('editor')
  return (
    <TextField
      label="Name"
      about={`Letters, digits, spaces, dots, colons, hyphens and underscores. ${about}`}
      isMono
      maxLength={128}
      {...(placeholder === undefined ? {} : { placeholder })}
      value={value}
      onChange={onChange}
      isDisabled={!mayEdit}
      error={others.includes(value.trim()) ? 'This name is taken' : error}
    />
  )
}
