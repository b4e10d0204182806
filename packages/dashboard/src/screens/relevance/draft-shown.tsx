import type { RelevanceDraft, StoreSettings } from '@aisle/contract'
import { isObject } from '@aisle/contract/is-object'
import type { ReactNode } from 'react'
import { shown, SHOWN_SETTINGS, withSetting, type DraftProps } from '../../parts/draft-changes.ts'
import { valueAt } from '../../parts/setting-changes.ts'
import type { SettingField } from '../../parts/setting-control.ts'
import { SETTING_FIELDS } from '../../parts/setting-fields.ts'
import { SettingLines } from '../../parts/setting-lines.tsx'
import { useSchema, useSettings } from '../../parts/store-queries.ts'
import { Select } from '../../ui/choice.tsx'
import { NumberField } from '../../ui/text-field.tsx'
import { Row } from './draft-controls.tsx'

const FIELDS = SETTING_FIELDS.filter(({ path }) =>
  SHOWN_SETTINGS.some((group) => path === group || path.startsWith(`${group}.`)),
)

/** Variants, hidden fields, and filters that are read in queries. */
export function DraftShown({ draft, onChange }: Omit<DraftProps, 'live'>): ReactNode {
  const live = useSettings().data
  if (live === undefined) return null
  return (
    <>
      <h3>Variants, hidden fields, filters in queries</h3>
      {FIELDS.map((field) => (
        <Setting key={field.path} field={field} draft={draft} live={live} onChange={onChange} />
      ))}
    </>
  )
}

function Setting({
  field: { path, label, control, fallback },
  draft,
  live,
  onChange,
}: {
  readonly field: SettingField
  readonly draft: RelevanceDraft
  readonly live: StoreSettings
  readonly onChange: (draft: RelevanceDraft) => void
}): ReactNode {
  const schema = useSchema().data
  const saved = valueAt(live, path) ?? null
  const own = ownAt(draft, path)
  const value = own === undefined ? saved : own
  const set = (next: unknown): void => onChange(withSetting(draft, live, path, next))
  const texts = { label, isLabelHidden: true }
  const liveText = own === undefined ? undefined : shown(saved)
  if (control.kind === 'number') {
    // Without a field of variants, nothing limits them.
    if (path === 'distinct.limit' && (ownAt(draft, 'distinct.field') ?? live.distinct) === null) {
      return null
    }
    return (
      <Row label={label} live={liveText}>
        <NumberField
          {...texts}
          minValue={control.min}
          maxValue={control.max}
          value={typeof value === 'number' ? value : Number.NaN}
          onChange={(next) => set(Number.isFinite(next) ? next : null)}
        />
      </Row>
    )
  }
  if (control.kind === 'lines') {
    return (
      <div className="stack gap-4">
        <Row label={label} live={liveText}>
          {null}
        </Row>
        <SettingLines
          {...texts}
          path={path}
          value={value}
          placeholder={control.placeholder}
          onChange={set}
        />
      </div>
    )
  }
  const choices =
    control.kind === 'options'
      ? control.options
      : (schema?.fields ?? []).map(({ name }) => [name, name] as const)
  const none = saved === null || control.kind === 'field' ? [[null, fallback] as const] : []
  const options = [...none, ...choices].map(([one, text]) => ({
    value: keyOf(one),
    label: text,
    one,
  }))
  return (
    <Row label={label} live={liveText} isWide>
      <Select
        {...texts}
        options={options}
        value={keyOf(value)}
        onChange={(next) => set(options.find((option) => option.value === next)!.one)}
      />
    </Row>
  )
}

/** The settings here are texts, or nothing: the default. */
function keyOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** @returns undefined if the draft does not have it; null is the default */
function ownAt(draft: RelevanceDraft, path: string): unknown {
  const [group = '', name] = path.split('.')
  const part = (draft as Readonly<Record<string, unknown>>)[group]
  if (name === undefined || part === null) return part
  return isObject(part) ? part[name] : undefined
}
