import type { ReactNode } from 'react'
import { formatNumber } from '../format/numbers.ts'
import { Badge } from '../ui/badge.tsx'
import { meaningSentence, sum, type ScorePart, type ScoreSummary } from './score-parts.ts'
import './score-bar.css'

/** Series of a chart; further parts share the last one. */
const SERIES = 5

/**
 * A score as a bar of its parts, and a sentence for each. Two bars with the same scale can be
 * compared.
 */
export function ScoreBar({
  summary,
  scale,
  label,
}: {
  readonly summary: ScoreSummary
  /** Points that fill the full width. */
  readonly scale: number
  readonly label: string
}): ReactNode {
  const raised = summary.parts.filter(({ points }) => points > 0)
  const lowered = -sum(summary.parts.filter(({ points }) => points < 0))
  const width = (points: number): string => `${(100 * points) / Math.max(1, scale)}%`
  return (
    <div className="stack gap-8">
      <div className="row">
        {summary.isExact && <Badge kind="accent">Exact value</Badge>}
        {summary.meaning?.alone === true ? (
          <Badge kind="accent">By meaning</Badge>
        ) : summary.hasAllWords ? (
          <Badge kind="good">All words</Badge>
        ) : (
          <Badge kind="warn">Not all words</Badge>
        )}
        <span className="number strong">{formatNumber(summary.points)} points</span>
      </div>
      <div className="score-bar" role="img" aria-label={`${label}: ${barText(summary)}`}>
        {raised.map((part) => (
          <span
            key={part.key}
            className={`score-part series-${seriesOf(summary.parts, part)}`}
            style={{ width: width(part.points) }}
          />
        ))}
        {lowered > 0 && (
          <span
            className="score-lowered"
            style={{ width: width(lowered), marginLeft: `-${width(lowered)}` }}
          />
        )}
      </div>
      <ul className="score-legend small-list">
        {summary.parts.map((part) => (
          <li key={part.key}>
            <span className={`score-swatch ${swatchOf(summary.parts, part)}`} aria-hidden />
            <span className="grow">{part.sentence}</span>
            <span className="number strong">{signed(part.points)}</span>
          </li>
        ))}
      </ul>
      {summary.meaning !== undefined && (
        <p className="small">{meaningSentence(summary.meaning)}.</p>
      )}
    </div>
  )
}

/** Points of the widest of several bars. */
export function scoreScale(summaries: readonly ScoreSummary[]): number {
  return Math.max(1, ...summaries.map(({ parts }) => sum(parts.filter(({ points }) => points > 0))))
}

function seriesOf(parts: readonly ScorePart[], part: ScorePart): number {
  return Math.min(SERIES, parts.indexOf(part) + 1)
}

function swatchOf(parts: readonly ScorePart[], part: ScorePart): string {
  if (part.points < 0) return 'score-swatch-lowered'
  return part.points === 0 ? 'score-swatch-none' : `series-${seriesOf(parts, part)}`
}

function barText({ parts }: ScoreSummary): string {
  return parts.map(({ label, points }) => `${label} ${formatNumber(points)}`).join(', ')
}

function signed(points: number): string {
  return points > 0 ? `+${formatNumber(points)}` : formatNumber(points)
}
