import type { StoreSettings } from '@aisle/contract'
import { TYPO_MAX, TYPO_MIN_LEN_MAX_CHARS } from '@aisle/contract/limits'
import { RotateCcw } from 'lucide-react'
import type { ReactNode } from 'react'
import { useSchema } from '../../parts/store-queries.ts'
import { Button } from '../../ui/button.tsx'
import { Segmented, Switch } from '../../ui/choice.tsx'
import { NumberField } from '../../ui/text-field.tsx'
import { DraftRules } from './draft-rules.tsx'
import { DraftSynonyms } from './draft-synonyms.tsx'
import {
  draftChanges,
  RANKING_LABELS,
  withRanking,
  withWeight,
  type DraftProps,
} from './draft-changes.ts'
import { ownValue } from '../../format/own-value.ts'

const WEIGHT_MAX = 20
type Plain = Exclude<keyof StoreSettings['ranking'], 'field_weights' | 'sort_by'>

/** The controls of B. Differences from the live settings are marked, with the live value. */
export function DraftPanel(props: DraftProps & { readonly onDiscard: () => void }): ReactNode {
  const { draft, live, onChange, onDiscard } = props
  const count = draftChanges(draft, live).length
  const value = <Name extends Plain>(name: Name): StoreSettings['ranking'][Name] => {
    const own = draft.ranking as Partial<StoreSettings['ranking']> | undefined
    return own !== undefined && name in own ? own[name]! : live[name]
  }
  const set = (name: Plain, next: unknown): void => onChange(withRanking(draft, live, name, next))
  const isChanged = (name: Plain): boolean => draft.ranking !== undefined && name in draft.ranking
  const whole = (
    name: 'typo_max' | 'typo_min_len_1' | 'typo_min_len_2',
    max: number,
  ): ReactNode => (
    <Row label={RANKING_LABELS[name]} live={isChanged(name) ? String(live[name]) : undefined}>
      <NumberField
        label={RANKING_LABELS[name]}
        isLabelHidden
        minValue={name === 'typo_max' ? 0 : 1}
        maxValue={max}
        value={value(name)}
        onChange={(next) => set(name, Number.isFinite(next) ? next : live[name])}
      />
    </Row>
  )
  const flag = (name: 'typo_numbers'): ReactNode => (
    <Row label={RANKING_LABELS[name]} live={isChanged(name) ? onOff(live[name]) : undefined}>
      <Switch
        aria-label={RANKING_LABELS[name]}
        isSelected={value(name)}
        onChange={(next) => set(name, next)}
      >
        {null}
      </Switch>
    </Row>
  )
  const mode = (name: 'prefix_mode' | 'infix_mode'): ReactNode => (
    <Row label={RANKING_LABELS[name]} live={isChanged(name) ? live[name] : undefined} isWide>
      <Segmented
        label={RANKING_LABELS[name]}
        options={MODES}
        value={value(name)}
        onChange={(next) => set(name, next)}
      />
    </Row>
  )
  return (
    <section className="section relevance-draft" aria-label="Draft">
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
      <p className="small muted">
        A is what visitors get now. What you change here changes B alone, until you publish it.
      </p>
      <h3>Weights of fields</h3>
      <Weights {...props} />
      <h3>Ranking</h3>
      <Slider
        label={RANKING_LABELS.popularity_weight}
        live={isChanged('popularity_weight') ? String(live.popularity_weight) : undefined}
        max={1}
        step={0.05}
        value={value('popularity_weight')}
        onChange={(next) => set('popularity_weight', next)}
      />
      <Slider
        label={RANKING_LABELS.min_relevance}
        live={isChanged('min_relevance') ? String(live.min_relevance) : undefined}
        max={1}
        step={0.05}
        value={value('min_relevance')}
        onChange={(next) => set('min_relevance', next)}
      />
      <Row
        label={RANKING_LABELS.exact_match_boost}
        live={isChanged('exact_match_boost') ? exactText(live.exact_match_boost) : undefined}
        isWide
      >
        <Segmented
          label={RANKING_LABELS.exact_match_boost}
          options={EXACT}
          value={exactText(value('exact_match_boost'))}
          onChange={(next) => set('exact_match_boost', next === 'default' ? null : next === 'on')}
        />
      </Row>
      <Row
        label={RANKING_LABELS.accessories}
        live={isChanged('accessories') ? live.accessories : undefined}
        isWide
      >
        <Segmented
          label={RANKING_LABELS.accessories}
          options={ACCESSORIES}
          value={value('accessories')}
          onChange={(next) => set('accessories', next)}
        />
      </Row>
      <h3>Words</h3>
      {whole('typo_max', TYPO_MAX)}
      {whole('typo_min_len_1', TYPO_MIN_LEN_MAX_CHARS)}
      {whole('typo_min_len_2', TYPO_MIN_LEN_MAX_CHARS)}
      {flag('typo_numbers')}
      {mode('prefix_mode')}
      {mode('infix_mode')}
      <Row
        label={RANKING_LABELS.require_all_terms}
        live={isChanged('require_all_terms') ? requiredTerms(live.require_all_terms) : undefined}
        isWide
      >
        <Segmented
          label={RANKING_LABELS.require_all_terms}
          options={REQUIRED_TERMS}
          value={requiredTerms(value('require_all_terms'))}
          onChange={(next) => set('require_all_terms', next === 'auto' ? next : next === 'always')}
        />
      </Row>
      <DraftSynonyms {...props} />
      <DraftRules {...props} />
    </section>
  )
}

const MODES = [
  { value: 'always', label: 'always' },
  { value: 'fallback', label: 'fallback' },
  { value: 'off', label: 'off' },
] as const
const ACCESSORIES = [
  { value: 'off', label: 'as they come' },
  { value: 'down', label: 'down' },
] as const
const REQUIRED_TERMS = [
  { value: 'auto', label: 'auto' },
  { value: 'always', label: 'always' },
  { value: 'never', label: 'never' },
] as const
const EXACT = [
  { value: 'default', label: 'default' },
  { value: 'on', label: 'on' },
  { value: 'off', label: 'off' },
] as const

function requiredTerms(
  setting: StoreSettings['ranking']['require_all_terms'],
): (typeof REQUIRED_TERMS)[number]['value'] {
  return setting === 'auto' ? setting : setting ? 'always' : 'never'
}

function Weights({ draft, live, onChange }: DraftProps): ReactNode {
  const { data } = useSchema()
  const own = draft.ranking?.field_weights as Readonly<Record<string, number>> | undefined
  const names = (data?.fields ?? []).filter(({ searchable }) => searchable).map(({ name }) => name)
  if (names.length === 0) return <p className="small muted">No field is searchable yet.</p>
  return names.map((name) => {
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
}

function Slider({
  label,
  live,
  value,
  max,
  step,
  onChange,
  onReset,
  isMono = false,
}: {
  readonly label: string
  /** Its live value, when it differs. */
  readonly live: string | undefined
  /** Undefined: the service chooses. */
  readonly value: number | undefined
  readonly max: number
  readonly step: number
  readonly onChange: (value: number) => void
  readonly onReset?: () => void
  readonly isMono?: boolean
}): ReactNode {
  return (
    <div className="relevance-slider">
      <span className={isMono ? 'mono cut' : 'cut'} title={label}>
        {label}
      </span>
      <input
        type="range"
        aria-label={label}
        aria-valuetext={value === undefined ? 'guessed from its name' : String(value)}
        min={0}
        max={max}
        step={step}
        value={value ?? 0}
        onChange={(event) => onChange(Number(event.target.value))}
        className={value === undefined ? 'relevance-range-unset' : ''}
      />
      <span className="number relevance-slider-value">{value === undefined ? 'auto' : value}</span>
      {live !== undefined && (
        <span className="small relevance-live">
          A: {live}
          {onReset !== undefined && (
            <button type="button" className="relevance-link" onClick={onReset}>
              reset
            </button>
          )}
        </span>
      )}
    </div>
  )
}

function Row({
  label,
  live,
  children,
  isWide = false,
}: {
  readonly label: string
  readonly live: string | undefined
  readonly children: ReactNode
  readonly isWide?: boolean
}): ReactNode {
  return (
    <div className={isWide ? 'relevance-row relevance-row-wide' : 'relevance-row'}>
      <span>
        {label}
        {live !== undefined && <span className="small relevance-live"> A: {live}</span>}
      </span>
      {children}
    </div>
  )
}

function onOff(value: boolean): string {
  return value ? 'on' : 'off'
}

function exactText(value: boolean | null): 'default' | 'on' | 'off' {
  return value === null ? 'default' : value ? 'on' : 'off'
}
