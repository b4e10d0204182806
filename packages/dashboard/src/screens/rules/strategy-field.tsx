import type { ReactNode } from 'react'
import { Select } from '../../ui/choice.tsx'
import { useStrategies } from './rules-data.ts'

/** The group of rules that a rule is switched on and off with; nothing if there are none. */
export function StrategyField({
  value,
  onChange,
  isDisabled,
  error,
}: {
  readonly value: string | undefined
  readonly onChange: (name: string | undefined) => void
  readonly isDisabled: boolean
  readonly error: string | undefined
}): ReactNode {
  const { data = [] } = useStrategies().query
  if (data.length === 0 && value === undefined) return null
  const isMissing = value !== undefined && !data.some(({ name }) => name === value)
  return (
    <Select
      label="Strategy"
      about="The rule applies only while its strategy is on."
      options={[
        { value: '', label: 'None' },
        ...data.map((one) => ({ value: one.name, label: one.value.title })),
        ...(isMissing ? [{ value, label: `${value} (deleted)` }] : []),
      ]}
      value={value ?? ''}
      onChange={(name) => onChange(name === '' ? undefined : name)}
      isDisabled={isDisabled}
      {...(error === undefined ? {} : { error })}
    />
  )
}
