import { RefusedError } from '@aisle/client'
import type { SchemaFieldRequest, StoreSchema } from '@aisle/contract'
import { Plus, Table2 } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { ChangedMeanwhile, type FieldView } from '../../parts/changed-meanwhile.tsx'
import {
  isChangedMeanwhile,
  requireUnchanged,
  useDeclaredSchema,
} from '../../parts/store-queries.ts'
import { ROLE_HINTS, useMay } from '../../session/session.ts'
import { useRefresh, useStore } from '../../session/store.ts'
import { useDraft } from '../../state/draft.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState, ErrorState, SkeletonLines } from '../../ui/states.tsx'
import { JsonEditor } from '../../ui/json-editor.tsx'
import { Page } from '../../ui/page.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { toast } from '../../state/toasts.ts'
import { AddField } from './add-field.tsx'
import { EarlierCopy } from './earlier-copy.tsx'
import { FieldTable } from './field-table.tsx'
import { LearnButton } from './learn-button.tsx'
import { PublishBar } from './publish-bar.tsx'
import { useRebuild } from './rebuild-job.ts'
import { RebuildPanel } from './rebuild-panel.tsx'
import {
  changeMode,
  fieldWords,
  parseSchema,
  schemaChanges,
  schemaText,
  wholeField,
  withGuessed,
} from './schema-diff.ts'
import { SchemaProgress } from './schema-progress.tsx'
import './schema.css'

const ABOUT = 'Product fields: their types and roles.'

const DONE = {
  additive: 'Fields added',
  change: 'Schema change started',
  replace: 'Schema replaced',
} as const

/** The draft, JSON text, by its fields. */
const FIELDS_VIEW: FieldView<string> = {
  of: (text) => {
    const fields = parseSchema(text)
    return fields && Object.fromEntries(fields.map((field) => [field.name, field]))
  },
  back: (fields) => schemaText(Object.values(fields) as SchemaFieldRequest[]),
  text: (field) =>
    field === undefined ? '—' : fieldWords(wholeField(field as SchemaFieldRequest)),
}

/** The fields of the store: as a table, as JSON, and as a draft of both. */
export function SchemaScreen(): ReactNode {
  const { data, error, refetch } = useDeclaredSchema()
  if (data !== undefined) return <Schema saved={data} />
  return (
    <Page width="reading" title="Schema" about={ABOUT}>
      {error === null ? (
        <SkeletonLines count={8} />
      ) : (
        <ErrorState error={error} onRetry={() => void refetch()} />
      )}
    </Page>
  )
}

function Schema({ saved }: { readonly saved: StoreSchema }): ReactNode {
  const { storeId, calls } = useStore()
  const refresh = useRefresh()
  const mayEdit = useMay('editor')
  /** The draft whose values the service could not convert. */
  const [misfit, setMisfit] = useState<string>()
  const rebuild = useRebuild()
  // The draft is what the copy is built with.
  const isBuilding = rebuild?.storeId === storeId && rebuild.phase !== 'swapped'
  const isEditable = mayEdit && !isBuilding
  const savedText = schemaText(saved.fields)
  // The text is the draft: the table writes it too, and incomplete JSON is not lost.
  const draft = useDraft(`schema/${storeId}`, savedText)
  const [isAdding, setAdding] = useState(false)
  const fields = parseSchema(draft.value)
  const changes = fields === undefined ? undefined : schemaChanges(saved, fields)
  const mode = changes === undefined ? 'none' : changeMode(changes)
  const set = (next: readonly SchemaFieldRequest[]): void => draft.set(schemaText(next))
  const add = (more: readonly SchemaFieldRequest[]): void => set(withGuessed(fields ?? [], more))

  const publish = async (): Promise<void> => {
    if (fields === undefined || mode === 'none') return
    const { value, etag } = await calls.taggedSchema()
    try {
      requireUnchanged(schemaText(value.fields), draft.base)
      await calls.changeSchema({ mode, fields }, etag)
    } catch (error) {
      if (isChangedMeanwhile(error)) await refresh('schema')
      if (error instanceof RefusedError && error.code === 'schema_conversion_failed') {
        setMisfit(draft.value)
      }
      throw error
    }
    draft.clear()
    toast(DONE[mode])
    await refresh('schema', 'documents', 'settings', 'stores')
  }

  const isEmpty = draft.value === '[]'
  return (
    <Page
      width="reading"
      title="Schema"
      about={mayEdit ? ABOUT : `${ABOUT} ${ROLE_HINTS.editor}.`}
      actions={
        <>
          <LearnButton isDisabled={!isEditable || fields === undefined} onLearned={add} />
          <Button
            icon={Plus}
            isDisabled={!isEditable || fields === undefined}
            onPress={() => setAdding(true)}
          >
            Add field
          </Button>
        </>
      }
    >
      <SchemaProgress saved={saved} />
      {rebuild === undefined && <EarlierCopy />}
      <Tabs
        label="Views of the schema"
        tabs={[
          {
            id: 'table',
            label: 'Fields',
            content:
              changes === undefined ? (
                <EmptyState icon={Table2} title="The JSON is not a list of fields">
                  Fix it in the JSON tab, or discard it below.
                </EmptyState>
              ) : isEmpty && changes.length === 0 ? (
                <EmptyState icon={Table2} title="No fields yet">
                  Detect them from a file of products, or add them one by one. An import detects
                  them too.
                </EmptyState>
              ) : (
                <FieldTable
                  changes={changes}
                  fields={fields!}
                  mayEdit={isEditable}
                  onChange={set}
                />
              ),
          },
          {
            id: 'json',
            label: 'JSON',
            content: (
              <JsonEditor
                label="Fields as JSON"
                value={draft.value}
                onChange={(text) => text !== draft.value && draft.set(text)}
                isReadOnly={!isEditable}
                height={440}
              />
            ),
          },
        ]}
      />
      <ChangedMeanwhile what="schema" draft={draft} view={FIELDS_VIEW} />
      {draft.isChanged && !draft.isOutdated && isEditable && (
        <PublishBar
          fields={fields}
          changes={changes}
          mode={mode}
          isMisfit={mode === 'change' && misfit === draft.value}
          onDiscard={draft.clear}
          onPublish={publish}
        />
      )}
      <RebuildPanel />
      {isAdding && (
        <AddField
          taken={new Set((fields ?? []).map(({ name }) => name))}
          onClose={() => setAdding(false)}
          onAdd={(field) => {
            add([field])
            setAdding(false)
          }}
        />
      )}
    </Page>
  )
}
