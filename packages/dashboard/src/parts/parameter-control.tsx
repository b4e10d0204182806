import { useState, type ReactNode } from 'react'
import { useResources, useSchema, useSettings } from './store-queries.ts'
import { Segmented, Select, Switch, type Option } from '../ui/choice.tsx'
import { Chip } from '../ui/badge.tsx'
import { NumberField, TextField } from '../ui/text-field.tsx'
import { withStoreDefault, type Control, type Parameter } from './parameters.ts'
import { parameterText, parameterValue } from './parameter-text.ts'
import { ownValue } from '../format/own-value.ts'

export interface ControlProps {
  readonly parameter: Parameter
  readonly value: unknown
  /** `undefined` restores the default. */
  readonly onChange: (value: unknown) => void
}

/** The control of one parameter. */
export function ParameterControl(props: ControlProps): ReactNode {
  const { parameter, value, onChange } = props
  const { name, label } = parameter
  const { data: settings } = useSettings()
  const control = withStoreDefault(name, parameter.control, settings?.ranking)
  switch (control.kind) {
    case 'flag':
      return (
        <Switch
          aria-label={label}
          isSelected={(value ?? control.initial) === true}
          onChange={onChange}
        />
      )
    case 'maybe':
      return (
        <Segmented
          label={label}
          options={MAYBE}
          value={value === true ? 'on' : value === false ? 'off' : 'auto'}
          onChange={(next) => onChange(next === 'auto' ? undefined : next === 'on')}
        />
      )
    case 'choice':
      return (
        <Segmented
          label={label}
          options={control.options.map((option) => ({ value: option, label: option }))}
          value={typeof value === 'string' ? value : control.initial}
          onChange={onChange}
        />
      )
    case 'number':
      return (
        <NumberField
          isLabelHidden
          label={label}
          minValue={control.min}
          maxValue={control.max}
          step={control.step ?? 1}
          value={typeof value === 'number' ? value : control.initial}
          onChange={(next) => onChange(Number.isFinite(next) ? next : undefined)}
          {...(control.unit === undefined ? {} : { unit: control.unit })}
        />
      )
    case 'text':
    case 'words':
    case 'json':
      return <TypedControl {...props} control={control} />
    case 'fields':
      return <FieldsControl {...props} of={control.of} />
    case 'weights':
      return <WeightsControl {...props} />
    case 'sets':
      return <SetsControl {...props} of={control.of} />
    case 'preset':
      return <PresetControl {...props} />
  }
}

const MAYBE: readonly Option<'auto' | 'on' | 'off'>[] = [
  { value: 'auto', label: 'Default' },
  { value: 'on', label: 'On' },
  { value: 'off', label: 'Off' },
]

/** A text takes effect when it is complete: with Enter, or when the focus moves on. */
function TypedControl({
  parameter,
  value,
  onChange,
  control,
}: ControlProps & {
  readonly control: Extract<Control, { kind: 'text' | 'words' | 'json' }>
}): ReactNode {
  const saved = value === undefined ? '' : parameterText(value)
  const [typed, setTyped] = useState<string>()
  const [fault, setFault] = useState<string>()
  const take = (): void => {
    if (typed === undefined) return
    const next = typed.trim() === '' ? undefined : parameterValue(control, typed)
    if (typed.trim() !== '' && next === undefined) {
      setFault('This must be a JSON object')
      return
    }
    setFault(undefined)
    setTyped(undefined)
    onChange(next)
  }
  return (
    <TextField
      isLabelHidden
      label={parameter.label}
      isMono
      placeholder={control.placeholder}
      value={typed ?? saved}
      onChange={setTyped}
      onBlur={take}
      onKeyDown={(event) => event.key === 'Enter' && take()}
      error={fault}
    />
  )
}

function FieldsControl({
  parameter,
  value,
  onChange,
  of,
}: ControlProps & { readonly of: 'all' | 'searchable' | 'facet' }): ReactNode {
  const { data } = useSchema()
  const names = (data?.fields ?? [])
    .filter((field) => of === 'all' || field[of] === true)
    .map(({ name }) => name)
  return <NamesControl label={parameter.label} names={names} value={value} onChange={onChange} />
}

function SetsControl({
  parameter,
  value,
  onChange,
  of,
}: ControlProps & { readonly of: 'synonym-sets' | 'stopword-sets' }): ReactNode {
  const { data } = useResources(of)
  const names = (data ?? []).map(({ name }) => name)
  if (names.length === 0) return <p className="small muted">None in this store yet</p>
  return (
    <>
      <Segmented
        label={parameter.label}
        options={SETS}
        value={value === undefined ? 'default' : 'chosen'}
        onChange={(next) => onChange(next === 'default' ? undefined : [])}
      />
      {value !== undefined && (
        <NamesControl
          label={parameter.label}
          names={names}
          value={value}
          onChange={(next) => onChange(next ?? [])}
        />
      )}
    </>
  )
}

const SETS: readonly Option<'default' | 'chosen'>[] = [
  { value: 'default', label: 'Default sets' },
  { value: 'chosen', label: 'Only these' },
]

function PresetControl({ parameter, value, onChange }: ControlProps): ReactNode {
  const { data } = useResources('presets')
  const options = (data ?? []).map(({ name }) => ({ value: name, label: name }))
  return (
    <Select
      label={parameter.label}
      isLabelHidden
      options={[{ value: '', label: 'None' }, ...options]}
      value={typeof value === 'string' ? value : ''}
      onChange={(next) => onChange(next === '' ? undefined : next)}
    />
  )
}

/** Chosen names as chips, the others in a list. */
function NamesControl({
  label,
  names,
  value,
  onChange,
}: {
  readonly label: string
  readonly names: readonly string[]
  readonly value: unknown
  readonly onChange: (names: readonly string[] | undefined) => void
}): ReactNode {
  const chosen = Array.isArray(value) ? (value as readonly string[]) : []
  const others = names.filter((name) => !chosen.includes(name))
  return (
    <>
      {chosen.length > 0 && (
        <div className="row">
          {chosen.map((name) => (
            <Chip
              key={name}
              removeLabel={`Remove ${name}`}
              onRemove={() => {
                const left = chosen.filter((one) => one !== name)
                onChange(left.length === 0 ? undefined : left)
              }}
            >
              {name}
            </Chip>
          ))}
        </div>
      )}
      {others.length > 0 && (
        <Select
          label={`Add to: ${label}`}
          isLabelHidden
          options={[
            { value: '', label: chosen.length === 0 ? 'All' : 'Add' },
            ...others.map((name) => ({ value: name, label: name })),
          ]}
          value=""
          onChange={(name) => name !== '' && onChange([...chosen, name])}
        />
      )}
    </>
  )
}

const WEIGHT_MAX = 20

function WeightsControl({ value, onChange }: ControlProps): ReactNode {
  const { data } = useSchema()
  const names = (data?.fields ?? []).filter(({ searchable }) => searchable).map(({ name }) => name)
  const weights = (value ?? {}) as Readonly<Record<string, number>>
  const set = (name: string, weight: number): void => {
    const next = { ...weights, [name]: weight }
    if (!Number.isFinite(weight)) delete next[name]
    onChange(Object.keys(next).length === 0 ? undefined : next)
  }
  return (
    <ul className="parameter-weights stack gap-6">
      {names.map((name) => (
        <li key={name}>
          <span className="mono cut" title={name}>
            {name}
          </span>
          <NumberField
            isLabelHidden
            label={`Weight of ${name}`}
            minValue={0}
            maxValue={WEIGHT_MAX}
            value={ownValue(weights, name) ?? Number.NaN}
            onChange={(weight) => set(name, weight)}
          />
        </li>
      ))}
    </ul>
  )
}
