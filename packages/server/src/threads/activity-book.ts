import type { EventLoopUtilization, PerformanceNodeTiming } from 'node:perf_hooks'
import {
  ERROR_STATUS,
  REFUSALS_KEPT_MAX,
  SLOW_SEARCH_MIN_MS,
  SLOW_SEARCHES_KEPT_MAX,
  type BackgroundJob,
  type Refusals,
  type ServiceActivity,
  type SlowSearch,
} from '@aisle/contract'
import type { ActivityKeeper, ActivityNotes, Job, JobBoard } from '../ports/host/activity-keeper.ts'
import type { Clock } from '../ports/host/clock.ts'

/** A thread whose load can be read: this one, or a worker. */
export interface LoadedThread {
  readonly name: string
  readonly performance: Pick<PerformanceNodeTiming, never> & {
    eventLoopUtilization(
      now?: EventLoopUtilization,
      before?: EventLoopUtilization,
    ): EventLoopUtilization
  }
}

/**
 * Main thread only. Its content ends with the process: lasting facts are in the log and the
 * metrics.
 */
export class ActivityBook implements ActivityKeeper, JobBoard {
  readonly #clock: Clock
  readonly #threads: () => readonly LoadedThread[]
  readonly #jobs = new Set<BackgroundJob>()
  /** Newest first. */
  #slow: readonly SlowSearch[] = []
  /** Refusals by reason and store, in order of their last occurrence. */
  readonly #refusals = new Map<string, Refusals>()
  /** The load as last read; a replaced thread starts again from zero. */
  readonly #loads = new WeakMap<object, EventLoopUtilization>()

  constructor(clock: Clock, threads: () => readonly LoadedThread[]) {
    this.#clock = clock
    this.#threads = threads
  }

  add(kind: BackgroundJob['kind'], storeId?: string): Job {
    const store = storeId === undefined ? {} : { store_id: storeId }
    let job: BackgroundJob = { kind, ...store, state: 'waiting', since: this.#now() }
    this.#jobs.add(job)
    return {
      started: () => {
        if (!this.#jobs.delete(job)) return
        job = { ...job, state: 'running', since: this.#now() }
        this.#jobs.add(job)
      },
      ended: () => void this.#jobs.delete(job),
    }
  }

  note({ slow, refusals }: ActivityNotes): Promise<void> {
    this.#slow = [...slow, ...this.#slow]
      .toSorted((a, b) => (a.at < b.at ? 1 : -1))
      .slice(0, SLOW_SEARCHES_KEPT_MAX)
    for (const { reason, storeId, count } of refusals) {
      const key = `${reason} ${storeId}`
      const before = this.#refusals.get(key)?.count ?? 0
      this.#refusals.delete(key)
      this.#refusals.set(key, {
        reason,
        status: ERROR_STATUS[reason],
        ...(storeId === '' ? {} : { store_id: storeId }),
        count: before + count,
        last_at: this.#now(),
      })
    }
    while (this.#refusals.size > REFUSALS_KEPT_MAX) {
      this.#refusals.delete(this.#refusals.keys().next().value!)
    }
    return Promise.resolve()
  }

  read(): Promise<ServiceActivity> {
    return Promise.resolve({
      slow_search_min_ms: SLOW_SEARCH_MIN_MS,
      slow_searches: [...this.#slow],
      refusals: [...this.#refusals.values()].toReversed(),
      jobs: [...this.#jobs].toSorted((a, b) => (a.state < b.state ? -1 : 1)),
      threads: this.#threads().map((thread) => ({ name: thread.name, busy: this.#busy(thread) })),
    })
  }

  #busy({ performance }: LoadedThread): number {
    const now = performance.eventLoopUtilization()
    const before = this.#loads.get(performance)
    this.#loads.set(performance, now)
    const { utilization } =
      before === undefined ? now : performance.eventLoopUtilization(now, before)
    return Math.round(Math.min(1, Math.max(0, utilization)) * 1_000) / 1_000
  }

  #now(): string {
    return new Date(this.#clock.now()).toISOString()
  }
}
