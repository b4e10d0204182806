import type { DocumentEdit, SchemaField, StoreSchema } from '@aisle/contract'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { Plus, X } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { formatCount, formatNumber } from '../../format/numbers.ts'
import { ProductName, useProducts } from '../../parts/product-titles.tsx'
import { useRefresh, useStore } from '../../session/store.ts'
import { useDebounced } from '../../state/clock.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Select } from '../../ui/choice.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorNote, Note, SkeletonLines } from '../../ui/states.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { ACTION_WORDS, actionsOf, editableFields, editOf } from './edit-actions.ts'
import type { ActionKind, EditAction } from './edit-actions.ts'
import { EditJob } from './edit-job.tsx'
import { FieldInput } from './field-input.tsx'
import { inputText } from './product-values.ts'

/** Which products an edit is about, in words and for the request. */
export interface EditSelection {
  readonly words: string
  readonly request: { readonly q?: string; readonly filter_by?: string }
}

/** Edits all products of a selection: actions, what they would do, then the job. */
export function BulkEditDialog({
  selection,
  schema,
  onClose,
}: {
  readonly selection: EditSelection
  readonly schema: StoreSchema
  readonly onClose: () => void
}): ReactNode {
  const { calls } = useStore()
  const refresh = useRefresh()
  const fields = editableFields(schema.fields)
  const [actions, setActions] = useState<readonly EditAction[]>(() => [firstAction(fields)])
  const [note, setNote] = useState('')
  const [jobId, setJobId] = useState<string>()
  const edit = editOf(actions, fields)
  const isDeletion = actions.some(({ kind }) => kind === 'delete')
  const preview = usePreview(selection, edit)
  const { mutate, error, isPending } = useMutation({
    mutationFn: () =>
      calls.editDocuments({
        ...selection.request,
        edit: edit!,
        ...(note.trim() === '' ? {} : { note: note.trim() }),
      }),
    onSuccess: (job) => {
      setJobId(job.id)
      void refresh('edits')
    },
  })
  if (jobId !== undefined) {
    return (
      <Dialog title="Bulk edit" onClose={onClose} width="wide">
        <EditJob id={jobId} onReplaced={setJobId} />
      </Dialog>
    )
  }
  const count = preview.data?.found
  const products = count === undefined ? 'products' : formatCount(count, 'product')
  return (
    <Dialog
      title="Edit products"
      onClose={onClose}
      width="wide"
      footer={
        <>
          <Button onPress={onClose}>Cancel</Button>
          <Button
            variant={isDeletion ? 'danger' : 'primary'}
            isPending={isPending}
            isDisabled={edit === undefined || preview.data === undefined || count === 0}
            onPress={() => mutate()}
          >
            {isDeletion ? `Delete ${products}` : `Edit ${products}`}
          </Button>
        </>
      }
    >
      <p className="muted">{selection.words}</p>
      <div className="stack gap-12">
        {actions.map((action, at) => (
          <ActionRow
            // Actions have no names, and are never moved.
            key={at}
            action={action}
            fields={fields}
            onChange={(next) =>
              setActions(
                next.kind === 'delete' ? [next] : actions.map((one, i) => (i === at ? next : one)),
              )
            }
            onRemove={
              actions.length > 1 ? () => setActions(actions.filter((_, i) => i !== at)) : undefined
            }
          />
        ))}
        {!isDeletion && (
          <div>
            <Button
              icon={Plus}
              size="small"
              onPress={() => setActions([...actions, firstAction(fields)])}
            >
              Add action
            </Button>
          </div>
        )}
      </div>
      <TextField
        label="Reason for the change"
        about="Optional. Shown in the history."
        value={note}
        onChange={setNote}
        maxLength={500}
      />
      {error !== null && <ErrorNote error={error} />}
      <Preview preview={preview} isDeletion={isDeletion} isReady={edit !== undefined} />
    </Dialog>
  )
}

function firstAction(fields: readonly SchemaField[]): EditAction {
  return { kind: 'set', field: fields[0]?.name ?? '', value: undefined }
}

function usePreview(selection: EditSelection, edit: DocumentEdit | undefined) {
  const { storeId, calls } = useStore()
  const text = useDebounced(edit === undefined ? '' : JSON.stringify(edit))
  return useQuery({
    queryKey: ['documents', storeId, 'edit', selection.request, text],
    queryFn: ({ signal }) =>
      // The text has every digit of its numbers.
      calls.previewEdit({ ...selection.request, edit: edit ?? {} }, signal),
    enabled: text !== '' && edit !== undefined && text === JSON.stringify(edit),
    placeholderData: keepPreviousData,
    retry: false,
  })
}

function ActionRow({
  action,
  fields,
  onChange,
  onRemove,
}: {
  readonly action: EditAction
  readonly fields: readonly SchemaField[]
  readonly onChange: (action: EditAction) => void
  readonly onRemove: (() => void) | undefined
}): ReactNode {
  const field = fields.find(({ name }) => name === action.field) ?? fields[0]!
  const kinds: ActionKind[] = [...actionsOf(field), 'delete']
  const type = action.kind === 'set' || field.type.endsWith('[]') ? field.type : 'float'
  const hasValue = action.kind !== 'clear' && action.kind !== 'delete'
  return (
    <div className="bulk-action" role="group" aria-label="Action">
      {action.kind !== 'delete' && (
        <Select
          label="Field"
          options={fields.map(({ name }) => ({ value: name, label: name }))}
          value={field.name}
          onChange={(name) => {
            const next = fields.find((one) => one.name === name)!
            const kind = actionsOf(next).includes(action.kind) ? action.kind : 'set'
            onChange({ kind, field: name, value: undefined })
          }}
        />
      )}
      <Select
        label="Action"
        options={kinds.map((kind) => ({ value: kind, label: ACTION_WORDS[kind] }))}
        value={action.kind}
        onChange={(kind) => onChange({ kind, field: field.name, value: action.value })}
      />
      {hasValue && (
        <FieldInput
          key={`${field.name} ${type}`}
          label="Value"
          name={field.name}
          type={type}
          isFacet={field.facet}
          value={action.value}
          onChange={(value) => onChange({ ...action, value })}
          isDisabled={false}
        />
      )}
      {onRemove !== undefined && (
        <IconButton label={`Remove the action on ${field.name}`} icon={X} onPress={onRemove} />
      )}
    </div>
  )
}

function Preview({
  preview: { data, error, isFetching },
  isDeletion,
  isReady,
}: {
  readonly preview: ReturnType<typeof usePreview>
  readonly isDeletion: boolean
  readonly isReady: boolean
}): ReactNode {
  const samples = data?.samples ?? []
  const products = useProducts(samples.map(({ id }) => id))
  if (!isReady) return <p className="muted small">Fill in the actions to see what changes.</p>
  if (error !== null) return <ErrorNote attempt="load" error={error} />
  if (data === undefined) return <SkeletonLines count={4} />
  const { found, checked, changed, unchanged, refused } = data
  const scope = checked < found ? `Of the first ${formatNumber(checked)}: ` : ''
  const verb = isDeletion ? 'will be deleted' : 'will change'
  return (
    <section className="stack gap-12" aria-label="Preview" aria-busy={isFetching}>
      <p>
        <span className="strong number">{formatCount(found, 'product')} found.</span> {scope}
        {formatNumber(changed)} {verb}
        {unchanged > 0 && `, ${formatNumber(unchanged)} already have these values`}
        {refused > 0 && `, ${formatNumber(refused)} can't be changed`}.
      </p>
      {data.warnings?.map((warning) => (
        <Note key={warning}>{warning}</Note>
      ))}
      {data.errors.length > 0 && (
        <ul className="bulk-refused small" aria-label="Can't be changed">
          {data.errors.map(({ id, error: reason }) => (
            <li key={id}>
              <code>{id}</code> {reason}
            </li>
          ))}
        </ul>
      )}
      {samples.length > 0 && (
        <ul className="lined bulk-samples" aria-label="First products">
          {samples.map(({ id, before, after }) => (
            <li key={id} className="stack gap-4">
              <span className="cut">
                <ProductName id={id} products={products} />
              </span>
              {[...new Set([...Object.keys(before), ...Object.keys(after)])].map((name) => (
                <Difference key={name} name={name} before={before[name]} after={after[name]} />
              ))}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

const VALUE_SHOWN_CHARS = 160

function Difference({
  name,
  before,
  after,
}: {
  readonly name: string
  readonly before: unknown
  readonly after: unknown
}): ReactNode {
  return (
    <span className="bulk-difference small">
      <span className="muted">{name}</span>
      <del>{shownText(before)}</del>
      <span aria-hidden>→</span>
      <ins>{shownText(after)}</ins>
    </span>
  )
}

function shownText(value: unknown): string {
  const text = inputText(value)
  if (text === '') return 'none'
  return text.length > VALUE_SHOWN_CHARS ? `${text.slice(0, VALUE_SHOWN_CHARS)}…` : text
}
