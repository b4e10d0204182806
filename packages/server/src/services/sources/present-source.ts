import type { Source, SourceRun } from '@aisle/contract'
import { presentFollowing, type FollowRecord } from './follow-record.ts'
import { hasMissedTwo } from './schedule.ts'
import {
  presentRun,
  RUN_RECORDS,
  type SourceRecord,
  type SourceRunRecord,
} from './source-record.ts'

/** @param run the run that began last */
export function presentSource(
  source: SourceRecord,
  run: SourceRunRecord | undefined,
  following: FollowRecord | undefined,
  nowMs: number,
): Source {
  const { schedule, webhook, emails, nextAtMs, lastGoodRun, changedBy } = source
  const isRunning = run !== undefined && !RUN_RECORDS.isOver(run)
  // A run that has just ended says so before the source does.
  const hasEnded = run?.kind === 'run' && !isRunning
  const lastRun = hasEnded ? presentRun(run) : source.lastRun
  return {
    name: source.name,
    connection: source.connection,
    secrets: [...source.secretNames],
    mapping: { ...source.mapping },
    id_column: source.idColumn,
    ...(schedule === undefined
      ? {}
      : { schedule: { cron: schedule.cron, time_zone: schedule.timeZone } }),
    deletions: source.deletions,
    max_removed_share: source.maxRemovedShare,
    on_error: source.onError,
    ...((webhook ?? emails) === undefined
      ? {}
      : {
          alerts: {
            ...(webhook === undefined ? {} : { webhook }),
            ...(emails === undefined ? {} : { emails: [...emails] }),
          },
        }),
    paused: source.isPaused,
    health: healthOf(source, lastRun, following, nowMs),
    ...(following?.state === 'following' ? { following: presentFollowing(following) } : {}),
    documents: source.documents,
    ...(nextAtMs === undefined ? {} : { next_run_at: new Date(nextAtMs).toISOString() }),
    ...(lastRun === undefined ? {} : { last_run: lastRun }),
    ...(lastGoodRun === undefined ? {} : { last_good_run: lastGoodRun }),
    ...(isRunning ? { running: run.id } : {}),
    created_at: source.createdAt,
    changed_at: source.changedAt,
    ...(changedBy === undefined ? {} : { changed_by: changedBy }),
  }
}

function healthOf(
  { lastGoodRun, schedule, isPaused, createdAt }: SourceRecord,
  lastRun: SourceRun | undefined,
  following: FollowRecord | undefined,
  nowMs: number,
): Source['health'] {
  if (lastRun?.removal_refused === true) return 'shrunk'
  const isFailing = following?.state === 'following' && following.error !== undefined
  if (lastRun?.state === 'failed' || isFailing) return 'failing'
  const sinceMs = Date.parse(lastGoodRun?.ended_at ?? createdAt)
  if (schedule !== undefined && !isPaused && hasMissedTwo(schedule, sinceMs, nowMs)) return 'stale'
  return lastRun === undefined ? 'new' : 'ok'
}
