import { fieldExpression } from '../../parts/field-expression.ts'
import type { StoreSchema } from '@aisle/contract'
import { useQuery } from '@tanstack/react-query'
import { ListFilter } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { Dialog, DialogTrigger, Popover } from 'react-aria-components'
import { formatNumber } from '../../format/numbers.ts'
import { useStore } from '../../shell/store-context.ts'
import { useDebounced } from '../../state/debounced.ts'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/choice.tsx'
import { TextField } from '../../ui/text-field.tsx'
import {
  filterableFields,
  needsValue,
  TEST_WORDS,
  type FilterableField,
  type FilterClause,
} from './filter-clauses.ts'
import { ownValue } from '../../format/own-value.ts'

const VALUES_OFFERED = 8

/** One more condition: a field, a test, a value. */
export function FilterBuilder({
  schema,
  onAdd,
}: {
  readonly schema: StoreSchema
  readonly onAdd: (clause: FilterClause) => void
}): ReactNode {
  const fields = filterableFields(schema)
  const [isOpen, setOpen] = useState(false)
  return (
    <DialogTrigger isOpen={isOpen} onOpenChange={setOpen}>
      <Button icon={ListFilter}>Add filter</Button>
      <Popover className="menu-popover" placement="bottom start" offset={4}>
        <Dialog className="documents-filter" aria-label="Add filter">
          <ClauseForm
            fields={fields}
            onAdd={(clause) => {
              onAdd(clause)
              setOpen(false)
            }}
          />
        </Dialog>
      </Popover>
    </DialogTrigger>
  )
}

function ClauseForm({
  fields,
  onAdd,
}: {
  readonly fields: readonly FilterableField[]
  readonly onAdd: (clause: FilterClause) => void
}): ReactNode {
  // Most people filter by brands and categories.
  const first = fields.find(({ isFacet, type }) => isFacet && type === 'string') ?? fields[0]!
  const [name, setName] = useState(first.name)
  const [test, setTest] = useState(first.tests[0]!)
  const [value, setValue] = useState('')
  const field = fields.find((one) => one.name === name) ?? first
  const chosenTest = field.tests.includes(test) ? test : field.tests[0]!
  const asksValue = needsValue(chosenTest)
  const isWhole = !asksValue || value.trim() !== ''
  const clause = { field: field.name, test: chosenTest, value: asksValue ? value : '' }
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        if (isWhole) onAdd(clause)
      }}
    >
      <div className="documents-filter-row">
        <Select
          label="Field"
          options={fields.map((one) => ({ value: one.name, label: one.name }))}
          value={field.name}
          onChange={(next) => {
            setName(next)
            setValue('')
          }}
        />
        <Select
          label="Condition"
          options={field.tests.map((one) => ({ value: one, label: TEST_WORDS[one] }))}
          value={chosenTest}
          onChange={setTest}
        />
      </div>
      {asksValue && <TextField label="Value" value={value} onChange={setValue} autoFocus />}
      {asksValue && field.isFacet && (
        <OfferedValues
          field={field.name}
          typed={value}
          onChoose={(chosen) => onAdd({ ...clause, value: chosen })}
        />
      )}
      <div className="row documents-filter-foot">
        <Button type="submit" isDisabled={!isWhole}>
          Add filter
        </Button>
      </div>
    </form>
  )
}

/** The most frequent values, and how many products have each. */
function OfferedValues({
  field,
  typed,
  onChoose,
}: {
  readonly field: string
  readonly typed: string
  readonly onChoose: (value: string) => void
}): ReactNode {
  const { storeId, calls } = useStore()
  const settled = useDebounced(typed.trim())
  const { data } = useQuery({
    queryKey: ['documents', storeId, 'values', field, settled],
    queryFn: async () => {
      const { facets } = await calls.search({
        q: '*',
        per_page: 0,
        analytics: false,
        apply_rules: false,
        facet_by: [fieldExpression(field)],
        max_values: VALUES_OFFERED,
        ...(settled === '' ? {} : { facet_query: `${fieldExpression(field)}:${settled}` }),
      })
      return ownValue(facets, field)
    },
  })
  if (!Array.isArray(data) || data.length === 0) return null
  return (
    <ul className="documents-values" aria-label={`Values of ${field}`}>
      {data.map(({ value, count }: { value: string; count: number }) => (
        <li key={value}>
          <button type="button" className="documents-value" onClick={() => onChoose(value)}>
            <span className="cut">{value}</span>
            <span className="muted number small">{formatNumber(count)}</span>
          </button>
        </li>
      ))}
    </ul>
  )
}
