import type { BackgroundJob, ErrorCode, ServiceActivity, SlowSearch } from '@aisle/contract'

/** Collects in memory what all threads have been doing since the start. */
export interface ActivityKeeper {
  /** Adds what a serving thread counted to the totals. */
  note(notes: ActivityNotes): Promise<void>
  /** Jobs that the registry of stores knows (`analysis`) are not among its jobs. */
  read(): Promise<ServiceActivity>
}

export interface ActivityNotes {
  readonly slow: readonly SlowSearch[]
  readonly refusals: readonly RefusalNote[]
}

export interface RefusalNote {
  readonly reason: ErrorCode
  /** Empty if the request named none. */
  readonly storeId: string
  readonly count: number
}

/** Receives the progress of background jobs. */
export interface JobBoard {
  /** Adds a job, which waits for its turn. */
  add(kind: BackgroundJob['kind'], storeId?: string): Job
}

export interface Job {
  started(): void
  /** The job is complete, or was aborted. */
  ended(): void
}
