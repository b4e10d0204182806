/**
 * The counts of a query by day, flat in one array: five numbers per day and set of tags. Days are
 * mostly in order, so that the newest is at the end.
 */
export type DayCells = number[]

export const CELL_LENGTH = 5
/** Offsets within a cell. Set 0 counts everything, with any tags. */
export const CELL = { day: 0, tagSet: 1, sessions: 2, clicks: 3, conversions: 4 } as const
export type Counted = 'sessions' | 'clicks' | 'conversions'

/** A session that clicked or bought counts more than one that only searched. */
export const CLICK_WEIGHT = 1
export const CONVERSION_WEIGHT = 3

export function raiseCell(cells: DayCells, day: number, tagSet: number, counted: Counted): void {
  for (let at = cells.length - CELL_LENGTH; at >= 0; at -= CELL_LENGTH) {
    if (cells[at] === day && cells[at + CELL.tagSet] === tagSet) {
      cells[at + CELL[counted]]! += 1
      return
    }
  }
  const at = cells.length
  cells.push(day, tagSet, 0, 0, 0)
  cells[at + CELL[counted]] = 1
}

/** The cells from a day on; the same array if there are no others. */
export function cellsSince(cells: DayCells, firstDay: number): DayCells {
  let isAll = true
  for (let at = 0; at < cells.length; at += CELL_LENGTH) isAll &&= cells[at]! >= firstDay
  if (isAll) return cells
  const kept: DayCells = []
  for (let at = 0; at < cells.length; at += CELL_LENGTH) {
    if (cells[at]! < firstDay) continue
    for (let i = 0; i < CELL_LENGTH; i++) kept.push(cells[at + i]!)
  }
  return kept
}

/** Sum of the weighted counts of a cell. */
export function popularityOf(cells: DayCells, at: number): number {
  return (
    cells[at + CELL.sessions]! +
    CLICK_WEIGHT * cells[at + CELL.clicks]! +
    CONVERSION_WEIGHT * cells[at + CELL.conversions]!
  )
}
