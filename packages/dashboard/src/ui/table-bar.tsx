import { Columns3, Download } from 'lucide-react'
import type { ReactNode } from 'react'
import { Dialog, DialogTrigger, Popover } from 'react-aria-components'
import { formatNumber } from '../format/numbers.ts'
import { Button, IconButton } from './button.tsx'
import { Checkbox } from './choice.tsx'
import { downloadText } from './download.ts'
import type { ColumnChooser } from './table-columns.ts'
import { tableCsv, type Column, type TableProps } from './table-model.ts'

interface TableBarProps<Row> extends TableProps<Row> {
  readonly sorted: readonly Row[] | undefined
  readonly shownColumns: readonly Column<Row>[]
  readonly chooser: ColumnChooser
}

/** Above a table: its tools, the number of rows, the visible columns, and a download. */
export function TableBar<Row>(props: TableBarProps<Row>): ReactNode {
  const { sorted, total, tools, columns, shownColumns, chooser, label } = props
  const count = sorted?.length ?? 0
  const hasValues = shownColumns.some(({ value }) => value !== undefined)
  return (
    <div className="table-bar">
      <div className="row grow">{tools}</div>
      <div className="table-bar-end">
        <span className="small muted number" role="status">
          {sorted === undefined
            ? 'Loading'
            : total === undefined || total === count
              ? formatNumber(count)
              : `${formatNumber(count)} of ${formatNumber(total)}`}
        </span>
        {columns.length > 2 && (
          <DialogTrigger>
            <IconButton label="Choose columns" icon={Columns3} />
            <Popover className="menu-popover floating" placement="bottom end">
              <Dialog className="table-chooser stack gap-8" aria-label="Columns">
                {columns.slice(1).map(({ id, header }) => (
                  <Checkbox
                    key={id}
                    isSelected={chooser.shown.has(id)}
                    onChange={() => chooser.toggle(id)}
                  >
                    {header}
                  </Checkbox>
                ))}
                <Button size="small" variant="ghost" onPress={chooser.reset}>
                  Reset columns
                </Button>
              </Dialog>
            </Popover>
          </DialogTrigger>
        )}
        {hasValues && count > 0 && (
          <IconButton
            label="Download as CSV"
            icon={Download}
            onPress={() =>
              downloadText(`${label}.csv`, tableCsv(sorted ?? [], shownColumns), 'text/csv')
            }
          />
        )}
      </div>
    </div>
  )
}
