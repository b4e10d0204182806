import type { Personalize, StoreSchema } from '@aisle/contract'
import { PERSONALIZE_LIMIT_DEFAULT } from '@aisle/contract/personalize-limits'
import { isObject } from '@aisle/contract/is-object'
import { useId, useState, type ReactNode } from 'react'
import { TextField } from '../../ui/text-field.tsx'

/** `ranking.personalize`: a share, which is off at 0, and the fields that it is about. */
export function TasteControl({
  label,
  about,
  error,
  max,
  value,
  schema,
  isDisabled,
  onChange,
}: {
  readonly label: string
  readonly about: string
  readonly error: string | undefined
  readonly max: number
  readonly value: unknown
  readonly schema: StoreSchema | undefined
  readonly isDisabled: boolean
  readonly onChange: (value: unknown) => void
}): ReactNode {
  const id = useId()
  const given = isObject(value) ? (value as TasteSetting) : undefined
  const limit = given === undefined ? 0 : (given.limit ?? PERSONALIZE_LIMIT_DEFAULT)
  const names = (given?.fields ?? []).join(', ')
  return (
    <div className="stack gap-8">
      <div className="field">
        <label className="field-label" htmlFor={id}>
          {label}
        </label>
        <div className="row taste-slider">
          <input
            id={id}
            type="range"
            min={0}
            max={max}
            step={STEP}
            value={limit}
            aria-valuetext={shareText(limit)}
            disabled={isDisabled}
            onChange={(event) => onChange(withLimit(given, Number(event.target.value)))}
          />
          <span className="number">{shareText(limit)}</span>
        </div>
        <span className="field-about small muted">{about}</span>
      </div>
      {given !== undefined && (
        <Fields
          key={names}
          names={names}
          error={error}
          schema={schema}
          isDisabled={isDisabled}
          onChange={(fields) => onChange({ limit, fields })}
        />
      )}
    </div>
  )
}

/** As in a patch: no fields are the default ones. */
type TasteSetting = Pick<Personalize, 'limit'> & {
  readonly fields?: readonly string[] | null
}

const STEP = 0.05

function shareText(limit: number): string {
  return limit === 0 ? 'Off' : `up to +${Math.round(limit * 100)} %`
}

function withLimit(given: TasteSetting | undefined, limit: number): TasteSetting | null {
  return limit === 0 ? null : { ...given, limit }
}

/** Names as typed, until the field is left. */
function Fields({
  names,
  error,
  schema,
  isDisabled,
  onChange,
}: {
  readonly names: string
  readonly error: string | undefined
  readonly schema: StoreSchema | undefined
  readonly isDisabled: boolean
  readonly onChange: (fields: readonly string[] | null) => void
}): ReactNode {
  const [text, setText] = useState(names)
  const facets = (schema?.fields ?? []).filter(({ facet }) => facet).map(({ name }) => name)
  return (
    <TextField
      label="Fields of a taste"
      about="Facets and the price, separated by commas. Empty: brand, category, size and price."
      placeholder={facets.slice(0, 3).join(', ')}
      value={text}
      onChange={setText}
      onBlur={() => {
        const fields = text.split(',').map((name) => name.trim())
        const named = fields.filter((name) => name !== '')
        if (named.join(', ') !== names) onChange(named.length === 0 ? null : named)
      }}
      error={error}
      isDisabled={isDisabled}
    />
  )
}
