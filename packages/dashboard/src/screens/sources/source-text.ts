import type { Source, SourceRun } from '@aisle/client'
import { formatNumber } from '../../format/numbers.ts'

type Kind = 'plain' | 'good' | 'warn' | 'bad' | 'accent'

const HEALTHS: { readonly [Health in Source['health']]: readonly [Kind, string] } = {
  new: ['plain', 'Not run yet'],
  ok: ['good', 'OK'],
  failing: ['bad', 'Failing'],
  shrunk: ['warn', 'Shrank'],
  stale: ['warn', 'Stale'],
}

/** The colour and the word of a source's state. */
export function sourceState({ health, paused, running }: Source): readonly [Kind, string] {
  if (running !== undefined) return ['accent', 'Running']
  const [kind, text] = HEALTHS[health]
  return paused ? ['plain', `${text}, paused`] : [kind, text]
}

export function runState({
  state,
  removal_refused: isRefused,
}: SourceRun): readonly [Kind, string] {
  if (state === 'running') return ['accent', 'Running']
  if (state === 'failed') return ['bad', 'Failed']
  if (state === 'cancelled') return ['plain', 'Cancelled']
  return isRefused === true ? ['warn', 'Nothing removed'] : ['good', 'Done']
}

/** "3 added, 1 changed", or why there is nothing to say. */
export function runResult(run: SourceRun): string {
  if (run.error !== undefined) return run.error
  if (run.unchanged_since_last === true) return 'The source has not changed'
  const parts = (['added', 'changed', 'removed', 'refused'] as const)
    .filter((name) => run[name] > 0)
    .map((name) => `${formatNumber(run[name])} ${name}`)
  return parts.length === 0 ? 'No changes' : parts.join(', ')
}

/** Schedules to choose from; everything else is typed. */
export const SCHEDULES = [
  { value: '', label: 'Only when asked' },
  { value: '0 * * * *', label: 'Every hour' },
  { value: '0 */6 * * *', label: 'Every 6 hours' },
  { value: '0 5 * * *', label: 'Every day at 5:00' },
] as const

export function scheduleText({ schedule }: Source): string {
  if (schedule === undefined) return 'Only when asked'
  const known = SCHEDULES.find(({ value }) => value === schedule.cron)
  return `${known?.label ?? schedule.cron} (${schedule.time_zone ?? 'UTC'})`
}

/** Whether its changes arrive between runs: from a database, or by webhooks of a shop. */
export function isFollowed({ connection }: Source): boolean {
  if (connection.kind === 'shopify' || connection.kind === 'woocommerce') return true
  return 'follow' in connection && connection.follow !== undefined
}

/** How its products become newer. */
export function updatesText(source: Source): string {
  if (!isFollowed(source)) return scheduleText(source)
  return source.schedule === undefined ? 'Followed' : `Followed, ${scheduleText(source)}`
}

/** Changes that were written as they arrived. */
export function followingText({ following, paused }: Source): string {
  if (paused) return 'Paused'
  if (following === undefined) return 'Followed after the next run'
  const { changed, deleted } = following
  return `Followed: ${formatNumber(changed)} written, ${formatNumber(deleted)} deleted`
}
