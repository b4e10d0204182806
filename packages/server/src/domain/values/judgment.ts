import type { ReportAnswer } from '@aisle/contract'

/** The actions of sessions on a document of a query; see JudgmentRow of the events. */
interface CountedClicks {
  readonly query: string
  readonly documentId: string
  readonly sessions: number
  readonly clickedSessions: number
  readonly positionSum: number
}

/** Standard deviations on either side of a 95 % interval. */
const DEVIATIONS = 1.96

/**
 * Estimates how attractive a document is to visitors who search for a query. Visitors look at rank
 * r with a probability of about 1/r, so a click there counts for r visitors who would have clicked
 * (inverse propensity scoring: Joachims, Swaminathan, Schnabel, "Unbiased learning-to-rank with
 * biased feedback", 2017). The interval is Wilson's for the share of sessions that clicked
 * ("Probable inference", 1927), times the average position.
 */
export function judgment({
  query,
  documentId,
  sessions,
  clickedSessions,
  positionSum,
}: CountedClicks): ReportAnswer<'judgments'>['rows'][number] {
  const position = positionSum / clickedSessions
  const [low, high] = wilsonInterval(clickedSessions, sessions)
  return {
    query,
    document_id: documentId,
    sessions,
    clicked_sessions: clickedSessions,
    average_position: rounded(position),
    attractiveness: rounded(Math.min(1, positionSum / sessions)),
    low: rounded(Math.min(1, low * position)),
    high: rounded(Math.min(1, high * position)),
  }
}

/** 95 % interval of a share that was seen `count` times in `total` > 0. */
export function wilsonInterval(count: number, total: number): readonly [low: number, high: number] {
  const share = count / total
  const spread = DEVIATIONS ** 2 / total
  const middle = share + spread / 2
  const half = DEVIATIONS * Math.sqrt((share * (1 - share)) / total + spread / (4 * total))
  return [Math.max(0, (middle - half) / (1 + spread)), Math.min(1, (middle + half) / (1 + spread))]
}

function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000
}
