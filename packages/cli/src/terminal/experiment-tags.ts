import type { ExperimentReport } from '@aisle/client'
import { count, table } from './table.ts'

type TagReport = NonNullable<ExperimentReport['by_tag']>[number]
type Figures = NonNullable<TagReport['figures']>

const GOALS = ['click', 'add_to_cart', 'order', 'revenue'] as const

/** What visitors did in searches with each tag: both arms, and how they differ. */
export function tagTable(tags: readonly TagReport[]): string {
  if (tags.length === 0) return 'No tags.\n'
  if (tags.some(({ votes }) => votes !== undefined)) {
    const head = ['tag', 'visitors', 'for the draft', 'for live', 'ties', 'share', 'interval']
    return table(
      head,
      tags.map(({ tag, visitors, votes }) => [
        tag,
        count(visitors.draft),
        count(votes?.draft ?? 0),
        count(votes?.live ?? 0),
        count(votes?.ties ?? 0),
        percent(votes?.draft_share ?? null),
        interval(votes?.low ?? null, votes?.high ?? null, percent),
      ]),
    )
  }
  return table(['tag', 'arm', 'visitors', ...GOALS], tags.flatMap(splitRows))
}

function splitRows({ tag, visitors, figures, currency = '' }: TagReport): string[][] {
  if (figures === undefined) return []
  const cells = (show: (figure: Figures['click'], text: Shown) => string): string[] =>
    GOALS.map((goal) =>
      show(figures[goal], goal === 'revenue' ? (value) => money(value, currency) : percent),
    )
  return [
    [tag, 'live', count(visitors.live), ...cells(({ live }, text) => text(live))],
    ['', 'draft', count(visitors.draft), ...cells(({ draft }, text) => text(draft))],
    ['', 'difference', '', ...cells(({ low, high }, text) => interval(low, high, text))],
  ]
}

type Shown = (value: number | null) => string

/** The 95 % interval of a figure. */
function interval(low: number | null, high: number | null, text: Shown): string {
  return low === null || high === null ? '-' : `${text(low)} to ${text(high)}`
}

function percent(value: number | null): string {
  return value === null ? '-' : `${(100 * value).toFixed(1)} %`
}

function money(value: number | null, currency: string): string {
  return value === null ? '-' : `${value.toFixed(2)} ${currency}`.trimEnd()
}
