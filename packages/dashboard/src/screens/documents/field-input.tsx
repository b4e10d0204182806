import { Plus } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { Chip } from '../../ui/badge.tsx'
import { IconButton } from '../../ui/button.tsx'
import { Select } from '../../ui/choice.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { readerLocale } from '../../format/locale.ts'
import { useKnownValues } from './known-values.ts'
import {
  dateOf,
  inputText,
  isNumberType,
  isPlainObject,
  placeOf,
  typedValue,
  valueFault,
} from './product-values.ts'

export interface FieldInputProps {
  readonly label: string
  /** Full name in the schema. */
  readonly name: string
  readonly type: string
  readonly isFacet: boolean
  /** `undefined`: the product has none. */
  readonly value: unknown
  readonly onChange: (value: unknown) => void
  /** From the service; what is wrong at sight comes first. */
  readonly error?: string | undefined
  readonly isDisabled: boolean
}

/** The input for a field, by its type. An empty one means that the product lacks the field. */
export function FieldInput(props: FieldInputProps): ReactNode {
  const { type, value } = props
  const error = valueFault(value, type) ?? props.error
  if (type === 'bool') return <FlagInput {...props} error={error} />
  if (type === 'geopoint') return <PlaceInput {...props} error={error} />
  if (type.startsWith('object') || type === 'geopoint[]') {
    return <JsonInput {...props} error={error} />
  }
  if (type.endsWith('[]')) return <ListInput {...props} error={error} />
  return <ValueInput {...props} error={error} />
}

const LONG_TEXT_CHARS = 70

function ValueInput({
  label,
  name,
  type,
  isFacet,
  value,
  onChange,
  error,
  isDisabled,
}: FieldInputProps): ReactNode {
  const text = inputText(value)
  const [isActive, setActive] = useState(false)
  const suggestsValues = isFacet && type === 'string'
  const { data = [] } = useKnownValues(name, text, isActive && suggestsValues)
  const isLong = type === 'string' && (text.length > LONG_TEXT_CHARS || text.includes('\n'))
  return (
    <TextField
      label={label}
      about={type === 'date' ? readableDate(value) : undefined}
      value={text}
      onChange={(next) => onChange(typedValue(next, type))}
      onFocus={() => setActive(true)}
      error={error}
      isDisabled={isDisabled}
      {...(isNumberType(type) ? { inputMode: 'decimal' } : {})}
      {...(isLong ? { lines: Math.min(8, Math.ceil(text.length / LONG_TEXT_CHARS) + 1) } : {})}
      suggestions={suggestsValues ? data.map((one) => one.value) : undefined}
    />
  )
}

function readableDate(value: unknown): string | undefined {
  const date = dateOf(value)
  const options = { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' } as const
  return date === undefined ? undefined : `${date.toLocaleString(readerLocale(), options)} UTC`
}

type Flag = 'true' | 'false' | 'unset'

function FlagInput({ label, value, onChange, error, isDisabled }: FieldInputProps): ReactNode {
  const chosen: Flag = value === true ? 'true' : value === false ? 'false' : 'unset'
  return (
    <Select<Flag>
      label={label}
      options={[
        { value: 'true', label: 'Yes' },
        { value: 'false', label: 'No' },
        { value: 'unset', label: 'Not set' },
      ]}
      value={chosen}
      onChange={(next) => onChange(next === 'unset' ? undefined : next === 'true')}
      error={error}
      isDisabled={isDisabled}
    />
  )
}

/** The values as chips, and an input for one more. */
function ListInput({
  label,
  name,
  type,
  isFacet,
  value,
  onChange,
  error,
  isDisabled,
}: FieldInputProps): ReactNode {
  const [typed, setTyped] = useState('')
  const [isActive, setActive] = useState(false)
  const suggestsValues = isFacet && type === 'string[]'
  const { data = [] } = useKnownValues(name, typed, isActive && suggestsValues)
  const values = value === undefined ? [] : Array.isArray(value) ? (value as unknown[]) : [value]
  const set = (next: readonly unknown[]): void => onChange(next.length === 0 ? undefined : next)
  const add = (): void => {
    const one = typedValue(typed, type.slice(0, -2))
    if (one === undefined) return
    set([...values, typeof one === 'string' ? one.trim() : one])
    setTyped('')
  }
  return (
    <div className="product-list" role="group" aria-label={label}>
      <div
        className="product-list-entry"
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          add()
        }}
      >
        <TextField
          label={label}
          placeholder={isDisabled ? '' : 'Add a value'}
          value={typed}
          onChange={setTyped}
          onFocus={() => setActive(true)}
          onBlur={add}
          error={error}
          isDisabled={isDisabled}
          suggestions={suggestsValues ? data.map((one) => one.value) : undefined}
        />
        {!isDisabled && <IconButton label={`Add to ${label}`} icon={Plus} onPress={add} />}
      </div>
      {values.length > 0 && (
        <div className="product-chips">
          {values.map((one, at) => (
            // Values have no names, and may repeat.
            <Chip
              key={at}
              removeLabel={`Remove ${inputText(one).slice(0, 100)} from ${label}`}
              {...(isDisabled ? {} : { onRemove: () => set(values.filter((_, i) => i !== at)) })}
            >
              {inputText(one).slice(0, 200)}
            </Chip>
          ))}
        </div>
      )}
    </div>
  )
}

function PlaceInput({ label, value, onChange, error, isDisabled }: FieldInputProps): ReactNode {
  const place = placeOf(value)
  const set = (at: number, text: string): void => {
    const [lat, lon] = place.map((one, i) => (i === at ? typedValue(text, 'float') : one))
    if (lat === undefined && lon === undefined) onChange(undefined)
    else if (isPlainObject(value)) onChange({ ...value, lat, lon })
    else onChange([lat ?? null, lon ?? null])
  }
  return (
    <div className="product-place" role="group" aria-label={label}>
      {(['latitude', 'longitude'] as const).map((part, at) => (
        <TextField
          key={part}
          label={`${label}, ${part}`}
          value={inputText(place[at])}
          onChange={(text) => set(at, text)}
          inputMode="decimal"
          isDisabled={isDisabled}
          {...(at === 0 ? { error } : {})}
        />
      ))}
    </div>
  )
}

/** For types without another input. Text that is not JSON stays, and is marked. */
function JsonInput({
  label,
  type,
  value,
  onChange,
  error,
  isDisabled,
}: FieldInputProps): ReactNode {
  const [text, setText] = useState<string>()
  const shown = value === undefined ? '' : typeof value === 'string' ? value : pretty(value)
  return (
    <TextField
      label={label}
      about={`JSON, ${type}`}
      value={text ?? shown}
      onChange={(next) => {
        setText(next)
        onChange(typedValue(next, type))
      }}
      onBlur={() => setText(undefined)}
      lines={Math.min(12, Math.max(3, shown.split('\n').length))}
      isMono
      error={error}
      isDisabled={isDisabled}
    />
  )
}

function pretty(value: unknown): string {
  return JSON.stringify(value, null, 2)
}
