import { usePreference } from '../state/stored.ts'
import type { Column } from './table-model.ts'
import { ownValue } from '../format/own-value.ts'

export interface ColumnChooser {
  readonly shown: ReadonlySet<string>
  readonly toggle: (columnId: string) => void
  readonly reset: () => void
}

/** The columns chosen for a table in this browser. */
export function useChosenColumns<Row>(
  name: string,
  columns: readonly Column<Row>[],
): [shown: readonly Column<Row>[], chooser: ColumnChooser] {
  const [chosen, choose] = usePreference<Readonly<Record<string, boolean>>>(`columns.${name}`, {})
  const isShown = ({ id, isHidden = false }: Column<Row>): boolean =>
    ownValue(chosen, id) ?? !isHidden
  const seen = columns.filter((column, i) => i === 0 || isShown(column))
  const shown = new Set(seen.map(({ id }) => id))
  return [
    seen,
    {
      shown,
      toggle: (columnId) => choose({ ...chosen, [columnId]: !shown.has(columnId) }),
      reset: () => choose({}),
    },
  ]
}
