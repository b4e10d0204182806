import { useVirtualizer } from '@tanstack/react-virtual'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { useMemo, useRef, type KeyboardEvent, type ReactNode } from 'react'
import { useUrlState } from '../state/url-state.ts'
import { Checkbox } from './choice.tsx'
import { parseSort, sortRows, sortText, type Column, type TableProps } from './table-model.ts'
import { TableBar } from './table-bar.tsx'
import { useChosenColumns } from './table-columns.ts'
import { Skeleton } from './states.tsx'
import './table.css'

/** With more rows than this, only visible ones are rendered. */
const VIRTUAL_ROWS_MIN = 200
const ROW_PIXELS = 36
const SKELETON_ROWS = 8

/**
 * The table: sorted by a click on a header; a click or Enter opens a row; arrow keys move between
 * rows.
 */
export function Table<Row>(props: TableProps<Row>): ReactNode {
  const { rows, columns, rowId, selection, onSelect, sortParameter = 'sort' } = props
  const { isSortedByService = false } = props
  const [sortInUrl, setSort] = useUrlState(sortParameter)
  const sort = useMemo(() => parseSort(sortInUrl), [sortInUrl])
  const [shownColumns, chooser] = useChosenColumns(props.name, columns)
  const sorted = useMemo(
    () => (rows === undefined || isSortedByService ? rows : sortRows(rows, columns, sort)),
    [rows, columns, sort, isSortedByService],
  )
  const scroller = useRef<HTMLDivElement>(null)
  const isVirtual = (sorted?.length ?? 0) > VIRTUAL_ROWS_MIN
  const virtualizer = useVirtualizer({
    count: isVirtual ? sorted!.length : 0,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PIXELS,
    overscan: 12,
  })
  const items = virtualizer.getVirtualItems()
  const first = items[0]?.start ?? 0
  const last = isVirtual ? virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0) : 0
  const drawn = isVirtual
    ? items.map(({ index }) => index)
    : (sorted ?? []).map((_, index) => index)
  const isSelectable = selection !== undefined && onSelect !== undefined
  const span = shownColumns.length + (isSelectable ? 1 : 0)

  const toggle = (id: string): void => {
    const next = new Set(selection)
    if (!next.delete(id)) next.add(id)
    onSelect?.(next)
  }
  const toggleAll = (isAll: boolean): void =>
    onSelect?.(new Set(isAll ? (sorted ?? []).map(rowId) : []))
  const sortBy = (columnId: string): void => {
    if (sort?.columnId !== columnId) setSort(sortText({ columnId, isDescending: false }))
    else setSort(sort.isDescending ? '' : sortText({ columnId, isDescending: true }))
  }

  return (
    <div className="table-block card">
      <TableBar {...props} sorted={sorted} shownColumns={shownColumns} chooser={chooser} />
      <div
        className="table-scroller"
        ref={scroller}
        style={isVirtual ? { height: props.height ?? 'min(70vh, 900px)' } : undefined}
        tabIndex={isVirtual || props.isWide === true ? 0 : undefined}
      >
        <table className="table" aria-label={props.label} aria-rowcount={(sorted?.length ?? 0) + 1}>
          <thead>
            <tr>
              {isSelectable && (
                <th className="table-tick">
                  <Checkbox
                    aria-label="Select all"
                    isSelected={selection.size > 0 && selection.size === sorted?.length}
                    isIndeterminate={selection.size > 0 && selection.size !== sorted?.length}
                    onChange={toggleAll}
                  />
                </th>
              )}
              {shownColumns.map((column) => (
                <HeadCell
                  key={column.id}
                  column={column}
                  direction={
                    sort?.columnId !== column.id
                      ? undefined
                      : sort.isDescending
                        ? 'descending'
                        : 'ascending'
                  }
                  onSort={sortBy}
                />
              ))}
            </tr>
          </thead>
          <tbody onKeyDown={walkRows}>
            {first > 0 && <Gap span={span} height={first} />}
            {sorted === undefined && <SkeletonRows span={span} />}
            {drawn.map((index) => {
              const row = sorted![index]!
              const id = rowId(row)
              return (
                <tr
                  key={id}
                  ref={isVirtual ? virtualizer.measureElement : undefined}
                  data-index={index}
                  aria-rowindex={index + 2}
                  tabIndex={props.onOpen === undefined ? undefined : 0}
                  className={props.onOpen === undefined ? undefined : 'table-row-opens'}
                  aria-selected={props.openRowId === id || selection?.has(id) || undefined}
                  onClick={(event) => isRowClick(event.target) && props.onOpen?.(row)}
                  onKeyDown={(event) => {
                    if (event.key === 'Enter' && event.target === event.currentTarget)
                      props.onOpen?.(row)
                  }}
                >
                  {isSelectable && (
                    <td className="table-tick">
                      <Checkbox
                        aria-label={`Select ${id}`}
                        isSelected={selection.has(id)}
                        onChange={() => toggle(id)}
                      />
                    </td>
                  )}
                  {shownColumns.map((column, i) => (
                    <td key={column.id} data-label={column.header} className={cellClass(column, i)}>
                      {column.cell(row)}
                    </td>
                  ))}
                </tr>
              )
            })}
            {last > 0 && <Gap span={span} height={last} />}
          </tbody>
        </table>
        {sorted?.length === 0 && props.empty}
      </div>
    </div>
  )
}

function HeadCell<Row>({
  column,
  direction,
  onSort,
}: {
  readonly column: Column<Row>
  readonly direction: 'ascending' | 'descending' | undefined
  readonly onSort: (columnId: string) => void
}): ReactNode {
  const Arrow = direction === 'descending' ? ArrowDown : ArrowUp
  const words = (
    <>
      {column.header}
      {column.unit !== undefined && <span className="table-unit"> {column.unit}</span>}
    </>
  )
  return (
    <th
      scope="col"
      className={cellClass(column, 1)}
      style={column.width === undefined ? undefined : { width: column.width }}
      aria-sort={direction}
    >
      {column.value === undefined || column.isUnsorted === true ? (
        words
      ) : (
        <button type="button" className="table-sort" onClick={() => onSort(column.id)}>
          {words}
          <Arrow
            size={12}
            aria-hidden
            className={direction === undefined ? 'table-arrow-idle' : ''}
          />
        </button>
      )}
    </th>
  )
}

function cellClass<Row>({ isNumber, isMain }: Column<Row>, index: number): string {
  const classes = [
    isNumber ? 'table-number' : '',
    index === 0 || isMain ? 'table-main' : 'table-more',
    index === 0 ? 'table-first' : '',
  ]
  return classes.join(' ')
}

/** Space for rows that are not rendered. */
function Gap({ span, height }: { readonly span: number; readonly height: number }): ReactNode {
  return (
    <tr aria-hidden className="table-gap">
      <td colSpan={span} style={{ height }} />
    </tr>
  )
}

function SkeletonRows({ span }: { readonly span: number }): ReactNode {
  return Array.from({ length: SKELETON_ROWS }, (_, row) => (
    <tr key={row} aria-hidden>
      {Array.from({ length: span }, (__, cell) => (
        <td key={cell} className={cell > 1 ? 'table-more' : 'table-main'}>
          <Skeleton width={`${85 - ((row * 7 + cell * 13) % 40)}%`} height={12} />
        </td>
      ))}
    </tr>
  ))
}

/** A click on a button, a link or a check box in the row is for that control. */
function isRowClick(target: EventTarget): boolean {
  if (document.getSelection()?.type === 'Range') return false
  return (
    target instanceof Element && target.closest('a, button, input, label, [role="menu"]') === null
  )
}

/** Arrow keys move from row to row. */
function walkRows(event: KeyboardEvent<HTMLTableSectionElement>): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
  const row = (event.target as Element).closest('tr')
  if (row === null || event.target !== row) return
  const next = event.key === 'ArrowDown' ? row.nextElementSibling : row.previousElementSibling
  if (next instanceof HTMLElement && next.tabIndex === 0) {
    next.focus()
    event.preventDefault()
  }
}
