import type { FileProfile, IdFigures } from '@aisle/import'
import type { ReactNode } from 'react'
import { formatCount, formatNumber } from '../../format/numbers.ts'
import { RadioCards, Select } from '../../ui/choice.tsx'
import { Note } from '../../ui/states.tsx'
import type { ImportPlan, PlannedImport } from './import-plan.ts'

const EMPTY_IDS = [
  { value: 'refuse', label: 'Leave these rows out', about: 'They are listed as refused.' },
  {
    value: 'generate',
    label: 'Generate ids',
    about: 'Each import of the file adds these products again.',
  },
] as const

/** Which column says which product a row is, and what is wrong with its values. */
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
          about="Says which product a row is; the same id replaces the product."
          options={[
            ...names.map((name) => ({ value: name, label: name })),
            {
              value: '',
              label: 'Let the service make ids',
              about: 'Each import makes all products once more',
            },
          ]}
          value={plan.idColumn}
          onChange={(idColumn) => onChange({ ...plan, idColumn })}
        />
      </div>
      {figures !== undefined && figures.repeatedCount > 0 && (
        <Note kind="warn">
          {formatCount(figures.repeatedCount, 'row')} {figures.repeatedCount === 1 ? 'has' : 'have'}{' '}
          the id of an earlier row, and will replace it: {listed(figures)}
        </Note>
      )}
      {figures !== undefined && figures.emptyCount > 0 && (
        <>
          <Note kind="warn">
            {formatNumber(figures.emptyCount)} of {formatCount(figures.rowCount, 'row')}{' '}
            {figures.emptyCount === 1 ? 'has' : 'have'} no id: row{' '}
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
