import type { StoreSchema } from '@aisle/contract'
import { useMemo, useState, type ReactNode } from 'react'
import { formatBytes, formatCount, formatNumber } from '../../format/numbers.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox, RadioCards } from '../../ui/choice.tsx'
import { ErrorNote, Note } from '../../ui/states.tsx'
import { Section } from '../../ui/page.tsx'
import { FileError } from './file-drop.tsx'
import type { ImportDraft } from './import-draft.ts'
import type { Reading } from '../../parts/import-file.ts'
import { IdForm, ReadingForm } from './file-forms.tsx'
import {
  doubledTarget,
  plannedImport,
  previewRows,
  type ImportAction,
  type ImportPlan,
} from './import-plan.ts'
import { MappingTable } from './mapping-table.tsx'
import { PreviewTable } from './preview-table.tsx'
import { useMutation } from '@tanstack/react-query'

const ACTIONS: readonly { value: ImportAction; label: string; about: string }[] = [
  {
    value: 'upsert',
    label: 'Add and replace',
    about: 'Adds new products and replaces those with a known id.',
  },
  {
    value: 'update',
    label: 'Update only',
    about: 'Updates these fields of known products and refuses unknown ids.',
  },
  { value: 'insert', label: 'Add only', about: 'Adds new products and refuses known ids.' },
]

const UNKNOWN = [
  { value: 'add', label: 'Add to the schema', about: 'Visitors can search and filter by them.' },
  { value: 'ignore', label: 'Skip', about: 'Products are imported without them.' },
] as const

interface PlanFormProps {
  readonly draft: ImportDraft
  readonly schema: StoreSchema
  /** Another import is running. */
  readonly isBusy: boolean
  /** Rows of this file that were imported before. */
  readonly done: number
  readonly error: unknown
  readonly onRead: (reading: Reading) => void
  readonly onChange: (plan: ImportPlan) => void
  readonly onCancel: () => void
  readonly onStart: (skip: number) => Promise<void>
}

/** The content of the file, the target of each column, and a preview of the first rows. */
export function PlanForm(props: PlanFormProps): ReactNode {
  const { draft, schema, isBusy, done, error, onRead, onChange, onCancel, onStart } = props
  const { opened, plan } = draft
  const { rows, file, profile } = opened
  const [goesOn, setGoesOn] = useState(true)
  const planned = useMemo(() => plannedImport(opened, schema, plan), [opened, schema, plan])
  const preview = useMemo(
    () => previewRows(opened, schema, plan, planned),
    [opened, schema, plan, planned],
  )
  const refused = preview.filter((row) => row.error !== undefined).length
  const { added, open, unknown } = planned
  const doubled = doubledTarget(planned)
  const bad = profile.badRows
  const isAsked = unknown.length > 0 && plan.unknown === undefined
  const hasHtml = plan.keepsHtml || planned.columns.some(({ reading }) => reading.stripsHtml)
  const starting = useMutation({ mutationFn: () => onStart(goesOn ? done : 0) })
  return (
    <>
      <Section
        title={file.name}
        about={`${formatBytes(file.size)} · ${formatCount(profile.rowCount, 'row')} · ${formatCount(planned.columns.length, 'column')}`}
        actions={<Button onPress={onCancel}>Choose another file</Button>}
      >
        <ReadingForm opened={opened} onRead={onRead} />
        {error !== null && <FileError error={error} />}
        {bad.count > 0 && (
          <Note kind="warn">
            {formatCount(bad.count, 'row')} will be refused, because{' '}
            {rows.columns === undefined
              ? 'they are not JSON objects'
              : 'their number of cells differs from the number of columns'}
            : {bad.count === 1 ? 'row' : 'rows'}{' '}
            {bad.rows.map((row) => formatNumber(row)).join(', ')}
            {bad.count > bad.rows.length && ', …'}
          </Note>
        )}
      </Section>
      <Section
        title="Column mapping"
        about={
          added.length === 0
            ? 'All fields exist in the store.'
            : `${formatCount(added.length, 'field')} will be added. Types are guessed from all ${formatCount(profile.rowCount, 'row')}; check them before you start.`
        }
      >
        <IdForm plan={plan} planned={planned} profile={profile} onChange={onChange} />
        {unknown.length > 0 && (
          <RadioCards
            label={`The file has ${formatCount(unknown.length, 'field')} that the store lacks: ${unknown.map(({ target }) => target).join(', ')}`}
            options={UNKNOWN}
            value={plan.unknown ?? ('' as 'add')}
            onChange={(choice) => onChange({ ...plan, unknown: choice })}
          />
        )}
        {open.length > 0 && (
          <Note kind="warn">
            The format of {open.map(({ path }) => `“${path}”`).join(', ')} is ambiguous. Choose it
            in the table.
          </Note>
        )}
        <MappingTable plan={plan} planned={planned} schema={schema} onChange={onChange} />
        {planned.distinct !== undefined && (
          <Note>
            Variants of a product share “{planned.distinct}”. Searches will show only the best of
            them: the setting “distinct”, which you can change later.
          </Note>
        )}
        {hasHtml && (
          <Checkbox
            isSelected={plan.keepsHtml}
            onChange={(keepsHtml) => onChange({ ...plan, keepsHtml })}
          >
            Keep HTML tags in texts
          </Checkbox>
        )}
        {doubled !== undefined && (
          <Note kind="bad">
            Two columns are mapped to “{doubled}”. Leave one out, or choose another field for it.
          </Note>
        )}
      </Section>
      <Section
        title={preview.length === 1 ? 'First row' : `First ${formatNumber(preview.length)} rows`}
        about={
          refused === 0
            ? 'As they will be sent.'
            : `${formatNumber(refused)} of them would be refused. The others will be imported.`
        }
      >
        <PreviewTable rows={preview} planned={planned} />
      </Section>
      <Section title="Import">
        <RadioCards
          label="Existing products"
          options={ACTIONS}
          value={plan.action}
          onChange={(action) => onChange({ ...plan, action })}
        />
        {done > 0 && (
          <Checkbox isSelected={goesOn} onChange={setGoesOn}>
            Continue after row {formatNumber(done)}, where an earlier import of this file ended
          </Checkbox>
        )}
        {starting.error !== null && <ErrorNote error={starting.error} />}
        {isAsked && <Note>Choose above what to do with new fields.</Note>}
        {isBusy && <Note>Another import is running. Start this one when it is done.</Note>}
        <div className="row import-foot">
          <Button
            variant="primary"
            isPending={starting.isPending}
            isDisabled={
              doubled !== undefined || isBusy || isAsked || open.length > 0 || preview.length === 0
            }
            onPress={() => starting.mutate()}
          >
            {added.length === 0
              ? 'Start import'
              : `Add ${formatCount(added.length, 'field')} and start import`}
          </Button>
        </div>
      </Section>
    </>
  )
}
