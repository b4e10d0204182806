import { setTimeout as pause } from 'node:timers/promises'
import { ApiError } from '@aisle/contract'
import type { EditRow, StoredEdit } from '../../ports/catalog/edit-journal.ts'
import type { ServicePorts } from '../service-ports.ts'

/** What every job has in the journal, whatever it does. */
export interface JobRecord {
  readonly id: string
  readonly isCancelled: boolean
  /** Who works on it, and how many have since it last got further. */
  readonly runner: string
  readonly attempts: number
  /** Increases while nothing else changes: somebody works on it. */
  readonly beats: number
}

/** Where a job is in the journal: see `EditRow`. */
export type JobKey = Pick<StoredEdit, 'content' | 'id'>

type Journal = Pick<ServicePorts, 'edits'>

/** Other requests may change it between two attempts, and a change takes as long as the disk. */
const ATTEMPTS_MAX = 100
const PAUSE_MAX_MS = 20

/** What the journal needs to know of a record. */
interface NamedRecord {
  readonly id: string
}

/** How the records of one kind are written and read. */
export interface JobFormat<Job extends NamedRecord> {
  /** What the job is called in errors: "edit". */
  readonly noun: string
  readonly isOver: (job: Job) => boolean
  readonly read: (json: string) => Job
  readonly write: (job: Job) => string
}

/** The records of one kind in the journal: jobs, or what is changed from its newest state alike. */
export class JobRecords<Job extends NamedRecord> {
  readonly #format: JobFormat<Job>

  constructor(format: JobFormat<Job>) {
    this.#format = format
  }

  isOver(job: Job): boolean {
    return this.#format.isOver(job)
  }

  of({ json }: Pick<StoredEdit, 'json'>): Job {
    return this.#format.read(json)
  }

  async create({ edits }: Journal, content: string, job: Job): Promise<void> {
    await edits.put(this.#rowOf(content, job))
  }

  async find({ edits }: Journal, content: string, id: string): Promise<Job | undefined> {
    const stored = await edits.get(content, id)
    return stored && this.of(stored)
  }

  /** Newest first. */
  async list({ edits }: Journal, content: string): Promise<Job[]> {
    return (await edits.list(content)).map((stored) => this.of(stored))
  }

  /**
   * Changes a record from its newest state.
   *
   * @param change returns undefined to leave it as it is
   * @returns the record afterwards; undefined if there is none or `change` left it
   */
  async update(
    { edits }: Journal,
    { content, id }: JobKey,
    change: (job: Job) => Job | undefined,
  ): Promise<Job | undefined> {
    for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      const stored = await edits.get(content, id)
      const next = stored && change(this.of(stored))
      if (stored === undefined || next === undefined) return undefined
      if ((await edits.put(this.#rowOf(content, next), stored.revision)) !== undefined) return next
      await pause(Math.min(attempt, PAUSE_MAX_MS))
    }
    throw new ApiError(
      'unavailable',
      `Other requests are changing this ${this.#format.noun}: try again`,
      {
        retryAfterSeconds: 1,
      },
    )
  }

  #rowOf(content: string, job: Job): EditRow {
    const { isOver, write } = this.#format
    return { content, id: job.id, isOpen: !isOver(job), json: write(job) }
  }
}
