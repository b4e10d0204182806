import type { ChangedBy, SourceConnection, SourceRun } from '@aisle/contract'
import { SOURCE_RUNS, SOURCES } from '../../ports/catalog/edit-journal.ts'
import { JobRecords, type JobKey, type JobRecord } from '../jobs/job-records.ts'

/** A source, as the journal keeps it. */
export interface SourceRecord extends SourceConfig {
  /** `sourceId` of its store and name. */
  readonly id: string
  readonly storeId: string
  /** Tells its store from a later one with the same id. */
  readonly storeCreatedAt: string
  readonly name: string
  /** By name; undefined: none. */
  readonly sealedSecrets: string | undefined
  readonly secretNames: readonly string[]
  readonly isPaused: boolean
  /** When it is to run next, in milliseconds; undefined: only when asked to. */
  readonly nextAtMs: number | undefined
  /** The run that began last. */
  readonly runId: string | undefined
  /** What it has written: later groups of parts replace earlier ones, document by document. */
  readonly groups: readonly PartGroup[]
  /** Groups whose parts are to be removed. */
  readonly garbage: readonly string[]
  /** Where the last complete reading ended. */
  readonly position: SourcePosition | undefined
  readonly documents: number
  readonly lastRun: SourceRun | undefined
  readonly lastGoodRun: SourceRun | undefined
  /** When alerts were sent by e-mail in the last hour, in milliseconds. */
  readonly mailedAtMs?: readonly number[] | undefined
  readonly createdAt: string
  readonly changedAt: string
  readonly changedBy: ChangedBy | undefined
}

/** What a user configures, without secrets. */
export interface SourceConfig {
  readonly connection: SourceConnection
  readonly mapping: Readonly<Record<string, string>>
  readonly idColumn: string
  readonly schedule: { readonly cron: string; readonly timeZone: string } | undefined
  readonly deletions: 'keep' | 'remove_missing'
  readonly maxRemovedShare: number
  readonly onError: 'skip' | 'stop'
  readonly webhook: string | undefined
  /** Addresses that alerts are sent to. */
  readonly emails?: readonly string[] | undefined
}

/** Parts that one reading has written: see `domain/documents/source-parts.ts`. */
export interface PartGroup {
  readonly id: string
  /** Content of the store that the documents were written to. */
  readonly content: string
}

export interface SourcePosition {
  readonly value: string
  /** Digest of all that the documents depend on besides the source. */
  readonly basis: string
}

/** A run of a source, as the journal keeps it. */
export interface SourceRunRecord extends JobRecord {
  readonly storeId: string
  readonly source: string
  readonly kind: SourceRun['kind']
  readonly trigger: SourceRun['trigger']
  readonly isFull: boolean
  readonly allowsRemoval: boolean
  /** The run before it failed, or did not remove what was missing. */
  readonly followsFault: boolean
  readonly state: SourceRun['state']
  readonly isUnchanged: boolean
  readonly isRemovalRefused: boolean
  readonly figures: RunFigures
  /** Of each time that a runner began it. */
  readonly groups: readonly PartGroup[]
  readonly changedBy: ChangedBy | undefined
  readonly createdAt: string
  readonly endedAt: string | undefined
  readonly error: string | undefined
}

export interface RunFigures {
  readonly rows: number
  readonly added: number
  readonly changed: number
  readonly unchanged: number
  readonly removed: number
  readonly missing: number
  readonly refused: number
  readonly bytes: number
}

export const NO_FIGURES: RunFigures = {
  rows: 0,
  added: 0,
  changed: 0,
  unchanged: 0,
  removed: 0,
  missing: 0,
  refused: 0,
  bytes: 0,
}

export const SOURCE_RECORDS = new JobRecords<SourceRecord>({
  noun: 'source',
  isOver: () => true,
  read: (json) => JSON.parse(json) as SourceRecord,
  write: (record) => JSON.stringify(record),
})

export const RUN_RECORDS = new JobRecords<SourceRunRecord>({
  noun: 'run',
  isOver: ({ state }) => state !== 'running',
  read: (json) => JSON.parse(json) as SourceRunRecord,
  write: (record) => JSON.stringify(record),
})

function sourceId(storeId: string, name: string): string {
  return `${storeId}/${name}`
}

/** Where a source is in the journal. */
export function sourceKey(storeId: string, name: string): JobKey {
  return { content: SOURCES, id: sourceId(storeId, name) }
}

/** The content of the journal that has the runs of a source. */
export function runsOf({ storeId, name }: Pick<SourceRecord, 'storeId' | 'name'>): string {
  return SOURCE_RUNS + sourceId(storeId, name)
}

export function runKey({ storeId, source, id }: SourceRunRecord): JobKey {
  return { content: runsOf({ storeId, name: source }), id }
}

export function presentRun(run: SourceRunRecord): SourceRun {
  const { changedBy, endedAt, error } = run
  return {
    id: run.id,
    source: run.source,
    kind: run.kind,
    trigger: run.trigger,
    state: run.state,
    ...(run.isUnchanged ? { unchanged_since_last: true } : {}),
    ...(run.isRemovalRefused ? { removal_refused: true } : {}),
    ...run.figures,
    ...(changedBy === undefined ? {} : { changed_by: changedBy }),
    created_at: run.createdAt,
    ...(endedAt === undefined ? {} : { ended_at: endedAt }),
    ...(error === undefined ? {} : { error }),
  }
}
