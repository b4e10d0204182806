import type { SchemaField, SchemaFieldRequest } from '@aisle/contract'
import { RotateCcw, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { hasRoles, ofType, typesOf } from '../../parts/field-types.ts'
import { Badge } from '../../ui/badge.tsx'
import { IconButton } from '../../ui/button.tsx'
import { Checkbox, Select } from '../../ui/choice.tsx'
import { textColumn } from '../../ui/columns.tsx'
import type { Column } from '../../ui/table-model.ts'
import { Table } from '../../ui/table.tsx'
import { fieldWords, type FieldChange } from './schema-diff.ts'

const ROLES = [
  { role: 'searchable', header: 'Search' },
  { role: 'facet', header: 'Filter' },
  { role: 'sort', header: 'Sort' },
] as const

/** Every field of the draft, and those that it removes; what changes is marked. */
export function FieldTable({
  changes,
  fields,
  mayEdit,
  onChange,
}: {
  readonly changes: readonly FieldChange[]
  readonly fields: readonly SchemaFieldRequest[]
  readonly mayEdit: boolean
  readonly onChange: (fields: readonly SchemaFieldRequest[]) => void
}): ReactNode {
  const change = (field: SchemaField): void =>
    onChange(fields.map((one) => (one.name === field.name ? field : one)))
  const columns: Column<FieldChange>[] = [
    textColumn('name', 'Field', ({ name }) => name, {
      cell: (row) => (
        <span
          className={
            row.kind === 'removed'
              ? 'schema-name row row-whole schema-removed'
              : 'schema-name row row-whole'
          }
        >
          <span className="cut strong" title={row.name}>
            {row.name}
          </span>
          <Mark kind={row.kind} />
          {fieldOf(row).pattern !== undefined && <Badge>By {fieldOf(row).pattern}</Badge>}
          <span className="schema-roles small muted">{fieldWords(fieldOf(row))}</span>
        </span>
      ),
      isUnsorted: true,
    }),
    textColumn('type', 'Type', (row) => fieldOf(row).type, {
      isMain: true,
      width: '160px',
      cell: (row) =>
        row.kind === 'removed' || !mayEdit ? (
          <code>{fieldOf(row).type}</code>
        ) : (
          <Select
            label={`Type of ${row.name}`}
            isLabelHidden
            options={typesOf(row.name, row.after.type)}
            value={row.after.type}
            onChange={(type) => change(ofType(row.after, type))}
          />
        ),
      isUnsorted: true,
    }),
    ...ROLES.map(({ role, header }): Column<FieldChange> => ({
      id: role,
      header,
      cell: (row) => (
        <Checkbox
          aria-label={`${header}: ${row.name}`}
          isSelected={fieldOf(row)[role]}
          isDisabled={!mayEdit || row.kind === 'removed' || !hasRoles(row.after.type)}
          onChange={(isOn) => row.kind !== 'removed' && change({ ...row.after, [role]: isOn })}
        />
      ),
      value: (row) => String(fieldOf(row)[role]),
      isUnsorted: true,
    })),
    {
      id: 'remove',
      header: '',
      width: '52px',
      cell: (row) => {
        if (!mayEdit) return null
        if (row.kind === 'removed') {
          return (
            <IconButton
              label={`Keep ${row.name}`}
              icon={RotateCcw}
              onPress={() => onChange([...fields, row.before])}
            />
          )
        }
        return (
          <IconButton
            label={`Remove ${row.name}`}
            icon={Trash2}
            onPress={() => onChange(fields.filter(({ name }) => name !== row.name))}
          />
        )
      },
    },
  ]
  return (
    <Table
      label="Fields"
      name="schema"
      rows={changes}
      columns={columns}
      rowId={({ name }) => name}
      tools={
        <span className="small muted">
          Search: match its words. Filter: facets and filters. Sort: sort results by it.
        </span>
      }
    />
  )
}

function fieldOf(row: FieldChange): SchemaField {
  return row.kind === 'removed' ? row.before : row.after
}

function Mark({ kind }: { readonly kind: FieldChange['kind'] }): ReactNode {
  if (kind === 'added') return <Badge kind="good">New</Badge>
  if (kind === 'changed') return <Badge kind="warn">Changed</Badge>
  return kind === 'removed' ? <Badge kind="bad">Removed</Badge> : null
}
