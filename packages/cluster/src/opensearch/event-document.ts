/** A record of an event log, as a separate document. */
export interface EventDocument {
  /** Unique in its week; a second document with the same id is rejected. */
  readonly id: string
  /** The log it belongs to; all documents of a log are in one shard, in the order of arrival. */
  readonly log: string
  /** Time of arrival in milliseconds since 1970, before the end of its week. */
  readonly receivedMs: number
  /** Opaque to the cluster. */
  readonly record: Uint8Array
  /** Distinguishes this write from another one with the same id. */
  readonly operation: string
}

export type StoredEvent = Pick<EventDocument, 'id' | 'log' | 'receivedMs'> & {
  readonly record: Buffer
  /** Its position in the shard. */
  readonly seqNo: number
}

/** Identifies a document, whatever its content. */
export type EventPlace = Pick<EventDocument, 'id' | 'log'>

/**
 * `created`: it is on the disks of all copies. `known`: the id existed. `busy`: nothing was
 * written; a retry may succeed.
 */
export type CreateOutcome = 'created' | 'known' | 'busy'

export interface WeekState {
  readonly week: number
  /** Changes when the index is re-created. */
  readonly uuid: string
  readonly shards: readonly ShardState[]
  /** Removed documents whose bytes still exist. */
  readonly removedCount: number
}

export interface ShardState {
  /** Up to this number, all copies have every change permanently, and none can be inserted. */
  readonly settled: number
  /** Number of the newest change; changes after `settled` may still be undone. */
  readonly newest: number
}

export const EVENT_MAPPING = {
  dynamic: 'strict',
  _routing: { required: true },
  properties: {
    log: { type: 'keyword' },
    receivedMs: { type: 'long' },
    record: { type: 'binary' },
    operation: { type: 'keyword', index: false, doc_values: false },
  },
} as const

export const EVENT_SETTINGS = {
  number_of_shards: 4,
  auto_expand_replicas: '0-1',
  // With segment replication, a refresh would guarantee nothing about the replicas.
  'replication.type': 'DOCUMENT',
  // Readers refresh first; nothing else needs visibility.
  refresh_interval: '30s',
  // Rewrites segments with any share of removed bytes, however small.
  'merge.policy.expunge_deletes_allowed': 0,
  // A copy that is unavailable for longer is rebuilt; until then, removed bytes are kept for it.
  'soft_deletes.retention_lease.period': '1h',
} as const
