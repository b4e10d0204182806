import type { Experiment, ExperimentReport } from '@aisle/contract'
import { formatCount, formatMoney, formatPercent } from '../../format/numbers.ts'

export const KIND_TEXTS: Readonly<Record<Experiment['kind'], string>> = {
  interleaved: 'Interleaved',
  split: 'Split by visitor',
}

export const GOAL_TEXTS: Readonly<Record<Experiment['goal'], string>> = {
  click: 'Click-through',
  add_to_cart: 'Add to cart',
  order: 'Orders',
  revenue: 'Revenue per visitor',
}

export const GOALS = ['click', 'add_to_cart', 'order', 'revenue'] as const

/** A share of visitors, or revenue per visitor. */
export function figureText(
  goal: Experiment['goal'],
  value: number | null,
  currency: string | undefined,
): string {
  if (value === null) return '–'
  return goal === 'revenue' ? formatMoney(value, currency) : formatPercent(value)
}

export const STATE_TEXTS: Readonly<Record<Experiment['state'], string>> = {
  running: 'Running',
  ended: 'Ended',
  published: 'Published',
}

/** What leads, how sure that is, and what is missing, in one or two sentences. */
export function verdictText(
  { state, kind, goal }: Pick<Experiment, 'state' | 'kind' | 'goal'>,
  report: ExperimentReport,
): string {
  const { verdict, reason, confidence, days_left: left } = report
  // Rounded down: 99.99% must not read as certain.
  const sure = `${formatPercent(Math.floor(confidence * 1_000) / 1_000)} sure`
  if (verdict !== 'undecided') {
    const better = verdict === 'draft' ? 'The draft wins' : 'What is live wins'
    return `${better}, ${sure}. ${verdict === 'draft' ? 'Publish it.' : 'Keep it.'}`
  }
  if (reason === 'part') return 'Only a part of the visitors: nothing is decided by it.'
  if (reason === 'no_events') {
    return kind === 'interleaved'
      ? 'No votes yet: nobody has clicked a product that only one order placed.'
      : `No events yet for the goal: ${GOAL_TEXTS[goal].toLowerCase()}.`
  }
  const leader = `${leaderText(kind, goal, report)}, ${sure}`
  if (state !== 'running') return `${leader}. It ended before it was decided.`
  const more =
    left === null
      ? 'At this rate it may not be decided before it stops'
      : `about ${formatCount(left, 'more day')}`
  return `${leader}. Not yet decided: ${more}.`
}

function leaderText(
  kind: Experiment['kind'],
  goal: Experiment['goal'],
  { votes, figures }: ExperimentReport,
): string {
  const lead =
    kind === 'interleaved'
      ? (votes?.draft ?? 0) - (votes?.live ?? 0)
      : (figures?.[goal].difference ?? 0)
  if (lead === 0) return 'Both are equal so far'
  return lead > 0 ? 'The draft leads' : 'What is live leads'
}
