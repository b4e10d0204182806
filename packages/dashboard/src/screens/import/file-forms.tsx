import type { FileProfile, IdFigures } from '@aisle/import'
import type { ReactNode } from 'react'
import { formatCount, formatNumber } from '../../format/numbers.ts'
import { RadioCards, Select } from '../../ui/choice.tsx'
import { Note } from '../../ui/states.tsx'
import type { ImportPlan, PlannedImport } from './import-plan.ts'
import type { OpenedFile, Reading } from '../../parts/import-file.ts'

const EMPTY_IDS = [
  { value: 'refuse', label: 'Skip these rows', about: 'Listed as refused rows.' },
  {
    value: 'generate',
    label: 'Generate ids',
    about: 'Each import adds these products again.',
  },
] as const

/** The column that identifies products, and what is wrong with its values. */
export function IdForm({
  plan,
  planned,
  profile,
  onChange,
}: {
  readonly plan: ImportPlan
  readonly planned: PlannedImport
  readonly profile: FileProfile
  readonly onChange: (plan: ImportPlan) => void
}): ReactNode {
  const figures = profile.ids.get(plan.idColumn)
  const names = planned.columns.map(({ path }) => path)
  if (plan.idColumn !== '' && !names.includes(plan.idColumn)) names.push(plan.idColumn)
  return (
    <>
      <div className="import-id">
        <Select
          label="Product id"
          about="Identifies the product; a row with a known id replaces it."
          options={[
            ...names.map((name) => ({ value: name, label: name })),
            {
              value: '',
              label: 'Generate ids',
              about: 'Re-creates all products on each import',
            },
          ]}
          value={plan.idColumn}
          onChange={(idColumn) => onChange({ ...plan, idColumn })}
        />
      </div>
      {figures !== undefined && figures.repeatedCount > 0 && (
        <Note kind="warn">
          {formatCount(figures.repeatedCount, 'row')} {figures.repeatedCount === 1 ? 'has' : 'have'}{' '}
          the id of an earlier row and will replace it: {listed(figures)}
        </Note>
      )}
      {figures !== undefined && figures.emptyCount > 0 && (
        <>
          <Note kind="warn">
            {formatNumber(figures.emptyCount)} of {formatCount(figures.rowCount, 'row')}{' '}
            {figures.emptyCount === 1 ? 'has' : 'have'} no id:{' '}
            {figures.emptyCount === 1 ? 'row' : 'rows'}{' '}
            {figures.emptyRows.map((row) => formatNumber(row)).join(', ')}
            {figures.emptyCount > figures.emptyRows.length && ', …'}
          </Note>
          <RadioCards
            label="Rows without an id"
            options={EMPTY_IDS}
            value={plan.emptyIds}
            onChange={(emptyIds) => onChange({ ...plan, emptyIds })}
          />
        </>
      )}
    </>
  )
}

function listed({ repeatedIds, repeatedCount }: IdFigures): string {
  return repeatedIds.join(', ') + (repeatedCount > repeatedIds.length ? ', …' : '')
}

const FORMATS = [
  { value: 'csv', label: 'CSV' },
  { value: 'tsv', label: 'TSV' },
  { value: 'json', label: 'JSON array' },
  { value: 'ndjson', label: 'JSONL, one object per line' },
  { value: 'xml', label: 'XML product feed' },
] as const
const DELIMITERS = [
  { value: '', label: 'Detected' },
  { value: ',', label: 'Comma' },
  { value: ';', label: 'Semicolon' },
  { value: '\t', label: 'Tab' },
  { value: '|', label: 'Vertical bar' },
]
const ENCODINGS = ['utf-8', 'utf-16le', 'windows-1252', 'windows-1250', 'windows-1251', 'shift_jis']

/** How the file is read: detected, and correctable. */
export function ReadingForm({
  opened: { source, reading, rows },
  onRead,
}: {
  readonly opened: OpenedFile
  readonly onRead: (reading: Reading) => void
}): ReactNode {
  const { label: encoding, example } = rows.encoding
  const encodings = ENCODINGS.includes(encoding) ? ENCODINGS : [...ENCODINGS, encoding]
  return (
    <>
      <div className="import-reading">
        <Select
          label="Format"
          options={FORMATS}
          value={source.format}
          onChange={(format) => onRead({ ...reading, format })}
        />
        {rows.columns !== undefined && (
          <Select
            label="Delimiter"
            options={DELIMITERS}
            value={reading.delimiter ?? ''}
            onChange={(delimiter) =>
              onRead({ ...reading, delimiter: delimiter === '' ? undefined : delimiter })
            }
          />
        )}
        <Select
          label="Encoding"
          options={encodings.map((value) => ({ value, label: value }))}
          value={encoding}
          onChange={(next) => onRead({ ...reading, encoding: next })}
        />
      </div>
      {example !== undefined && (
        <Note kind="warn">
          The file is not UTF-8. It is read as {encoding}, e.g. “{example}”. If that looks wrong,
          choose another encoding.
        </Note>
      )}
    </>
  )
}
