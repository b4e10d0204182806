/** A record of an event log, as a separate document. */
export interface EventDocument {
  /** Unique in its week: of two with the same one the first is kept. */
  readonly id: string
  /** Whose log it belongs to; all documents of a log are in one shard, in the order of arrival. */
  readonly log: string
  /** When it arrived, milliseconds since 1970: before the end of its week. */
  readonly receivedMs: number
  /** The cluster does not look into it. */
  readonly record: Uint8Array
  /** Tells this write from another one with the same id. */
  readonly operation: string
}

export type StoredEvent = Pick<EventDocument, 'id' | 'log' | 'receivedMs'> & {
  readonly record: Buffer
  /** Its place in the shard. */
  readonly seqNo: number
}

/** Of a document, whatever it says. */
export type EventPlace = Pick<EventDocument, 'id' | 'log'>

/**
 * `created`: it is on all copies, on their disks. `known`: the id existed. `busy`: nothing was
 * done, later it may be.
 */
export type CreateOutcome = 'created' | 'known' | 'busy'

export interface WeekState {
  readonly week: number
  /** Another one when the index was made again. */
  readonly uuid: string
  readonly shards: readonly ShardState[]
  /** Documents that were removed, and whose bytes are still there. */
  readonly removedCount: number
}

export interface ShardState {
  /** Up to here every change is on all copies for good, and nothing will come in between. */
  readonly settled: number
  /** Number of the newest change; beyond `settled` it may still be undone. */
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
  // With segment replication a refresh says nothing about the replicas.
  'replication.type': 'DOCUMENT',
  // Readers refresh first; nobody else needs it.
  refresh_interval: '30s',
  // Removed bytes are to go, however few there are in a segment.
  'merge.policy.expunge_deletes_allowed': 0,
  // A copy that is away for longer is rebuilt; until then removed bytes are kept for it.
  'soft_deletes.retention_lease.period': '1h',
} as const
