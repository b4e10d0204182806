import { type ReactNode, useState } from 'react'
import { formatNumber } from '../../format/numbers.ts'
import { Plus, X } from 'lucide-react'
import { Button, IconButton } from '../../ui/button.tsx'
import { Select } from '../../ui/choice.tsx'
import { TextField } from '../../ui/text-field.tsx'
import {
  needsElements,
  needsValue,
  TEST_WORDS,
  type FilterableField,
  type FilterClause,
} from './filter-clauses.ts'
import { useKnownValues } from './known-values.ts'

/** One condition: a field, a test, a value, or what one element of a list must meet. */
export function ClauseForm({
  fields,
  onAdd,
}: {
  readonly fields: readonly FilterableField[]
  readonly onAdd: (clause: FilterClause) => void
}): ReactNode {
  const [clause, setClause] = useState(() => firstClause(fields))
  const field = fields.find(({ name }) => name === clause.field)!
  const { inside } = clause
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        if (isWhole(clause)) onAdd(clause)
      }}
    >
      <ClauseRow fields={fields} clause={clause} onChange={setClause} />
      {inside !== undefined && (
        <ElementClauses
          list={field.name}
          fields={field.inside ?? []}
          clauses={inside}
          onChange={(next) => setClause({ ...clause, inside: next })}
        />
      )}
      {needsValue(clause.test) && field.isFacet && (
        <OfferedValues
          field={field.name}
          typed={lastValue(clause)}
          onChoose={(value) => {
            if (clause.test === 'any') setClause(withValue(clause, value))
            else onAdd({ ...clause, value })
          }}
        />
      )}
      <div className="row documents-filter-foot">
        <Button type="submit" isDisabled={!isWhole(clause)}>
          Add filter
        </Button>
      </div>
    </form>
  )
}

/** What one and the same element must meet. */
function ElementClauses({
  list,
  fields,
  clauses,
  onChange,
}: {
  readonly list: string
  readonly fields: readonly FilterableField[]
  readonly clauses: readonly FilterClause[]
  readonly onChange: (clauses: readonly FilterClause[]) => void
}): ReactNode {
  /** The condition that was changed last: for it, values are offered. */
  const [latest, setLatest] = useState(0)
  const current = clauses[latest]
  const field = fields.find(({ name }) => name === current?.field)
  const change = (at: number, next: FilterClause): void => {
    setLatest(at)
    onChange(clauses.map((one, i) => (i === at ? next : one)))
  }
  return (
    <div className="documents-filter-elements stack" role="group" aria-label={`One of ${list}`}>
      {clauses.map((clause, at) => (
        // Conditions have no names, and are never moved.
        <div key={at} className="stack">
          <ClauseRow
            fields={fields}
            clause={clause}
            onChange={(next) => change(at, next)}
            actions={
              clauses.length > 1 && (
                <IconButton
                  label={`Remove the condition of ${clause.field}`}
                  icon={X}
                  onPress={() => {
                    setLatest(0)
                    onChange(clauses.filter((_, i) => i !== at))
                  }}
                />
              )
            }
          />
        </div>
      ))}
      {current !== undefined && field?.isFacet === true && needsValue(current.test) && (
        <OfferedValues
          field={`${list}.${field.name}`}
          typed={lastValue(current)}
          onChoose={(value) => change(latest, withValue(current, value))}
        />
      )}
      <Button
        icon={Plus}
        size="small"
        onPress={() => {
          const unused = fields.filter(({ name }) => clauses.every((one) => one.field !== name))
          setLatest(clauses.length)
          onChange([...clauses, firstClause(unused.length > 0 ? unused : fields)])
        }}
      >
        And
      </Button>
    </div>
  )
}

function ClauseRow({
  fields,
  clause,
  onChange,
  actions,
}: {
  readonly fields: readonly FilterableField[]
  readonly clause: FilterClause
  readonly onChange: (clause: FilterClause) => void
  readonly actions?: ReactNode
}): ReactNode {
  const field = fields.find(({ name }) => name === clause.field)!
  const test = (chosen: FilterClause['test']): void =>
    onChange({
      field: field.name,
      test: chosen,
      value: needsValue(chosen) ? clause.value : '',
      ...(needsElements(chosen)
        ? { inside: clause.inside ?? [firstClause(field.inside ?? [])] }
        : {}),
    })
  return (
    <>
      <div className="documents-filter-row">
        <Select
          label="Field"
          options={fields.map(({ name }) => ({ value: name, label: name }))}
          value={field.name}
          onChange={(name) => {
            const next = fields.find((one) => one.name === name)!
            onChange(firstClause([next]))
          }}
        />
        <Select
          label="Condition"
          options={field.tests.map((one) => ({ value: one, label: TEST_WORDS[one] }))}
          value={clause.test}
          onChange={test}
        />
        {actions}
      </div>
      {needsValue(clause.test) && (
        <TextField
          label="Value"
          about={clause.test === 'any' ? 'Separate several with commas.' : undefined}
          value={clause.value}
          onChange={(value) => onChange({ ...clause, value })}
          autoFocus
        />
      )}
    </>
  )
}

/** Most people filter by brands and categories. */
function firstClause(fields: readonly FilterableField[]): FilterClause {
  const first = fields.find(({ isFacet, type }) => isFacet && type === 'string') ?? fields[0]!
  const test = first.tests[0]!
  const inside = needsElements(test) ? { inside: [firstClause(first.inside!)] } : {}
  return { field: first.name, test, value: '', ...inside }
}

function isWhole({ test, value, inside }: FilterClause): boolean {
  if (inside !== undefined) return inside.every(isWhole)
  if (!needsValue(test)) return true
  return test === 'any' ? /[^,\s]/.test(value) : value.trim() !== ''
}

/** What is being typed: behind the last comma of several values. */
function lastValue({ test, value }: FilterClause): string {
  return test === 'any' ? value.slice(value.lastIndexOf(',') + 1) : value
}

function withValue(clause: FilterClause, chosen: string): FilterClause {
  const { test, value } = clause
  const before = test === 'any' ? value.slice(0, value.lastIndexOf(',') + 1) : ''
  const text = before === '' ? chosen : `${before} ${chosen}`
  return { ...clause, value: test === 'any' ? `${text}, ` : text }
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
  const { data } = useKnownValues(field, typed)
  if (data === undefined || data.length === 0) return null
  return (
    <ul className="documents-values" aria-label={`Values of ${field}`}>
      {data.map(({ value, count }) => (
        <li key={value}>
          <button type="button" className="documents-value pick" onClick={() => onChoose(value)}>
            <span className="cut">{value}</span>
            <span className="muted number small">{formatNumber(count)}</span>
          </button>
        </li>
      ))}
    </ul>
  )
}
