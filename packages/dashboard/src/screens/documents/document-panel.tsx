import { RefusedError } from '@aisle/client'
import type { ErrorDetail, StoreSchema } from '@aisle/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { useCallback, useState, type ReactNode } from 'react'
import { ROLE_HINTS, useMay } from '../../session/session.ts'
import { useRefresh, useStore } from '../../session/store.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/form-dialog.tsx'
import { ErrorNote, ErrorState, Note, SkeletonLines } from '../../ui/states.tsx'
import { JsonEditor } from '../../ui/json-editor.tsx'
import { SidePanel, type SidePanelProps } from '../../ui/side-panel.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { documentText, faultsIn, parseDocument, withField } from './document-text.ts'
import { EditorButtons, useEditor } from '../../parts/editor.tsx'

/** In the address: a product that does not exist yet. */
export const NEW_DOCUMENT = '+new'

interface DocumentPanelProps extends Pick<SidePanelProps, 'onPrevious' | 'onNext'> {
  /** Id of the product, `NEW_DOCUMENT`, or empty: closed. */
  readonly openId: string
  readonly schema: StoreSchema
  readonly onOpen: (id: string | undefined) => void
}

function documentKey(storeId: string, id: string): readonly string[] {
  return ['document', storeId, id]
}

/** One product as JSON, to be read, changed, added or deleted. */
export function DocumentPanel(props: DocumentPanelProps): ReactNode {
  const { openId, onOpen, onPrevious, onNext } = props
  const isNew = openId === NEW_DOCUMENT
  return (
    <SidePanel
      title={isNew ? 'Add product' : openId}
      isOpen={openId !== ''}
      onClose={() => onOpen(undefined)}
      onPrevious={isNew ? undefined : onPrevious}
      onNext={isNew ? undefined : onNext}
    >
      {isNew ? (
        <Editor key={openId} {...props} id={undefined} saved={'{\n  \n}'} />
      ) : (
        openId !== '' && <Existing key={openId} {...props} />
      )}
    </SidePanel>
  )
}

function Existing(props: DocumentPanelProps): ReactNode {
  const { storeId, calls } = useStore()
  const { data, error, refetch } = useQuery({
    queryKey: documentKey(storeId, props.openId),
    queryFn: async () => documentText((await calls.exactDocument(props.openId)).data),
  })
  if (data !== undefined) return <Editor {...props} id={props.openId} saved={data} />
  if (error instanceof RefusedError && error.status === 404) {
    return <Note>No product has this id. It may have been deleted.</Note>
  }
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />
  return <SkeletonLines count={8} />
}

interface NewDocument {
  readonly id: string
  readonly text: string
}

function Editor({
  id,
  saved,
  schema,
  onOpen,
}: DocumentPanelProps & {
  /** undefined: a new product */
  readonly id: string | undefined
  readonly saved: string
}): ReactNode {
  const { storeId, calls } = useStore()
  const queries = useQueryClient()
  const mayEdit = useMay('editor')
  const editor = useEditor<NewDocument>(`document/${storeId}/${id ?? NEW_DOCUMENT}`, {
    id: id ?? '',
    text: saved,
  })
  const { text } = editor.value
  const [isAsking, setAsking] = useState(false)
  const { error } = editor
  const details = error instanceof RefusedError ? error.details : NO_DETAILS
  const faults = useCallback((current: string) => faultsIn(current, details), [details])
  const isObject = parseDocument(text) !== undefined

  const readAgain = useRefresh()
  const refresh = () => void readAgain('documents', 'stores')
  const save = (): void => {
    const data = parseDocument(text)
    if (data === undefined) return
    const given = id ?? editor.value.id.trim()
    editor.save({
      write: () =>
        calls.index({
          ...(given === '' ? {} : { id: given }),
          action: id === undefined ? 'insert' : 'upsert',
          data,
        }),
      after: () => {
        if (id === undefined) onOpen(undefined)
        else queries.setQueryData(documentKey(storeId, id), documentText(data))
        refresh()
      },
      done: (written) => `Product ${written.id} ${id === undefined ? 'added' : 'saved'}`,
    })
  }
  const remove = () =>
    editor.remove({
      write: () => calls.deleteDocument(id!),
      after: () => {
        onOpen(undefined)
        queries.removeQueries({ queryKey: documentKey(storeId, id!) })
        refresh()
      },
      done: () => `Product ${id} deleted`,
      undo: () =>
        calls.index({ id: id!, action: 'upsert', data: parseDocument(saved) ?? {} }).then(refresh),
    })

  return (
    <div className="documents-editor stack">
      {id === undefined && (
        <TextField
          label="Id"
          about="Your shop's product id. Leave empty to generate one."
          isMono
          value={editor.value.id}
          onChange={(next) => editor.set({ ...editor.value, id: next })}
        />
      )}
      <div className="documents-json">
        <JsonEditor
          label={id === undefined ? 'Fields of the new product' : `Fields of ${id}`}
          value={text}
          onChange={(next) => {
            if (next !== text) editor.set({ ...editor.value, text: next })
          }}
          faults={faults}
          isReadOnly={!mayEdit}
          height="100%"
        />
      </div>
      {mayEdit && (
        <MissingFields
          schema={schema}
          text={text}
          onAdd={(name, type) => editor.set({ ...editor.value, text: withField(text, name, type) })}
        />
      )}
      {error !== null && <ErrorNote error={error} />}
      {!isObject && text.trim() !== '' && (
        <p className="small muted">A product is a JSON object: {'{ "field": value, … }'}.</p>
      )}
      {mayEdit ? (
        <div className="row documents-editor-foot">
          {id !== undefined && (
            <Button variant="ghost" icon={Trash2} onPress={() => setAsking(true)}>
              Delete product
            </Button>
          )}
          <span className="grow" />
          <EditorButtons
            editor={editor}
            label={id === undefined ? 'Add product' : 'Save product'}
            isDisabled={!isObject || (!editor.isChanged && id !== undefined)}
            onSave={save}
          />
        </div>
      ) : (
        <Note>{ROLE_HINTS.editor}.</Note>
      )}
      <ConfirmDialog
        title="Delete this product"
        confirmLabel="Delete product"
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={remove}
      >
        <p>
          Visitors no longer find <code>{id}</code> from the next search on. You can undo this for a
          few seconds.
        </p>
      </ConfirmDialog>
    </div>
  )
}

const NO_DETAILS: readonly ErrorDetail[] = []

/** Fields of the schema that the product lacks; a click adds one, empty. */
function MissingFields({
  schema,
  text,
  onAdd,
}: {
  readonly schema: StoreSchema
  readonly text: string
  readonly onAdd: (name: string, type: string) => void
}): ReactNode {
  const document = parseDocument(text === '' ? '{}' : text)
  if (document === undefined) return null
  // What is inside of objects is added there.
  const objects = schema.fields.filter(({ type }) => type.startsWith('object'))
  const isInside = (name: string): boolean => objects.some((one) => name.startsWith(`${one.name}.`))
  const missing = schema.fields.filter(
    ({ name }) => !Object.hasOwn(document, name) && !isInside(name),
  )
  if (missing.length === 0) return null
  return (
    <div className="row gap-6">
      <span className="small muted">Add a field:</span>
      {missing.map(({ name, type }) => (
        <button
          key={name}
          type="button"
          className="documents-missing-field"
          title={type}
          onClick={() => onAdd(name, type)}
        >
          {name}
        </button>
      ))}
    </div>
  )
}
