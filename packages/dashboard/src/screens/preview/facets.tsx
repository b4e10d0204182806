import type { FacetMap } from '@aisle/contract'
import { useState, type ReactNode } from 'react'
import { formatNumber } from '../../format/numbers.ts'
import { Checkbox, Select } from '../../ui/choice.tsx'
import { NumberField } from '../../ui/text-field.tsx'
import {
  chosenRange,
  chosenSpans,
  chosenValues,
  withRange,
  withSpan,
  withValue,
  type Filters,
} from './facet-filters.ts'
import { dayWords, INTERVALS, intervalOf, spanOf, spanWords } from './facet-intervals.ts'
import type { Interval } from './facet-intervals.ts'
import { ownValue } from '../../format/own-value.ts'

type Facet = FacetMap[string]

/** Number of values of a facet shown at first. */
const VALUES_SHOWN = 6

/** The filters beside the results of a shop. */
export function Facets({
  facets,
  filters,
  onChange,
  dates,
  onInterval,
}: {
  readonly facets: FacetMap
  readonly filters: Filters
  readonly onChange: (filters: Filters | undefined) => void
  /** Names of the fields that are dates. */
  readonly dates: ReadonlySet<string>
  readonly onInterval: (field: string, interval: Interval) => void
}): ReactNode {
  return (
    <div className="preview-facets">
      {Object.entries(facets)
        .filter(([field, facet]) => hasValues(facet) || ownValue(filters, field) !== undefined)
        .map(([field, facet]) => (
          <section key={field} className="preview-facet stack gap-6" aria-label={field}>
            <h3 className="small">{field.replaceAll('_', ' ')}</h3>
            {dates.has(field) ? (
              <Dates
                facet={facet}
                field={field}
                filters={filters}
                onChange={onChange}
                onInterval={(interval) => onInterval(field, interval)}
              />
            ) : Array.isArray(facet) ? (
              <Values
                facet={facet}
                chosen={chosenValues(filters, field)}
                onToggle={(value) => onChange(withValue(filters, field, value))}
              />
            ) : (
              <Range facet={facet} field={field} filters={filters} onChange={onChange} />
            )}
          </section>
        ))}
    </div>
  )
}

function hasValues(facet: Facet): boolean {
  return Array.isArray(facet) ? facet.length > 0 : facet.min !== null
}

const INTERVAL_OPTIONS: readonly { value: Interval | ''; label: string }[] = [
  { value: '', label: 'First and last' },
  ...INTERVALS.map((value) => ({ value, label: `By ${value}` })),
]

/** Years, months, … of a date, the newest first: that is what most people look for. */
function Dates({
  facet,
  field,
  filters,
  onChange,
  onInterval,
}: {
  readonly facet: Facet
  readonly field: string
  readonly filters: Filters
  readonly onChange: (filters: Filters | undefined) => void
  readonly onInterval: (interval: Interval) => void
}): ReactNode {
  const values = Array.isArray(facet) ? facet.toReversed() : []
  const chosen = chosenSpans(filters, field)
  const gone = chosen.filter((span) => values.every(({ from }) => from !== span.from))
  const all = [
    ...values.flatMap((one) => {
      const span = spanOf(one)
      return span === undefined ? [] : [{ span, count: one.count }]
    }),
    ...gone.map((span) => ({ span, count: 0 })),
  ]
  const first = all[0]?.span
  return (
    <>
      <Select
        label={`Interval of ${field}`}
        isLabelHidden
        options={Array.isArray(facet) ? INTERVAL_OPTIONS.slice(1) : INTERVAL_OPTIONS}
        value={first === undefined ? '' : intervalOf(first)}
        onChange={(interval) => interval !== '' && onInterval(interval)}
      />
      {Array.isArray(facet) ? (
        <ValueList
          values={all.map(({ span, count }) => ({
            key: span.from,
            name: spanWords(span),
            title: `${span.from} to ${span.to}`,
            count,
            isChosen: chosen.some(({ from }) => from === span.from),
            toggle: () => onChange(withSpan(filters, field, span)),
          }))}
        />
      ) : (
        facet.min !== null &&
        facet.max !== null && (
          <p className="small muted">
            {dayWords(facet.min)} to {dayWords(facet.max)}
          </p>
        )
      )}
    </>
  )
}

/** The last level of a category path; the whole path is the tooltip. */
function valueName(value: string): string {
  if (value === '') return '(empty)'
  const levels = value.split(' > ')
  return levels.length === 1 ? value : `› ${levels.at(-1)}`
}

function Values({
  facet,
  chosen,
  onToggle,
}: {
  readonly facet: Extract<Facet, readonly unknown[]>
  readonly chosen: readonly string[]
  readonly onToggle: (value: string) => void
}): ReactNode {
  const gone = chosen.filter((value) => !facet.some((one) => one.value === value))
  const all = [...facet, ...gone.map((value) => ({ value, count: 0 }))]
  return (
    <ValueList
      values={all.map(({ value, count }) => ({
        key: value,
        name: valueName(value),
        title: value,
        count,
        isChosen: chosen.includes(value),
        toggle: () => onToggle(value),
      }))}
    />
  )
}

interface ListedValue {
  readonly key: string
  readonly name: string
  readonly title: string
  readonly count: number
  readonly isChosen: boolean
  readonly toggle: () => void
}

/** The first values and the chosen ones; all of them when asked for. */
function ValueList({ values }: { readonly values: readonly ListedValue[] }): ReactNode {
  const [isOpen, setOpen] = useState(false)
  const shown = isOpen ? values : values.filter(({ isChosen }, i) => i < VALUES_SHOWN || isChosen)
  if (values.length === 0) return <p className="small muted">No values</p>
  return (
    <>
      <ul>
        {shown.map(({ key, name, title, count, isChosen, toggle }) => (
          <li key={key} className="preview-value">
            <Checkbox isSelected={isChosen} onChange={toggle}>
              <span className="cut" title={title}>
                {name}
              </span>
            </Checkbox>
            <span className="number small muted">{formatNumber(count)}</span>
          </li>
        ))}
      </ul>
      {values.length > VALUES_SHOWN && (
        <button
          type="button"
          className="preview-more text-link small"
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? 'Show fewer' : `Show all ${formatNumber(values.length)}`}
        </button>
      )}
    </>
  )
}

function Range({
  facet,
  field,
  filters,
  onChange,
}: {
  readonly facet: Exclude<Facet, readonly unknown[]>
  readonly field: string
  readonly filters: Filters
  readonly onChange: (filters: Filters | undefined) => void
}): ReactNode {
  const { min, max } = chosenRange(filters, field)
  const set = (end: 'min' | 'max', value: number): void => {
    const others = end === 'min' ? { max } : { min }
    const range = { ...others, ...(Number.isFinite(value) ? { [end]: value } : {}) }
    onChange(withRange(filters, field, range as { min?: number; max?: number }))
  }
  if (facet.min === null || facet.max === null) return <p className="small muted">No values</p>
  return (
    <>
      <div className="preview-range">
        <NumberField
          isLabelHidden
          label={`${field} from`}
          value={min ?? Number.NaN}
          onChange={(value) => set('min', value)}
        />
        <span className="muted">–</span>
        <NumberField
          isLabelHidden
          label={`${field} to`}
          value={max ?? Number.NaN}
          onChange={(value) => set('max', value)}
        />
      </div>
      <p className="small muted number">
        {shownNumber(facet.min)} to {shownNumber(facet.max)}
      </p>
    </>
  )
}

function shownNumber(value: number): string {
  return formatNumber(value, Number.isInteger(value) ? 0 : 2)
}
