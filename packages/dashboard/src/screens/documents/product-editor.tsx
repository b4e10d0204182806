import { RefusedError } from '@aisle/client'
import type { ErrorDetail, StoreSchema } from '@aisle/contract'
import { useQueryClient } from '@tanstack/react-query'
import { Copy, Trash2 } from 'lucide-react'
import { useCallback, useEffect, useMemo, useState, type ReactNode } from 'react'
import { fieldErrors } from '../../api/failure.ts'
import { EditorButtons, useEditor, type Editor } from '../../parts/editor.tsx'
import { useSettings } from '../../parts/store-queries.ts'
import { ROLE_HINTS, useMay } from '../../session/session.ts'
import { useRefresh, useStore } from '../../session/store.ts'
import { useDraft } from '../../state/draft.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/form-dialog.tsx'
import { JsonEditor } from '../../ui/json-editor.tsx'
import { ErrorNote, Note } from '../../ui/states.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { documentText, faultsIn, parseDocument } from './document-text.ts'
import { MissingFields } from './missing-fields.tsx'
import { ProductContext } from './product-context.tsx'
import { ProductForm } from './product-form.tsx'
import { changesBetween, type Product } from './product-values.ts'

interface ProductDraft {
  readonly id: string
  readonly text: string
}

interface ProductEditorProps {
  /** undefined: a new product */
  readonly id: string | undefined
  readonly saved: string
  readonly draftName: string
  readonly schema: StoreSchema
  readonly onOpen: (id: string | undefined) => void
}

export function documentKey(storeId: string, id: string): readonly string[] {
  return ['document', storeId, id]
}

/** In the name of its draft, and in the address: a product that does not exist yet. */
const NEW = '+new'

/** A product as a form, as JSON, and as searches see it. All edit the same text. */
export function ProductEditor(props: ProductEditorProps): ReactNode {
  const { id, saved, onOpen } = props
  const { storeId, calls } = useStore()
  const queries = useQueryClient()
  const mayEdit = useMay('editor')
  const editor = useEditor<ProductDraft>(`document/${storeId}/${props.draftName}`, {
    id: id ?? '',
    text: saved,
  })
  const copy = useDraft<ProductDraft>(`document/${storeId}/${NEW}`, NO_DRAFT)
  const [isAsking, setAsking] = useState(false)
  const { text } = editor.value
  const product = parseDocument(text === '' ? '{}' : text)
  const { error } = editor
  useWarning(editor.isChanged)

  const readAgain = useRefresh()
  const refresh = () => void readAgain('documents', 'stores')
  const save = useSave(props, editor, product)
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

  const tabs = [
    { id: 'fields', label: 'Product', content: <FormTab {...props} editor={editor} /> },
    ...(id === undefined
      ? []
      : [
          {
            id: 'searches',
            label: 'In searches',
            content: (
              <ProductContext id={id} product={parseDocument(saved) ?? {}} onOpen={onOpen} />
            ),
          },
        ]),
    { id: 'json', label: 'JSON', content: <JsonTab {...props} editor={editor} /> },
  ]
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
      <Tabs label="Parts of the product" tabs={tabs} parameter="panel" />
      {error instanceof ChangedMeanwhile ? (
        <Note>{error.message}</Note>
      ) : (
        error !== null && <ErrorNote error={error} />
      )}
      {mayEdit ? (
        <div className="documents-editor-foot">
          {editor.isChanged && (
            <span className="documents-unsaved small muted">Unsaved changes</span>
          )}
          {id !== undefined && (
            <>
              <Button variant="ghost" icon={Trash2} onPress={() => setAsking(true)}>
                Delete product
              </Button>
              <Button
                variant="ghost"
                icon={Copy}
                onPress={() => {
                  copy.set({ id: '', text })
                  onOpen(NEW)
                }}
              >
                Duplicate
              </Button>
            </>
          )}
          <span className="grow" />
          <EditorButtons
            editor={editor}
            label={id === undefined ? 'Add product' : 'Save product'}
            isDisabled={product === undefined || (!editor.isChanged && id !== undefined)}
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

const NO_DRAFT: ProductDraft = { id: '', text: '{\n  \n}' }
const NO_DETAILS: readonly ErrorDetail[] = []

/** Fields that both changed: the person decides. */
class ChangedMeanwhile extends Error {
  /** The product as it is now. */
  readonly current: string

  constructor(names: readonly string[], current: string) {
    super(
      `Someone else has changed ${names.join(', ')} in the meantime. Save again to overwrite it, or discard your changes to see it.`,
    )
    this.current = current
  }
}

/**
 * Saves only what was changed: what others wrote into other fields stays. A document has no
 * version to name in a request, so it is read before, and a field that both changed is not
 * overwritten at first.
 */
function useSave(
  { id, saved, schema, onOpen }: ProductEditorProps,
  editor: Editor<ProductDraft>,
  product: Product | undefined,
): () => void {
  const { storeId, calls } = useStore()
  const queries = useQueryClient()
  const readAgain = useRefresh()
  return () => {
    if (product === undefined) return
    const isObject = (path: string): boolean =>
      schema.fields.some(({ name, type }) => name === path && type === 'object')
    const { error } = editor
    const known = error instanceof ChangedMeanwhile ? error.current : saved
    editor.save({
      write: async () => {
        if (id === undefined) {
          const given = editor.value.id.trim()
          const data = { ...product }
          return calls.index({ ...(given === '' ? {} : { id: given }), action: 'insert', data })
        }
        const before = parseDocument(saved) ?? {}
        const patch = changesBetween(before, product, isObject)
        const current = documentText((await calls.exactDocument(id)).data)
        const others = changesBetween(
          parseDocument(known) ?? {},
          parseDocument(current) ?? {},
          isObject,
        )
        const both = Object.keys(patch).filter((name) => Object.hasOwn(others, name))
        if (both.length > 0) throw new ChangedMeanwhile(both, current)
        return calls.index({ id, action: 'update', data: { ...patch } })
      },
      after: () => {
        if (id === undefined) onOpen(undefined)
        else {
          queries.setQueryData(documentKey(storeId, id), documentText(product))
          void queries.invalidateQueries({ queryKey: documentKey(storeId, id) })
        }
        void readAgain('documents', 'stores')
      },
      done: (written) => `Product ${written.id} ${id === undefined ? 'added' : 'saved'}`,
    })
  }
}

interface TabProps extends ProductEditorProps {
  readonly editor: Editor<ProductDraft>
}

function FormTab({ id, schema, editor }: TabProps): ReactNode {
  const mayEdit = useMay('editor')
  const card = useSettings().data?.product_card
  const { value, error } = editor
  const product = parseDocument(value.text === '' ? '{}' : value.text)
  const errors = useMemo(() => errorsOfFields(error), [error])
  if (product === undefined) {
    return <Note>The JSON of this product has a mistake. Correct it under JSON.</Note>
  }
  return (
    <ProductForm
      id={id ?? value.id}
      schema={schema}
      card={card}
      product={product}
      errors={errors}
      isDisabled={!mayEdit}
      onChange={(next) => editor.set({ ...value, text: documentText(next) })}
    />
  )
}

function JsonTab({ id, schema, editor }: TabProps): ReactNode {
  const mayEdit = useMay('editor')
  const { error, value } = editor
  const { text } = value
  const details = error instanceof RefusedError ? error.details : NO_DETAILS
  const faults = useCallback((current: string) => faultsIn(current, details), [details])
  const isObject = parseDocument(text) !== undefined
  return (
    <>
      <div className="documents-json">
        <JsonEditor
          label={id === undefined ? 'Fields of the new product' : `Fields of ${id}`}
          value={text}
          onChange={(next) => {
            if (next !== text) editor.set({ ...value, text: next })
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
          onAdd={(next) => editor.set({ ...value, text: next })}
        />
      )}
      {!isObject && text.trim() !== '' && (
        <p className="small muted">A product is a JSON object: {'{ "field": value, … }'}.</p>
      )}
    </>
  )
}

/** The service names fields as `data.size.width`, and elements of lists `data.colors[2]`. */
function errorsOfFields(error: unknown): ReadonlyMap<string, string> {
  const errors = new Map<string, string>()
  for (const [param, message] of Object.entries(fieldErrors(error))) {
    if (!param.startsWith('data.')) continue
    const [name = ''] = param.slice('data.'.length).split('[')
    if (!errors.has(name)) errors.set(name, message)
  }
  return errors
}

/** The browser asks before it closes a tab with changes; drafts do not survive that. */
function useWarning(isChanged: boolean): void {
  useEffect(() => {
    if (!isChanged) return undefined
    const warn = (event: BeforeUnloadEvent): void => event.preventDefault()
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [isChanged])
}
