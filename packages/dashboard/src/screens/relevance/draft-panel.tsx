import {
  PERSONALIZE_LIMIT_DEFAULT,
  PERSONALIZE_LIMIT_MAX,
} from '@aisle/contract/personalize-limits'
import type { StoreSettings } from '@aisle/contract'
import { useQuery } from '@tanstack/react-query'
import { RotateCcw } from 'lucide-react'
import { Fragment, useState, type ReactNode } from 'react'
import { ownValue } from '../../format/own-value.ts'
import type { SettingField } from '../../parts/setting-control.ts'
import { SETTING_SECTIONS } from '../../parts/setting-fields.ts'
import { useSchema } from '../../parts/store-queries.ts'
import { useStore } from '../../session/store.ts'
import { useNow } from '../../state/clock.ts'
import { addDays, dayOf } from '../../state/date-range.ts'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/choice.tsx'
import { NumberField, SearchField } from '../../ui/text-field.tsx'
import {
  draftChanges,
  shown,
  withRanking,
  withWeight,
  type DraftProps,
} from '../../parts/draft-changes.ts'
import { Row, Slider } from './draft-controls.tsx'
import { DraftMeaning } from './draft-meaning.tsx'
import { DraftShown } from './draft-shown.tsx'
import { DraftRules, DraftSynonyms } from './draft-sets.tsx'

const WEIGHT_MAX = 20
/** More fields than this can be searched. */
const FIELDS_UNSEARCHED_MAX = 8
type Plain = Exclude<
  keyof StoreSettings['ranking'],
  'field_weights' | 'sort_by' | 'numeric' | 'personalize'
>

/** The settings of the ranking that are one value each, by subject. */
const SECTIONS = SETTING_SECTIONS.map(({ id, title, fields }) => ({
  id,
  title,
  fields: fields.filter(
    ({ path, control }) =>
      path.startsWith('ranking.') && control.kind !== 'lines' && control.kind !== 'taste',
  ),
})).filter(({ fields }) => fields.length > 0)

/** The controls of B. Differences from the live settings are marked, with the live value. */
export function DraftPanel({
  onDiscard,
  ...props
}: DraftProps & { readonly onDiscard: () => void }): ReactNode {
  const count = draftChanges(props.draft, props.live).length
  return (
    <section className="section card relevance-draft" aria-label="Draft">
      <header className="row row-apart">
        <h2>B: your draft</h2>
        <Button
          size="small"
          variant="ghost"
          icon={RotateCcw}
          isDisabled={count === 0}
          onPress={onDiscard}
        >
          Discard draft
        </Button>
      </header>
      <p className="small muted">A is live. Changes here affect only B until you publish.</p>
      <h3>Field weights</h3>
      <Weights {...props} />
      {SECTIONS.map(({ id, title, fields }) => (
        <Fragment key={id}>
          <h3>{title}</h3>
          {fields.map((field) => (
            <Setting key={field.path} field={field} {...props} />
          ))}
          {id === 'ranking' && <OwnNumber {...props} />}
          {id === 'ranking' && <Taste {...props} />}
        </Fragment>
      ))}
      <DraftMeaning {...props} />
      <DraftShown {...props} />
      <DraftSynonyms {...props} />
      <DraftRules {...props} />
    </section>
  )
}

function Weights({ draft, live, onChange }: DraftProps): ReactNode {
  const { data } = useSchema()
  const own = draft.ranking?.field_weights as Readonly<Record<string, number>> | undefined
  const names = (data?.fields ?? []).filter(({ searchable }) => searchable).map(({ name }) => name)
  const [wanted, setWanted] = useState('')
  if (names.length === 0) return <p className="small muted">No field is searchable yet.</p>
  const needle = wanted.trim().toLowerCase()
  const found = names.filter((name) => name.toLowerCase().includes(needle))
  const sliders = found.map((name) => {
    const liveWeight = ownValue(live.field_weights, name)
    return (
      <Slider
        key={name}
        label={name}
        isMono
        live={ownValue(own, name) === undefined ? undefined : (liveWeight?.toString() ?? 'guessed')}
        max={WEIGHT_MAX}
        step={1}
        value={ownValue(own, name) ?? liveWeight}
        onChange={(weight) => onChange(withWeight(draft, live, name, weight))}
        onReset={() => onChange(withWeight(draft, live, name, undefined))}
      />
    )
  })
  if (names.length <= FIELDS_UNSEARCHED_MAX) return sliders
  return (
    <>
      <div className="row">
        <SearchField label="Find a field" value={wanted} onChange={setWanted} />
      </div>
      {sliders}
      {found.length === 0 && <p className="small muted">No field matches.</p>}
    </>
  )
}

/** `ranking.numeric` of several members, which the settings page changes. */
function OwnNumber({ draft, live }: DraftProps): ReactNode {
  const own = draft.ranking?.numeric
  const value = own === undefined ? live.numeric : own
  if (value === null && live.numeric === null) return null
  return (
    <Row label="Your own number" live={own === undefined ? undefined : shown(live.numeric)} isWide>
      <span>{value === null ? 'off' : shown(value)}</span>
    </Row>
  )
}

/** `ranking.personalize`: an experiment compares it, the searches of this page have no visitor. */
function Taste({ draft, live, onChange }: DraftProps): ReactNode {
  const own = draft.ranking?.personalize as { readonly limit?: number } | null | undefined
  const limitOf = (given: { readonly limit?: number | undefined } | null): number =>
    given === null ? 0 : (given.limit ?? PERSONALIZE_LIMIT_DEFAULT)
  const [liveLimit, limit] = [limitOf(live.personalize), limitOf(own ?? live.personalize)]
  const value = own === null ? 0 : limit
  return (
    <>
      <Slider
        label="Personal results"
        live={own === undefined ? undefined : String(liveLimit)}
        max={PERSONALIZE_LIMIT_MAX}
        step={0.05}
        value={value}
        onChange={(next) =>
          onChange(withRanking(draft, live, 'personalize', next === 0 ? null : { limit: next }))
        }
      />
      <p className="small muted">
        The searches here have no visitor. Start an experiment to try it, or open Preview as a
        visitor.
      </p>
    </>
  )
}

/** A setting of the ranking, with the control that it has among the settings. */
function Setting({
  field: { path, label, control, fallback },
  draft,
  live,
  onChange,
}: DraftProps & { readonly field: SettingField }): ReactNode {
  const name = path.slice('ranking.'.length) as Plain
  const own: Readonly<Record<string, unknown>> = draft.ranking ?? {}
  const isChanged = name in own
  const value = isChanged ? own[name] : live[name]
  const set = (next: unknown): void => onChange(withRanking(draft, live, name, next))
  if (control.kind === 'number' && control.max === 1) {
    const slider = (
      <Slider
        label={label}
        live={isChanged ? String(live[name]) : undefined}
        max={control.max}
        step={control.step ?? 1}
        value={value as number}
        onChange={set}
      />
    )
    if (name !== 'popularity_weight') return slider
    return (
      <>
        {slider}
        <NoPopularity />
      </>
    )
  }
  if (control.kind === 'number') {
    return (
      <Row label={label} live={isChanged ? String(live[name]) : undefined}>
        <NumberField
          label={label}
          isLabelHidden
          minValue={control.min}
          maxValue={control.max}
          value={value as number}
          onChange={(next) => set(Number.isFinite(next) ? next : live[name])}
        />
      </Row>
    )
  }
  if (control.kind !== 'options') return null
  const options = [
    ...(live[name] === null ? [[null, `Default: ${fallback}`] as const] : []),
    ...control.options,
  ].map(([one, text]) => ({ value: String(one), label: text, one }))
  return (
    <Row
      label={label}
      live={isChanged ? options.find(({ one }) => one === live[name])?.label : undefined}
      isWide
    >
      <Select
        label={label}
        isLabelHidden
        options={options}
        value={String(value)}
        onChange={(next) => set(options.find((option) => option.value === next)!.one)}
      />
    </Row>
  )
}

/** Clicks and orders are counted half after 30 days: older ones than this hardly count. */
const COUNTED_DAYS = 180

/** Why the slider of popularity moves nothing, where it moves nothing. */
function NoPopularity(): ReactNode {
  const { storeId, calls } = useStore()
  const today = dayOf(useNow())
  const { data } = useQuery({
    queryKey: ['report', storeId, 'popularity', today],
    queryFn: () =>
      calls.report('overview', { from: addDays(today, -COUNTED_DAYS), to: addDays(today, 1) }),
    throwOnError: false,
  })
  if (data === undefined || data.totals.clicks + data.totals.conversions > 0) return null
  return (
    <p className="small muted">
      No clicks or orders yet, so popularity changes nothing. It needs events from your shop.
    </p>
  )
}
