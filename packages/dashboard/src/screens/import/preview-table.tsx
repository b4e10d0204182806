import type { ReactNode } from 'react'
import { Badge } from '../../ui/badge.tsx'
import type { Column } from '../../ui/table-model.ts'
import { Table } from '../../ui/table.tsx'
import type { PlannedImport, PreviewRow } from './import-plan.ts'

const CELL_SHOWN_CHARS = 120

/** The first rows as products, with the reason for each that would be refused. */
export function PreviewTable({
  rows,
  planned,
}: {
  readonly rows: readonly PreviewRow[]
  readonly planned: PlannedImport
}): ReactNode {
  const names = planned.columns.flatMap(({ target, companions, reading }) => [
    target,
    ...companions.map(({ name }) => name),
    reading.currencyField ?? '',
  ])
  const targets = [...new Set(names)].filter((target) => target !== '')
  const columns: Column<PreviewRow>[] = [
    { id: 'row', header: 'Row', isNumber: true, width: '56px', cell: ({ row }) => row },
    {
      id: 'id',
      header: 'id',
      isMain: true,
      cell: ({ id, error }) =>
        error === undefined ? (
          <span className="mono import-cell cut" title={id}>
            {id === '' ? 'generated' : id}
          </span>
        ) : (
          <span className="import-refused">
            <Badge kind="bad">Refused</Badge> <span title={error}>{error}</span>
          </span>
        ),
    },
    ...targets.map((target): Column<PreviewRow> => ({
      id: `field.${target}`,
      header: target,
      cell: ({ fields }) => <Shown value={fields[target]} />,
    })),
  ]
  return (
    <Table
      label="Preview"
      name="import.preview"
      rows={rows}
      columns={columns}
      isWide
      rowId={({ row }) => String(row)}
      tools={<span className="small muted">Nothing has been sent yet.</span>}
    />
  )
}

function Shown({ value }: { readonly value: unknown }): ReactNode {
  if (value === undefined || value === null) return <span className="muted">–</span>
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return (
    <span className="import-cell cut" title={text.slice(0, 1_000)}>
      {text.slice(0, CELL_SHOWN_CHARS)}
    </span>
  )
}
