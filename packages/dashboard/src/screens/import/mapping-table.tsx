import type { SchemaFieldRequest, StoreSchema } from '@aisle/contract'
import type { ReactNode } from 'react'
import { fieldNameOf, type ProposedColumn } from '@aisle/import'
import { hasRoles, ofType, typesOf, type FieldType } from '../../parts/field-types.ts'
import { Badge } from '../../ui/badge.tsx'
import { Checkbox, Select } from '../../ui/choice.tsx'
import type { Column } from '../../ui/table-model.ts'
import { Table } from '../../ui/table.tsx'
import { ColumnFacts } from './column-facts.tsx'
import type { ImportPlan, PlannedImport } from './import-plan.ts'

const ROLES = [
  { role: 'searchable', header: 'Search' },
  { role: 'facet', header: 'Filter' },
  { role: 'sort', header: 'Sort' },
] as const

/** Each column of the file with its target field; for new fields also the type and the roles. */
export function MappingTable({
  plan,
  planned,
  schema,
  onChange,
}: {
  readonly plan: ImportPlan
  readonly planned: PlannedImport
  readonly schema: StoreSchema
  readonly onChange: (plan: ImportPlan) => void
}): ReactNode {
  const added = new Map(planned.added.map((field) => [field.name, field]))
  const known = new Map(schema.fields.map((field) => [field.name, field]))
  const move = (column: string, target: string): void =>
    onChange({ ...plan, targets: { ...plan.targets, [column]: target } })
  const change = (field: SchemaFieldRequest): void =>
    onChange({ ...plan, newFields: { ...plan.newFields, [field.name]: field } })

  const columns: Column<ProposedColumn>[] = [
    {
      id: 'column',
      header: 'Column',
      cell: ({ path, examples }) => (
        <span className="import-column">
          <span className="strong cut" title={path}>
            {path}
          </span>
          <span className="muted small cut" title={examples.join(' · ')}>
            {examples.length === 0 ? '–' : examples.join(' · ')}
          </span>
        </span>
      ),
    },
    {
      id: 'target',
      header: 'Field',
      isMain: true,
      width: '150px',
      cell: ({ path, target }) => (
        <Select
          label={`Field of ${path}`}
          isLabelHidden
          options={targetOptions(path, target, schema)}
          value={target}
          onChange={(next) => move(path, next)}
        />
      ),
    },
    {
      id: 'new',
      header: '',
      cell: ({ path, target, question }) =>
        question !== undefined && question.kind !== 'mixed' ? (
          <Badge kind="warn">Choose format</Badge>
        ) : path === plan.idColumn ? (
          <Badge>Id</Badge>
        ) : added.has(target) ? (
          <Badge kind="accent">New</Badge>
        ) : target === '' || !known.has(target) ? (
          <Badge>Left out</Badge>
        ) : null,
    },
    {
      id: 'type',
      header: 'Type',
      width: '150px',
      cell: ({ target }) => {
        const field = added.get(target)
        if (field === undefined) return <code>{known.get(target)?.type ?? '–'}</code>
        return (
          <Select
            label={`Type of ${target}`}
            isLabelHidden
            options={typesOf(target, field.type)}
            value={field.type}
            onChange={(type) => change(withType(field, type))}
          />
        )
      },
    },
    {
      id: 'why',
      header: 'Why',
      width: '200px',
      cell: (column) => <ColumnFacts column={column} plan={plan} onChange={onChange} />,
    },
    ...ROLES.map(({ role, header }): Column<ProposedColumn> => ({
      id: role,
      header,
      cell: ({ target }) => {
        const field = added.get(target)
        const shown = field ?? known.get(target)
        if (shown === undefined) return null
        return (
          <Checkbox
            aria-label={`${header} by ${target}`}
            isSelected={shown[role] === true}
            isDisabled={field === undefined || !hasRoles(field.type)}
            onChange={(isOn) => field !== undefined && change({ ...field, [role]: isOn })}
          />
        )
      },
    })),
  ]
  return (
    <Table
      label="File columns"
      name="import.mapping"
      rows={planned.columns}
      columns={columns}
      rowId={({ path }) => path}
      tools={<span className="small muted">Choose the type and roles of new fields.</span>}
    />
  )
}

/** Texts are mostly searched, numbers and flags filtered. */
function withType(field: SchemaFieldRequest, type: FieldType): SchemaFieldRequest {
  if (!hasRoles(type)) return ofType(field, type)
  const isText = type.startsWith('string')
  if (isText === field.type.startsWith('string')) return { ...field, type }
  if (isText) return { name: field.name, type, searchable: true }
  const isSorted = !type.endsWith('[]') && type !== 'bool'
  return { name: field.name, type, facet: true, ...(isSorted ? { sort: true } : {}) }
}

function targetOptions(
  column: string,
  target: string,
  schema: StoreSchema,
): { value: string; label: string }[] {
  const known = schema.fields.map(({ name }) => name).filter((name) => !name.endsWith('.*'))
  const proposed = [...new Set([fieldNameOf(column), column, target])].filter(
    (name) => name !== '' && name !== 'id' && !known.includes(name),
  )
  return [
    { value: '', label: 'Leave out' },
    ...proposed.map((name) => ({ value: name, label: name })),
    ...known.map((name) => ({ value: name, label: name })),
  ]
}
