import type { FacetValueDisplay } from '@aisle/contract'
import { FACET_VALUES_MAX } from '@aisle/contract/limits'
import { Eye, EyeOff, Pin, PinOff } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { formatNumber } from '../format/numbers.ts'
import { IconButton } from '../ui/button.tsx'
import { Select } from '../ui/choice.tsx'
import { SkeletonLines } from '../ui/states.tsx'
import { SortableList } from '../ui/sortable-list.tsx'
import { NumberField, SearchField } from '../ui/text-field.tsx'
import { movedTo, withValue } from './facet-arrangement.ts'
import type { FacetCount } from './facet-counts.ts'

/** Values that are listed; a search narrows them. */
const VALUES_LISTED = 50
/** Fewer values need no search. */
const VALUES_SEARCHED = 12

const SORTS = [
  { value: '', label: 'As the search returns them', about: 'Usually the most frequent first.' },
  { value: 'count', label: 'Most frequent first' },
  { value: 'alpha', label: 'A to Z', about: 'Numbers in their order: 9 before 10.' },
  { value: 'pinned', label: 'Only pinned values' },
] as const

/** How the values of one facet are shown: order, number, pinned and hidden values. */
export function FacetValues({
  name,
  isRange,
  values,
  counts,
  isDisabled,
  onChange,
}: {
  readonly name: string
  readonly isRange: boolean
  readonly values: FacetValueDisplay
  /** The values of the catalog; undefined while they load. */
  readonly counts: FacetCount['counts'] | undefined
  readonly isDisabled: boolean
  readonly onChange: (values: FacetValueDisplay) => void
}): ReactNode {
  const { sort, pin = [], hide = [], limit } = values
  const countOf = new Map(counts?.map((one) => [one.value, one.count]))
  if (isRange) {
    return (
      <section aria-label={`Values of ${name}`} className="stack">
        <h3>
          Values of <bdi>{name}</bdi>
        </h3>
        <p className="muted">
          Numbers and dates are shown as a range, so there are no values to arrange.
        </p>
      </section>
    )
  }
  return (
    <section aria-label={`Values of ${name}`} className="stack">
      <h3>
        Values of <bdi>{name}</bdi>
      </h3>
      <div className="arranger-fields">
        <Select
          label={pin.length === 0 ? 'Order' : 'Order after pinned values'}
          options={SORTS.filter(({ value }) => value !== 'pinned' || pin.length > 0)}
          value={sort ?? ''}
          onChange={(next) => {
            const { sort: _, ...others } = values
            onChange(next === '' ? others : { ...others, sort: next })
          }}
          isDisabled={isDisabled}
        />
        <NumberField
          label="Values shown"
          minValue={1}
          maxValue={FACET_VALUES_MAX}
          value={limit ?? Number.NaN}
          onChange={(next) => {
            const { limit: _, ...others } = values
            onChange(Number.isFinite(next) ? { ...others, limit: next } : others)
          }}
          isDisabled={isDisabled}
          about="Empty: all."
        />
      </div>
      {pin.length > 0 && (
        <div className="stack gap-6">
          <h4 className="small muted">Pinned, in order</h4>
          <SortableList
            label={`Pinned values of ${name}`}
            isDisabled={isDisabled}
            entries={pin.map((value) => ({
              id: value,
              name: value,
              content: (
                <span className="row row-whole gap-4">
                  <span className="grow cut">
                    <bdi>{value}</bdi>
                  </span>
                  <Count count={countOf.get(value)} isLoaded={counts !== undefined} />
                  <IconButton
                    label={`Unpin ${value}`}
                    icon={PinOff}
                    isDisabled={isDisabled}
                    onPress={() => onChange(withValue(values, value, undefined))}
                  />
                </span>
              ),
            }))}
            onMove={(value, place) => onChange({ ...values, pin: movedTo(pin, value, place) })}
          />
        </div>
      )}
      {hide.length > 0 && (
        <div className="stack gap-6">
          <h4 className="small muted">Hidden</h4>
          <ul className="arranger-hidden stack gap-4">
            {hide.map((value) => (
              <li key={value} className="row row-whole gap-4">
                <span className="grow cut">
                  <bdi>{value}</bdi>
                </span>
                <Count count={countOf.get(value)} isLoaded={counts !== undefined} />
                <IconButton
                  label={`Show ${value}`}
                  icon={EyeOff}
                  isDisabled={isDisabled}
                  onPress={() => onChange(withValue(values, value, undefined))}
                />
              </li>
            ))}
          </ul>
        </div>
      )}
      <OtherValues
        values={values}
        counts={counts}
        isDisabled={isDisabled}
        onSet={(value, as) => onChange(withValue(values, value, as))}
      />
    </section>
  )
}

/** The values of the catalog that are neither pinned nor hidden. */
function OtherValues({
  values: { pin = [], hide = [] },
  counts,
  isDisabled,
  onSet,
}: {
  readonly values: FacetValueDisplay
  readonly counts: FacetCount['counts'] | undefined
  readonly isDisabled: boolean
  readonly onSet: (value: string, as: 'pin' | 'hide') => void
}): ReactNode {
  const [find, setFind] = useState('')
  if (counts === undefined) return <SkeletonLines count={6} />
  const placed = new Set([...pin, ...hide])
  const others = counts.filter(({ value }) => value !== '' && !placed.has(value))
  const needle = find.trim().toLowerCase()
  const found = others.filter(({ value }) => value.toLowerCase().includes(needle))
  if (counts.length === 0) return <p className="muted">No product has a value.</p>
  return (
    <div className="stack gap-6">
      <h4 className="small muted">In the catalog</h4>
      {others.length > VALUES_SEARCHED && (
        <SearchField label="Find values" value={find} onChange={setFind} />
      )}
      <ul className="arranger-values">
        {found.slice(0, VALUES_LISTED).map(({ value, count }) => (
          <li key={value} className="row row-whole gap-4">
            <span className="grow cut">
              <bdi>{value}</bdi>
            </span>
            <span className="number small muted">{formatNumber(count)}</span>
            <IconButton
              label={`Pin ${value}`}
              icon={Pin}
              isDisabled={isDisabled}
              onPress={() => onSet(value, 'pin')}
            />
            <IconButton
              label={`Hide ${value}`}
              icon={Eye}
              isDisabled={isDisabled}
              onPress={() => onSet(value, 'hide')}
            />
          </li>
        ))}
      </ul>
      {found.length > VALUES_LISTED && (
        <p className="small muted">
          The {VALUES_LISTED} most frequent of {formatNumber(found.length)} values.
        </p>
      )}
    </div>
  )
}

function Count({
  count,
  isLoaded,
}: {
  readonly count: number | undefined
  readonly isLoaded: boolean
}): ReactNode {
  if (count !== undefined) return <span className="number small muted">{formatNumber(count)}</span>
  return isLoaded ? <span className="small muted">no product</span> : null
}
