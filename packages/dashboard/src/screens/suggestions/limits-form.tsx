import type { StoreSuggestionsConfig } from '@aisle/client'
import type { ReactNode } from 'react'
import { ROLE_HINTS, useMay } from '../../session/session.ts'
import { useStore } from '../../session/store.ts'
import { useDraft } from '../../state/draft.ts'
import { Checkbox } from '../../ui/choice.tsx'
import { Form } from '../../ui/form.tsx'
import { NumberField } from '../../ui/text-field.tsx'
import { useChangeConfig } from './config-data.ts'
import { ChangedMeanwhile, type FieldView } from '../../parts/changed-meanwhile.tsx'
import { EditorButtons } from '../../parts/editor.tsx'

const NUMBERS = [
  {
    name: 'min_query_length',
    label: 'Minimum length',
    about: 'In characters. Shorter text gets no suggestions.',
    min: 0,
    max: 80,
  },
  {
    name: 'min_sessions',
    label: 'Visitors per query',
    about: 'Minimum number of visitors who searched for it.',
    min: 1,
    max: 1_000,
  },
  {
    name: 'min_networks',
    label: 'Networks per query',
    about: 'Minimum number of networks, so that one person cannot fake it.',
    min: 1,
    max: 16,
  },
  {
    name: 'max_suggestions',
    label: 'Maximum suggestions',
    about: 'Requests for more fail.',
    min: 0,
    max: 100,
  },
  { name: 'max_categories', label: 'Maximum categories', about: undefined, min: 0, max: 20 },
  { name: 'max_facets', label: 'Maximum facets', about: undefined, min: 0, max: 20 },
] as const
const RANGES = [
  ['7d', '7 days'],
  ['30d', '30 days'],
  ['90d', '90 days'],
] as const
const SWITCHES = [
  ['typo_tolerance_enabled', 'Tolerate typos'],
  ['personalization_enabled', 'Personalize'],
] as const

type Limits = Omit<StoreSuggestionsConfig, 'pinned' | 'blocklist' | 'allowlist'>

export function LimitsForm({ config }: { readonly config: StoreSuggestionsConfig }): ReactNode {
  const { storeId } = useStore()
  const mayEdit = useMay('editor')
  const { pinned: _, blocklist: __, allowlist: ___, ...saved } = config
  const draft = useDraft<Limits>(`suggestions/${storeId}/limits`, saved)
  const { mutate, error, isPending, reset } = useChangeConfig()
  const { value } = draft
  const set = (changes: Partial<Limits>): void => draft.set({ ...value, ...changes })
  const save = (): void =>
    mutate({
      done: 'Limits saved',
      // Members that only others changed keep their value.
      change: (now) => ({ ...now, ...changesBetween(draft.base, value) }),
      after: draft.clear,
    })
  const discard = (): void => {
    draft.clear()
    reset()
  }
  return (
    <Form
      error={error}
      onSubmit={save}
      actions={
        <>
          {!mayEdit && <span className="small muted">{ROLE_HINTS.editor}</span>}
          <EditorButtons
            editor={{ ...draft, isPending, discard }}
            label="Save limits"
            isDisabled={!mayEdit || !draft.isChanged}
          />
        </>
      }
    >
      <ChangedMeanwhile what="store's limits" draft={draft} view={LIMITS_VIEW} />
      <div className="suggestions-limits">
        {NUMBERS.map(({ name, label, about, min, max }) => (
          <NumberField
            key={name}
            name={name}
            label={label}
            about={about}
            minValue={min}
            maxValue={max}
            value={value[name]}
            onChange={(next) => set({ [name]: Number.isFinite(next) ? next : min })}
            isDisabled={!mayEdit}
          />
        ))}
      </div>
      <fieldset className="suggestions-fieldset">
        <legend className="field-label">Periods allowed in requests</legend>
        <div className="row suggestions-ticks">
          {RANGES.map(([range, label]) => (
            <Checkbox
              key={range}
              isSelected={value.supported_time_ranges.includes(range)}
              isDisabled={!mayEdit || String(value.supported_time_ranges) === range}
              onChange={(isOn) =>
                set({
                  supported_time_ranges: RANGES.map(([one]) => one).filter((one) =>
                    one === range ? isOn : value.supported_time_ranges.includes(one),
                  ),
                })
              }
            >
              {label}
            </Checkbox>
          ))}
        </div>
      </fieldset>
      {SWITCHES.map(([name, label]) => (
        <Checkbox
          key={name}
          isSelected={value[name]}
          onChange={(isOn) => set({ [name]: isOn })}
          isDisabled={!mayEdit}
        >
          {label}
        </Checkbox>
      ))}
    </Form>
  )
}

const LIMITS_VIEW: FieldView<Limits> = {
  of: (limits) => ({ ...limits }),
  back: (fields, mine) => ({ ...mine, ...fields }),
}

function changesBetween(base: Limits, value: Limits): Partial<Limits> {
  return Object.fromEntries(
    Object.entries(value).filter(
      ([name, one]) => JSON.stringify(one) !== JSON.stringify(base[name as keyof Limits]),
    ),
  )
}
