import { randomUUID } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { ApiError } from '@aisle/contract'
import type { StoredEdit } from '../../ports/catalog/edit-journal.ts'
import type { ServicePorts } from '../service-ports.ts'
import type { JobKey, JobRecord, JobRecords } from './job-records.ts'
import { Takeover } from './takeover.ts'

export interface JobRunnerOptions {
  /** Milliseconds between two polls for work. */
  readonly pollMs?: number
  /** Milliseconds without progress of another runner after which its work is taken over. */
  readonly takeoverMs?: number
  /** Receives bugs, for the log. */
  readonly onFault?: (error: unknown) => void
}

/** What a runner gives to a step. */
export interface JobWork<Job> {
  /** @returns the record afterwards; undefined if the job is over or another runner has it */
  readonly update: (change: (job: Job) => Job) => Promise<Job | undefined>
  /** Whether a long step should end early: another runner continues. */
  readonly isStopping: () => boolean
}

export type JobEnd = 'done' | 'cancelled' | 'failed'

/** One kind of job: what differs between kinds. */
export interface JobKind<Job extends JobRecord> {
  readonly records: JobRecords<Job>
  /** Whether a row of the journal is a job of this kind. */
  readonly has: (row: Pick<StoredEdit, 'content'>) => boolean
  /** Jobs on which one runner works at the same time. */
  readonly atOnce: number
  /**
   * Does the next part, also if that was begun before, and records it with `attempts: 1`.
   *
   * @returns the record afterwards; undefined if the job is over or another runner has it
   */
  readonly step: (job: Job, work: JobWork<Job>) => Promise<Job | undefined>
  /** @returns the record of a job that is over */
  readonly ended: (job: Job, state: JobEnd, error?: string) => Job
  /** Runs before a job ends that is not done. */
  readonly abandon?: (job: Job) => Promise<void>
  /** Runs when a job is over. */
  readonly finish?: (job: Job) => Promise<void>
  /** Runs once an hour. */
  readonly tidy?: () => Promise<void>
}

const POLL_MS = 5_000
const TIDY_POLLS = 720
const TAKEOVER_MS = 15_000
/** Less often would look like no progress, more often would only write. */
const BEAT_MIN_MS = 1_000
/** Runners that may begin where one has made no progress. */
const ATTEMPTS_MAX = 5

/**
 * Works on jobs of one kind, step by step. Every serving thread and every node has a runner; one
 * of them takes a job, and another one continues it when that stops making progress, at once if its
 * process is gone. Two that work on the same step must do no harm.
 */
export class JobRunner<Job extends JobRecord> {
  readonly name = randomUUID()
  readonly #ports: Pick<ServicePorts, 'edits'>
  readonly #kind: JobKind<Job>
  readonly #options: Required<JobRunnerOptions>
  readonly #takeover: Takeover
  readonly #running = new Map<string, Promise<void>>()
  #timer: NodeJS.Timeout | undefined
  #isStopping = false

  constructor(
    ports: Pick<ServicePorts, 'edits'>,
    kind: JobKind<Job>,
    options: JobRunnerOptions = {},
  ) {
    this.#ports = ports
    this.#kind = kind
    this.#options = {
      pollMs: POLL_MS,
      takeoverMs: TAKEOVER_MS,
      onFault: () => undefined,
      ...options,
    }
    this.#takeover = new Takeover(this.name, this.#options.takeoverMs)
  }

  start(): void {
    let polls = 0
    this.#timer = setInterval(() => {
      void this.poll().catch(this.#onFailure)
      if (++polls % TIDY_POLLS === 0) void this.#kind.tidy?.().catch(this.#onFailure)
    }, this.#options.pollMs).unref()
    void this.poll().catch(this.#onFailure)
  }

  /** Resolves when no step is in the works; the rest is continued by another runner. */
  async stop(): Promise<void> {
    this.#isStopping = true
    clearInterval(this.#timer)
    await this.idle()
  }

  /** Resolves when the jobs that it works on are over, or wait for the next poll. */
  async idle(): Promise<void> {
    await Promise.all(this.#running.values())
  }

  /** Takes work that no runner is doing. */
  async poll(): Promise<void> {
    const open = (await this.#ports.edits.open()).filter(this.#kind.has)
    this.#takeover.keep(new Set(open.map(({ id }) => id)))
    for (const stored of open) {
      if (this.#running.size >= this.#kind.atOnce || this.#isStopping) return
      const { runner } = this.#kind.records.of(stored)
      if (!this.#running.has(stored.id) && this.#takeover.isFree(stored, runner)) {
        this.#begin(stored, runner)
      }
    }
  }

  /** What fails now is tried again with the next poll: a store that is loading is not a bug. */
  readonly #onFailure = (error: unknown): void => {
    if (!(error instanceof ApiError)) this.#options.onFault(error)
  }

  #begin(key: JobKey, former: string): void {
    const work = this.#work(key, former)
      .catch(this.#onFailure)
      .finally(() => this.#running.delete(key.id))
    this.#running.set(key.id, work)
  }

  /** @param former who was seen to work on it */
  async #work(key: JobKey, former: string): Promise<void> {
    const { records, ended, abandon, finish } = this.#kind
    // Of runners that take it at the same time, one has it.
    let job = await records.update(this.#ports, key, (one) =>
      records.isOver(one) || one.runner !== former
        ? undefined
        : { ...one, runner: this.name, attempts: one.attempts + 1 },
    )
    const update = (change: (one: Job) => Job): Promise<Job | undefined> =>
      records.update(this.#ports, key, (one) =>
        one.runner === this.name && !records.isOver(one) ? change(one) : undefined,
      )
    const end = async (last: Job, state: JobEnd, error?: string): Promise<Job | undefined> => {
      await abandon?.(last)
      return update((one) => ended(one, state, error))
    }
    if (job === undefined) return
    let last = job
    // A step may take long, and is work all the same.
    const beatMs = Math.max(BEAT_MIN_MS, this.#options.takeoverMs / 3)
    const beating = setInterval(() => {
      void update((one) => ({ ...one, beats: one.beats + 1 })).catch(() => undefined)
    }, beatMs).unref()
    try {
      if (job.attempts > ATTEMPTS_MAX) {
        throw new ApiError('internal', `It was interrupted ${ATTEMPTS_MAX} times at the same point`)
      }
      while (job !== undefined && !records.isOver(job) && !this.#isStopping) {
        last = job
        job = job.isCancelled
          ? await end(job, 'cancelled')
          : await this.#kind.step(job, { update, isStopping: () => this.#isStopping })
        await nextTurn()
      }
    } catch (error) {
      // The next poll tries again.
      if (error instanceof ApiError && error.code === 'unavailable') return
      if (!(error instanceof ApiError)) this.#options.onFault(error)
      const reason = error instanceof ApiError ? error.message : 'An unexpected error'
      job = await end(last, 'failed', reason)
    } finally {
      clearInterval(beating)
    }
    if (job !== undefined && records.isOver(job)) await finish?.(job)
  }
}
