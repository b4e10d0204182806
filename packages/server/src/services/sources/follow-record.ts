import type { SourceFollowing } from '@aisle/contract'
import { FOLLOWED_SOURCES } from '../../ports/catalog/edit-journal.ts'
import { JobRecords, type JobKey, type JobRecord } from '../jobs/job-records.ts'
import type { SourceRecord } from './source-record.ts'

/** How far a source is followed: one job for each source, with the id of the source. */
export interface FollowRecord extends JobRecord {
  readonly storeId: string
  readonly source: string
  /** `ended` when there is nothing to follow: the source is paused, or was deleted. */
  readonly state: 'following' | 'ended'
  /** The run that nothing is written beside. */
  readonly pausedFor: string | undefined
  /** Why changes cannot be read at present. */
  readonly error: string | undefined
  /** Since when, if changes cannot be read. */
  readonly failingSince?: string | undefined
  /** An alert has said so. */
  readonly isAlerted?: boolean | undefined
  /** When the source last answered. */
  readonly readAt?: string | undefined
  readonly changed: number
  readonly deleted: number
  readonly refused: number
  readonly lastChangeAt: string | undefined
  readonly startedAt: string
}

export const FOLLOW_RECORDS = new JobRecords<FollowRecord>({
  noun: 'source',
  isOver: ({ state }) => state === 'ended',
  read: (json) => JSON.parse(json) as FollowRecord,
  write: (record) => JSON.stringify(record),
})

export function followKey({ id }: Pick<SourceRecord, 'id'>): JobKey {
  return { content: FOLLOWED_SOURCES, id }
}

/** Whether changes of the source are to be followed. */
export function isFollowed({ connection, isPaused }: SourceRecord): boolean {
  if (isPaused) return false
  if (connection.kind === 'shopify' || connection.kind === 'woocommerce') return true
  return 'follow' in connection && connection.follow !== undefined
}

export function presentFollowing(record: FollowRecord): SourceFollowing {
  const { error, failingSince, readAt, lastChangeAt } = record
  return {
    ...(error === undefined ? {} : { error }),
    ...(failingSince === undefined ? {} : { failing_since: failingSince }),
    ...(readAt === undefined ? {} : { last_read_at: readAt }),
    changed: record.changed,
    deleted: record.deleted,
    refused: record.refused,
    ...(lastChangeAt === undefined ? {} : { last_change_at: lastChangeAt }),
    since: record.startedAt,
  }
}
