import type { ExperimentReport } from '@aisle/contract'

/** Times the height of the lines: wider intervals of the first days would make these look flat. */
const INTERVAL_SHOWN_MAX = 2

/** The lines of both orders; where the interval is far wider than they are high, it has a gap. */
export function chartSeries(days: ExperimentReport['by_day']) {
  const top = Math.max(...days.flatMap(({ live, draft }) => [live ?? 0, draft ?? 0]))
  const isShown = ({ high }: { high: number | null }): boolean =>
    high !== null && high <= INTERVAL_SHOWN_MAX * top
  return [
    { name: 'Live', values: days.map(({ live }) => live) },
    { name: 'Draft', values: days.map(({ draft }) => draft) },
    {
      name: 'At least',
      values: days.map((day) => (isShown(day) ? day.low : null)),
      isComparison: true,
    },
    {
      name: 'At most',
      values: days.map((day) => (isShown(day) ? day.high : null)),
      isComparison: true,
    },
  ]
}
