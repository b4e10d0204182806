export interface HistogramColumn {
  /** `3`, `11–20`. */
  readonly label: string
  readonly clicks: number
  /** Several positions together. */
  readonly isGroup: boolean
}

/** The first positions one by one, the rest in three groups. */
const ALONE = 10
const GROUPS = [
  { label: '11–20', to: 20 },
  { label: '21–50', to: 50 },
  { label: '51+', to: Infinity },
] as const

/**
 * Clicks by position, positions that nobody clicks included; empty groups at the end are left out.
 */
export function histogramOf(
  rows: readonly { readonly position: number; readonly clicks: number }[],
): HistogramColumn[] {
  const sum = (from: number, to: number): number =>
    rows.reduce(
      (clicks, row) => (row.position >= from && row.position <= to ? clicks + row.clicks : clicks),
      0,
    )
  const columns = Array.from({ length: ALONE }, (_, i) => ({
    label: String(i + 1),
    clicks: sum(i + 1, i + 1),
    isGroup: false,
  }))
  let from = ALONE + 1
  for (const { label, to } of GROUPS) {
    columns.push({ label, clicks: sum(from, to), isGroup: true })
    from = to + 1
  }
  while (columns.length > ALONE && columns.at(-1)!.clicks === 0) columns.pop()
  return columns
}
