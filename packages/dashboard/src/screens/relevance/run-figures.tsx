import type { ReactNode } from 'react'
import { formatCount, formatNumber, formatPercent } from '../../format/numbers.ts'
import { Segmented } from '../../ui/choice.tsx'
import { Skeleton } from '../../ui/states.tsx'
import type { Interval } from './interval.ts'
import type { RunSummary } from './metrics.ts'

export type JudgedBy = 'people' | 'clicks'

interface RunFiguresProps {
  readonly summary: RunSummary | undefined
  readonly interval: Interval | undefined
  readonly judgedBy: JudgedBy
  readonly onJudgedBy: (by: JudgedBy) => void
  /** Behind the judgments, when clicks made them. */
  readonly sessions: number | undefined
}

/** The effect of B on all queries, in four figures. */
export function RunFigures({
  summary,
  interval,
  judgedBy,
  onJudgedBy,
  sessions,
}: RunFiguresProps): ReactNode {
  return (
    <div className="relevance-figures">
      <Figure label="Searches affected" about="in the top 10, by share of traffic">
        {summary && formatPercent(summary.changedShare)}
      </Figure>
      <Figure label="Results in common" about="mean overlap of the top 10">
        {summary && formatPercent(summary.overlap)}
      </Figure>
      <Figure label="Queries with no results" about="A, then B">
        {summary && (
          <>
            {formatNumber(summary.liveEmpty)} <span className="muted">→</span>{' '}
            <span className={toneOf(summary.liveEmpty - summary.draftEmpty)}>
              {formatNumber(summary.draftEmpty)}
            </span>
          </>
        )}
      </Figure>
      <div className="relevance-figure card relevance-figure-wide">
        <div className="row row-apart">
          <span className="small strong">NDCG@10, as judged by</span>
          <Segmented label="Judged by" options={JUDGED_BY} value={judgedBy} onChange={onJudgedBy} />
        </div>
        {summary === undefined ? (
          <Skeleton width={140} height={28} />
        ) : (
          <Quality summary={summary} interval={interval} judgedBy={judgedBy} sessions={sessions} />
        )}
      </div>
    </div>
  )
}

const JUDGED_BY = [
  { value: 'people', label: 'People' },
  { value: 'clicks', label: 'Clicks' },
] as const

function Quality({
  summary: { liveNdcg, draftNdcg, judgedQueries, queries },
  interval,
  judgedBy,
  sessions,
}: Pick<RunFiguresProps, 'interval' | 'judgedBy' | 'sessions'> & {
  readonly summary: RunSummary
}): ReactNode {
  if (liveNdcg === undefined || draftNdcg === undefined) {
    return (
      <p className="small muted">
        {judgedBy === 'people'
          ? 'No judgments yet: use the thumbs beside the results, or import judgments.'
          : 'No clicks on results of these queries have been reported in 30 days.'}
      </p>
    )
  }
  const gain = draftNdcg - liveNdcg
  const isSure = interval !== undefined && (interval.low > 0 || interval.high < 0)
  return (
    <>
      <p className="relevance-figure-value number">
        {formatNumber(liveNdcg, 3)} <span className="muted">→</span> {formatNumber(draftNdcg, 3)}{' '}
        <span className={isSure ? toneOf(gain) : 'muted'}>{signed(gain)}</span>
      </p>
      <p className="small muted">
        {interval !== undefined &&
          `95% interval of the gain ${signed(interval.low)} to ${signed(interval.high)}. `}
        {`${formatCount(judgedQueries, 'query', 'queries')} of ${formatNumber(queries)} judged`}
        {sessions !== undefined && `, ${formatCount(sessions, 'session')}`}.
        {judgedBy === 'clicks' &&
          ' Corrected for click position. Products that A never showed have no clicks, so a B that finds new products looks worse than it is.'}
      </p>
    </>
  )
}

function Figure({
  label,
  about,
  children,
}: {
  readonly label: string
  readonly about: string
  readonly children: ReactNode
}): ReactNode {
  return (
    <div className="relevance-figure card">
      <span className="small strong">{label}</span>
      <p className="relevance-figure-value number">
        {children ?? <Skeleton width={72} height={28} />}
      </p>
      <span className="small muted">{about}</span>
    </div>
  )
}

export function signed(value: number): string {
  const text = formatNumber(Math.abs(value), 3)
  return value > 0 ? `+${text}` : value < 0 ? `−${text}` : text
}

export function toneOf(gain: number): string {
  return gain > 0 ? 'relevance-good' : gain < 0 ? 'relevance-bad' : ''
}
