import { COLLECTION_FIELD, collectionFilter } from '@aisle/contract/collection-names'
import { ListFilter } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import { TextField, NumberField, SearchField } from '../ui/text-field.tsx'
import { useQuery } from '@tanstack/react-query'
import { formatNumber } from '../format/numbers.ts'
import { useResources, useSchema } from './store-queries.ts'
import { useStore } from '../session/store.ts'
import { Checkbox, Select } from '../ui/choice.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { ErrorNote, SkeletonLines } from '../ui/states.tsx'
import { quotedValue, rangeFilter, valuesFilter } from '../format/quoting.ts'
import { ownValue } from '../format/own-value.ts'
import './filter-field.css'

/** Values that are seen; a search narrows them. */
const VALUES_SHOWN = 50

/** Builds a filter from a field and some of its values. */
function FilterDialog({
  hasCollections,
  onClose,
  onChoose,
}: {
  readonly hasCollections: boolean
  readonly onClose: () => void
  readonly onChoose: (filter: string) => void
}): ReactNode {
  const { storeId, calls } = useStore()
  const schema = useSchema()
  const fields = (schema.data?.fields ?? []).filter(({ facet }) => facet)
  const all = useResources('collections')
  const collections = hasCollections ? (all.data ?? []) : []
  const [chosenField, setField] = useState('')
  const field = chosenField === '' ? (fields[0]?.name ?? '') : chosenField
  const [values, setValues] = useState<readonly string[]>([])
  const [[min, max], setRange] = useState<readonly [number, number]>([Number.NaN, Number.NaN])
  const [find, setFind] = useState('')
  const facet = useQuery({
    queryKey: ['facet', storeId, field],
    queryFn: () => calls.search({ q: '*', facet_by: field, per_page: 0, analytics: false }),
    enabled: field !== '' && field !== COLLECTION_FIELD,
  })
  const isCollection = field === COLLECTION_FIELD
  const counts: CountedValues | undefined = isCollection
    ? collections.map(({ name }) => ({ value: name }))
    : ownValue(facet.data?.facets, field)
  const filter = isCollection
    ? collectionsFilter(values)
    : Array.isArray(counts)
      ? valuesFilter(field, values)
      : rangeFilter(field, min, max)
  const shown = Array.isArray(counts)
    ? counts.filter(({ value }) => value.toLowerCase().includes(find.trim().toLowerCase()))
    : []
  return (
    <Dialog
      title="Choose products by a field"
      onClose={onClose}
      footer={
        <>
          <Button onPress={onClose}>Cancel</Button>
          <Button variant="primary" isDisabled={filter === ''} onPress={() => onChoose(filter)}>
            Use filter
          </Button>
        </>
      }
    >
      {schema.isSuccess && fields.length === 0 && (
        <p className="muted">The schema has no filterable field.</p>
      )}
      <Select
        label="Field"
        options={[
          ...fields.map(({ name, type }) => ({ value: name, label: name, about: type })),
          ...(collections.length === 0
            ? []
            : [{ value: COLLECTION_FIELD, label: 'Collection', about: 'a filter with a name' }]),
        ]}
        value={field}
        onChange={(next) => {
          setField(next)
          setValues([])
          setRange([Number.NaN, Number.NaN])
        }}
      />
      {facet.isError && <ErrorNote attempt="load" error={facet.error} />}
      {facet.isPending && field !== '' && !isCollection && <SkeletonLines count={5} />}
      {Array.isArray(counts) ? (
        <>
          {counts.length > 12 && (
            <SearchField label="Find values" value={find} onChange={setFind} />
          )}
          <ul className="filter-values stack gap-6">
            {shown.slice(0, VALUES_SHOWN).map(({ value, count }) => (
              <li key={value} className="row row-apart">
                <Checkbox
                  isSelected={values.includes(value)}
                  onChange={(isChosen) =>
                    setValues(isChosen ? [...values, value] : values.filter((one) => one !== value))
                  }
                >
                  <span className="cut">{value === '' ? '(empty)' : value}</span>
                </Checkbox>
                {count !== undefined && (
                  <span className="number small muted">{formatNumber(count)}</span>
                )}
              </li>
            ))}
          </ul>
          {shown.length > VALUES_SHOWN && (
            <p className="small muted">
              The {VALUES_SHOWN} most frequent of {formatNumber(shown.length)} values.
            </p>
          )}
        </>
      ) : (
        counts !== undefined && (
          <div className="row">
            <NumberField
              label="From"
              value={min}
              onChange={(value) => setRange([value, max])}
              {...(counts.min === null ? {} : { about: `Lowest: ${formatNumber(counts.min, 2)}` })}
            />
            <NumberField
              label="To"
              value={max}
              onChange={(value) => setRange([min, value])}
              {...(counts.max === null ? {} : { about: `Highest: ${formatNumber(counts.max, 2)}` })}
            />
          </div>
        )
      )}
      <p className="small muted">
        <code>{filter === '' ? 'filter_by' : filter}</code>
      </p>
    </Dialog>
  )
}

type CountedValues =
  | { readonly value: string; readonly count?: number }[]
  | { readonly min: number | null; readonly max: number | null }

/** Any of these collections. */
function collectionsFilter(names: readonly string[]): string {
  const [first, ...others] = names
  if (first === undefined) return ''
  if (others.length === 0) return collectionFilter(first)
  return `${COLLECTION_FIELD}:[${names.map(quotedValue).join(', ')}]`
}

export interface FilterFieldProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly isDisabled: boolean
  /** Error from the service, by its place in the rule. */
  readonly error?: string | undefined
  /** Whether it may name collections; a collection itself may not. */
  readonly hasCollections?: boolean
}

/** A filter as text, with a dialog that builds it from the values of the catalog. */
export function FilterField({
  label,
  value,
  onChange,
  hasCollections = true,
  ...rest
}: FilterFieldProps): ReactNode {
  const [isChoosing, setChoosing] = useState(false)
  return (
    <div className="filter-field">
      <TextField
        {...rest}
        label={label}
        isLabelHidden
        isMono
        placeholder="brand:=Norrby"
        value={value}
        onChange={onChange}
      />
      <Button
        size="small"
        icon={ListFilter}
        isDisabled={rest.isDisabled}
        onPress={() => setChoosing(true)}
      >
        Choose
      </Button>
      {isChoosing && (
        <FilterDialog
          hasCollections={hasCollections}
          onClose={() => setChoosing(false)}
          onChoose={(filter) => {
            onChange(filter)
            setChoosing(false)
          }}
        />
      )}
    </div>
  )
}
