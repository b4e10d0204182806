import type { FacetMap } from '@aisle/contract'
import { useState, type ReactNode } from 'react'
import { formatNumber } from '../../format/numbers.ts'
import { Checkbox } from '../../ui/choice.tsx'
import { NumberField } from '../../ui/text-field.tsx'
import { chosenRange, chosenValues, withRange, withValue, type Filters } from './facet-filters.ts'
import { ownValue } from '../../format/own-value.ts'

type Facet = FacetMap[string]

/** Number of values of a facet shown at first. */
const VALUES_SHOWN = 6

/** The filters beside the results of a shop. */
export function Facets({
  facets,
  filters,
  onChange,
}: {
  readonly facets: FacetMap
  readonly filters: Filters
  readonly onChange: (filters: Filters | undefined) => void
}): ReactNode {
  return (
    <div className="preview-facets">
      {Object.entries(facets)
        .filter(([field, facet]) => hasValues(facet) || ownValue(filters, field) !== undefined)
        .map(([field, facet]) => (
          <section key={field} className="preview-facet" aria-label={field}>
            <h3 className="small">{field.replaceAll('_', ' ')}</h3>
            {Array.isArray(facet) ? (
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
  const [isOpen, setOpen] = useState(false)
  const gone = chosen.filter((value) => !facet.some((one) => one.value === value))
  const all = [...facet, ...gone.map((value) => ({ value, count: 0 }))]
  const shown = isOpen
    ? all
    : all.filter(({ value }, i) => i < VALUES_SHOWN || chosen.includes(value))
  if (all.length === 0) return <p className="small muted">No values</p>
  return (
    <>
      <ul>
        {shown.map(({ value, count }) => (
          <li key={value} className="preview-value">
            <Checkbox isSelected={chosen.includes(value)} onChange={() => onToggle(value)}>
              <span className="cut" title={value}>
                {valueName(value)}
              </span>
            </Checkbox>
            <span className="number small muted">{formatNumber(count)}</span>
          </li>
        ))}
      </ul>
      {all.length > VALUES_SHOWN && (
        <button type="button" className="preview-more small" onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Show fewer' : `Show all ${formatNumber(all.length)}`}
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
