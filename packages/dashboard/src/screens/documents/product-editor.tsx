import { RefusedError } from '@aisle/client'
import type { DocumentWritten, ErrorDetail, StoreSchema } from '@aisle/contract'
import { useQueryClient } from '@tanstack/react-query'
import { Copy, Trash2 } from 'lucide-react'
import { useCallback, useEffect, useMemo, useState, type ReactNode } from 'react'
import { fieldErrors } from '../../api/failure.ts'
import { ChangedMeanwhile, type FieldView } from '../../parts/changed-meanwhile.tsx'
import { DeletedMeanwhile, isDeletedMeanwhile } from '../../parts/deleted-meanwhile.tsx'
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
import type { Product } from './product-values.ts'
import {
  deleteProduct,
  saveProduct,
  savedProductQuery,
  type SavedProduct,
} from './saved-product.ts'

interface ProductDraft {
  readonly id: string
  readonly text: string
}

interface ProductEditorProps {
  /** undefined: a new product */
  readonly id: string | undefined
  readonly saved: SavedProduct | undefined
  readonly draftName: string
  readonly schema: StoreSchema
  readonly onOpen: (id: string | undefined) => void
}

/** In the name of its draft, and in the address: a product that does not exist yet. */
const NEW = '+new'

/** A product as a form, as JSON, and as searches see it. All edit the same text. */
export function ProductEditor(props: ProductEditorProps): ReactNode {
  const { id, onOpen } = props
  const { storeId, calls } = useStore()
  const queries = useQueryClient()
  const saved = props.saved?.text ?? NO_DRAFT.text
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
  const isGone = isDeletedMeanwhile(error)
  useWarning(editor.isChanged)

  const readAgain = useRefresh()
  const refresh = () => void readAgain('documents', 'stores')
  const { save, add } = useSave(props, editor, product)
  const close = (): void => {
    onOpen(undefined)
    queries.removeQueries(savedProductQuery(storeId, calls, id!))
    refresh()
  }
  const remove = () =>
    editor.remove({
      write: () =>
        deleteProduct(calls, id!, props.saved!, (newest) => {
          queries.setQueryData(savedProductQuery(storeId, calls, id!).queryKey, newest)
        }),
      after: close,
      done: () => `Product ${id} deleted`,
      undo: () =>
        calls.index({ id: id!, action: 'insert', data: parseDocument(saved) ?? {} }).then(refresh),
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
      <ChangedMeanwhile what="product" draft={editor} view={PRODUCT_VIEW} />
      {isGone && (
        <DeletedMeanwhile
          what="product"
          isPending={editor.isPending}
          onCreate={add}
          onDiscard={() => {
            editor.discard()
            close()
          }}
        />
      )}
      <Tabs label="Parts of the product" tabs={tabs} parameter="panel" />
      {error !== null && !isGone && <ErrorNote error={error} />}
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

const PRODUCT_VIEW: FieldView<ProductDraft> = {
  of: ({ text }) => parseDocument(text),
  back: (fields, mine) => ({ ...mine, text: documentText(fields) }),
}

/** Saves the product, or adds it: a new one, or one that somebody else has deleted. */
function useSave(
  { id, saved, schema, onOpen }: ProductEditorProps,
  editor: Editor<ProductDraft>,
  product: Product | undefined,
): { readonly save: () => void; readonly add: () => void } {
  const { storeId, calls } = useStore()
  const queries = useQueryClient()
  const readAgain = useRefresh()
  const end = (write: (product: Product) => Promise<DocumentWritten>, isAdded: boolean): void => {
    if (product === undefined) return
    editor.save({
      write: () => write(product),
      after: () => {
        if (id === undefined) onOpen(undefined)
        else {
          const query = savedProductQuery(storeId, calls, id)
          const text = documentText(product)
          queries.setQueryData(query.queryKey, (before) => before && { ...before, text })
          void queries.invalidateQueries(query)
        }
        void readAgain('documents', 'stores')
      },
      done: (written) => `Product ${written.id} ${isAdded ? 'added' : 'saved'}`,
    })
  }
  const add = (): void =>
    end((data) => {
      const given = id ?? editor.value.id.trim()
      const named = given === '' ? {} : { id: given }
      return calls.index({ ...named, action: 'insert', data: { ...data } })
    }, true)
  const save = (): void => {
    if (id === undefined || saved === undefined) return add()
    end((data) => {
      const { queryKey } = savedProductQuery(storeId, calls, id)
      return saveProduct({ calls, schema }, id, saved, data, (newest) => {
        queries.setQueryData(queryKey, newest)
      })
    }, false)
  }
  return { save, add }
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
