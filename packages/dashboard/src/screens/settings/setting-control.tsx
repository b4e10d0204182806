import type { StoreSchema } from '@aisle/contract'
import type { ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { RadioCards, Select, type Option } from '../../ui/choice.tsx'
import { NumberField } from '../../ui/text-field.tsx'
import { languageName, LANGUAGES } from '../../parts/languages.ts'
import { SettingLines } from '../../parts/setting-lines.tsx'
import type { SettingField } from '../../parts/setting-control.ts'
import { TasteControl } from './taste-control.tsx'

export interface SettingControlProps {
  readonly field: SettingField
  /** As it would be once it is saved; `null` is the default. */
  readonly value: unknown
  /** Whether the store sets it, or will when saved. */
  readonly isGiven: boolean
  readonly isChanged: boolean
  readonly schema: StoreSchema | undefined
  /** Names of those of the installation. */
  readonly embedders: readonly string[]
  readonly error: string | undefined
  readonly mayEdit: boolean
  readonly onChange: (value: unknown) => void
}

/** Controls that have the default among their choices. */
const SAYS_DEFAULT: ReadonlySet<string> = new Set(['field', 'options', 'embedder'])

/** A setting, its meaning, its default, and a way to reset it. */
export function SettingControl(props: SettingControlProps): ReactNode {
  const { field, isGiven, isChanged, mayEdit, onChange } = props
  return (
    <div className={isChanged ? 'setting stack gap-4 setting-changed' : 'setting stack gap-4'}>
      <Control {...props} />
      {(isGiven || isChanged || !SAYS_DEFAULT.has(field.control.kind)) && (
        <div className="row small muted">
          <span>
            {isGiven ? `Set here; the default is ${field.fallback}` : `Default: ${field.fallback}`}
            {isChanged && ' · not saved yet'}
          </span>
          {isGiven && mayEdit && (
            <Button variant="ghost" size="small" onPress={() => onChange(null)}>
              Use default
            </Button>
          )}
        </div>
      )}
    </div>
  )
}

function Control({
  field,
  value,
  isGiven,
  schema,
  embedders,
  error,
  mayEdit,
  onChange,
}: SettingControlProps): ReactNode {
  const { control, label, about, path } = field
  const texts = { label, about, error }
  const isDisabled = !mayEdit
  switch (control.kind) {
    case 'number':
      return (
        <NumberField
          {...texts}
          value={typeof value === 'number' ? value : Number.NaN}
          onChange={(next) => onChange(Number.isNaN(next) ? null : next)}
          minValue={control.min}
          maxValue={control.max}
          {...(control.step === undefined ? {} : { step: control.step })}
          {...(control.unit === undefined ? {} : { unit: control.unit })}
          isDisabled={isDisabled}
        />
      )
    case 'options':
      return (
        <Select
          {...texts}
          options={[
            { value: DEFAULT, label: `Default: ${field.fallback}` },
            ...control.options.map(([one, name]) => ({ value: String(one), label: name })),
          ]}
          value={isGiven ? String(value) : DEFAULT}
          onChange={(next) =>
            onChange(control.options.find(([one]) => String(one) === next)?.[0] ?? null)
          }
          isDisabled={isDisabled}
        />
      )
    case 'choice':
      return (
        <RadioCards
          {...texts}
          options={control.options}
          value={typeof value === 'string' ? value : control.options[0]!.value}
          onChange={onChange}
          isDisabled={isDisabled}
        />
      )
    case 'taste':
      return (
        <TasteControl
          {...texts}
          max={control.max}
          value={value}
          schema={schema}
          isDisabled={isDisabled}
          onChange={onChange}
        />
      )
    case 'lines':
      return (
        <SettingLines
          {...texts}
          path={path}
          value={value}
          placeholder={control.placeholder}
          isDisabled={isDisabled}
          onChange={onChange}
        />
      )
    case 'language':
      return (
        <Select
          {...texts}
          options={languageOptions(value)}
          value={typeof value === 'string' ? value : 'en'}
          onChange={onChange}
          isDisabled={isDisabled}
        />
      )
    case 'embedder':
      return (
        <Select
          {...texts}
          options={embedderOptions(embedders, value)}
          value={typeof value === 'string' ? value : DEFAULT}
          onChange={(next) => onChange(next === DEFAULT ? null : next)}
          isDisabled={isDisabled}
        />
      )
    case 'field':
      return (
        <Select
          {...texts}
          options={fieldOptions(schema, value, isGiven)}
          value={isGiven && typeof value === 'string' ? value : GUESSED}
          onChange={(next) => onChange(next === GUESSED ? null : next)}
          isDisabled={isDisabled}
        />
      )
  }
}

/** No field and no option is named so: names are not empty. */
const DEFAULT = ''
const GUESSED = DEFAULT

function embedderOptions(embedders: readonly string[], value: unknown): readonly Option[] {
  // One that the installation no longer has is still the current value.
  const lost = typeof value === 'string' && !embedders.includes(value) ? [value] : []
  const off = embedders.length === 0 ? 'Off: this installation has no embedders' : 'Off'
  return [
    { value: DEFAULT, label: off },
    ...[...embedders, ...lost].map((name) => ({ value: name, label: name })),
  ]
}

function fieldOptions(
  schema: StoreSchema | undefined,
  value: unknown,
  isGiven: boolean,
): readonly Option[] {
  const guess = !isGiven && typeof value === 'string' ? `Guessed: ${value}` : 'Guessed: none'
  const names = schema?.fields.map(({ name }) => name) ?? []
  // A field that the schema no longer has is still the current value.
  const lost = isGiven && typeof value === 'string' && !names.includes(value) ? [value] : []
  return [
    { value: GUESSED, label: guess },
    ...[...names, ...lost].map((name) => ({ value: name, label: name })),
  ]
}

function languageOptions(value: unknown): readonly Option[] {
  const tags = typeof value === 'string' && !LANGUAGES.includes(value) ? [value] : []
  return [...tags, ...LANGUAGES].map((tag) => ({
    value: tag,
    label: languageName(tag),
    about: tag,
  }))
}
