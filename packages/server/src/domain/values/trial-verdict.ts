import { POPULARITY_TRIAL_DECIDED_MIN, type ReportAnswer } from '@aisle/contract'
import { wilsonInterval } from './judgment.ts'

type Verdict = Pick<
  ReportAnswer<'popularity-trial'>['totals'],
  'win_rate' | 'low' | 'high' | 'is_won'
>

/**
 * The verdict of the sessions of a trial that chose a side, without ties. A side wins if enough
 * sessions chose, and chance alone would seldom explain it (the 95 % interval is above one half).
 */
export function trialVerdict({
  wins,
  losses,
}: {
  readonly wins: number
  readonly losses: number
}): Verdict {
  const decided = wins + losses
  if (decided === 0) return { win_rate: null, low: null, high: null, is_won: false }
  const [low, high] = wilsonInterval(wins, decided)
  return {
    win_rate: wins / decided,
    low,
    high,
    is_won: decided >= POPULARITY_TRIAL_DECIDED_MIN && low > 0.5,
  }
}
