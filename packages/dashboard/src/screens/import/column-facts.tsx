import { DATE_ORDERS, NUMBER_FORMATS, type ProposedColumn } from '@aisle/import'
import type { ReactNode } from 'react'
import { formatNumber, formatPercent } from '../../format/numbers.ts'
import { Select } from '../../ui/choice.tsx'
import type { ImportPlan } from './import-plan.ts'

const FORMATS = Object.entries(NUMBER_FORMATS).map(([value, label]) => ({
  value: value as keyof typeof NUMBER_FORMATS,
  label,
}))
const ORDERS = Object.entries(DATE_ORDERS).map(([value, label]) => ({
  value: value as keyof typeof DATE_ORDERS,
  label,
}))

/** Why a column has its type, which values do not fit, and how values are read. */
export function ColumnFacts({
  column,
  plan,
  onChange,
}: {
  readonly column: ProposedColumn
  readonly plan: ImportPlan
  readonly onChange: (plan: ImportPlan) => void
}): ReactNode {
  const { path, why, reading, question, emptyShare, faults, faultCount, hasFormat } = column
  const isOpen = question !== undefined && question.kind !== 'mixed'
  return (
    <span className="import-facts small">
      <span>{sentence(why)}</span>
      {emptyShare > 0 && emptyShare < 1 && (
        <span className="muted">
          Empty in {emptyShare < 0.01 ? '<1%' : formatPercent(emptyShare, 0)} of rows
        </span>
      )}
      {faultCount > 0 && (
        <span className="import-fault">
          {faults.map(({ row, value }) => `Row ${formatNumber(row)}: “${value}”`).join(', ')}
          {faultCount > faults.length && `, and ${formatNumber(faultCount - faults.length)} more`}
        </span>
      )}
      {hasFormat && (
        <Select
          label={`Number format of ${path}`}
          isLabelHidden
          options={isOpen ? [{ value: '' as const, label: 'Choose format' }, ...FORMATS] : FORMATS}
          value={isOpen ? '' : (reading.numbers ?? 'point')}
          onChange={(format) =>
            format !== '' && onChange({ ...plan, numbers: { ...plan.numbers, [path]: format } })
          }
        />
      )}
      {reading.dates !== undefined && (isOpen || plan.dates[path] !== undefined) && (
        <Select
          label={`Date format of ${path}`}
          isLabelHidden
          options={isOpen ? [{ value: '' as const, label: 'Choose format' }, ...ORDERS] : ORDERS}
          value={isOpen ? '' : reading.dates}
          onChange={(order) =>
            order !== '' && onChange({ ...plan, dates: { ...plan.dates, [path]: order } })
          }
        />
      )}
    </span>
  )
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}
