import type { BackgroundJob, ErrorCode, ServiceActivity, SlowSearch } from '@aisle/contract'

/** What all threads together were doing, kept in memory since the start. */
export interface ActivityKeeper {
  /** What a serving thread saw. Counts are added up. */
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
  /** Empty: the request named none. */
  readonly storeId: string
  readonly count: number
}

/** Where work in the background says what it does. */
export interface JobBoard {
  /** Adds a job, which waits for its turn. */
  add(kind: BackgroundJob['kind'], storeId?: string): Job
}

export interface Job {
  started(): void
  /** It is done, or given up. */
  ended(): void
}
