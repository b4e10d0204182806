import { setTimeout as sleep } from 'node:timers/promises'
import { isRecord, type LogFolder } from '@aisle/event-log'
import { ClusterError } from '../opensearch/cluster-error.ts'
import { WEEK_MS, weekOf, weekStartMs } from '../opensearch/event-week.ts'
import type { EventIndex } from '../opensearch/event-index.ts'
import type { StoredEvent, WeekState } from '../opensearch/event-document.ts'
import type { CopiedWeek, CopyState } from './copy-state.ts'

/** Maximum of records in one request. */
const PAGE = 1_000
/** Interval of checks of all weeks, because an import may add to old ones. */
const ALL_WEEKS_MS = 60_000
/**
 * Allowance for clocks and requests in flight: this long after the end of a week, no more of its
 * events arrive.
 */
export const WEEK_SETTLED_MS = 600_000
/** Maximum time that a change may take to reach the copies of a shard. */
const UNSETTLED_MAX_MS = 10_000
const UNSETTLED_PAUSE_MS = 50

export interface EventMirrorOptions {
  readonly index: EventIndex
  /** The target of the records. */
  readonly logs: Pick<LogFolder, 'copy' | 'isErased'>
  readonly state: CopyState
  readonly now: () => number
  readonly onProblem: (log: string, message: string) => void
}

/**
 * Copies the cluster's events into the logs on this node's disk, in the order of the cluster: each
 * shard from its watermark on. A log is in one shard per week, so its records have the same order
 * on every node. Records that are copied again after a crash are recognized by their ids.
 */
export class EventMirror {
  readonly #options: EventMirrorOptions
  readonly #state: CopyState
  /** Weeks that have ended and are copied; they are skipped until the next check of all weeks. */
  readonly #finished = new Set<number>()
  /** Weeks that this node has written to. */
  #expected = new Set<number>()
  #allWeeksMs = -Infinity
  /** Tasks that run one after the other. */
  #last: Promise<unknown> = Promise.resolve()
  #next: Promise<void> | undefined

  constructor(options: EventMirrorOptions) {
    this.#options = options
    this.#state = options.state
  }

  /** Whether all events that will ever arrive in a week are copied. */
  isSettled(week: number): boolean {
    return this.#finished.has(week)
  }

  /** Call it after writing to a week: the next copy checks it, regardless of its age. */
  expect(week: number): void {
    this.#finished.delete(week)
    this.#expected.add(week)
  }

  /**
   * Copies new records: all that any node acknowledged before the call.
   *
   * @throws ClusterError
   */
  catchUp(): Promise<void> {
    // A running copy may already have checked for new records.
    this.#next ??= this.between(() => {
      this.#next = undefined
      return this.#copy()
    })
    return this.#next
  }

  /** Runs a task while nothing is copied. */
  between<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work)
    this.#last = done.catch(() => undefined)
    return done
  }

  /** Waits for the running copy. Call it before the logs are closed. */
  async close(): Promise<void> {
    await this.#last
    this.#state.save()
  }

  async #copy(): Promise<void> {
    const nowMs = this.#options.now()
    const weeks = await this.#grownWeeks(nowMs)
    const expected = this.#expected
    this.#expected = new Set()
    try {
      for (const state of await this.#states(weeks)) await this.#copyWeek(state)
    } catch (error) {
      for (const week of expected) this.#expected.add(week)
      throw error
    }
    for (const week of weeks) {
      const isOver = nowMs >= weekStartMs(week) + WEEK_MS + WEEK_SETTLED_MS
      if (isOver && !this.#expected.has(week)) this.#finished.add(week)
    }
    this.#state.saveWhenDue()
  }

  /** Weeks that may have grown, the oldest first. */
  async #grownWeeks(nowMs: number): Promise<number[]> {
    const isDue = performance.now() - this.#allWeeksMs >= ALL_WEEKS_MS
    const listed = isDue ? await this.#options.index.weeks() : [...this.#state.weeks.keys()]
    const unfinished = isDue ? listed : listed.filter((week) => !this.#finished.has(week))
    if (isDue) {
      for (const week of this.#state.weeks.keys()) {
        if (!listed.includes(week)) this.#state.weeks.delete(week)
      }
      this.#allWeeksMs = performance.now()
    }
    // The list may lack a week that has just begun, and the clock of another node may be ahead.
    const recent = [nowMs - WEEK_SETTLED_MS, nowMs, nowMs + WEEK_SETTLED_MS].map(weekOf)
    const before = weekOf(nowMs) - 1
    const all = new Set([...unfinished, ...this.#expected, ...recent])
    if (!this.#finished.has(before)) all.add(before)
    return [...all].toSorted((a, b) => a - b)
  }

  /**
   * Reads the state of weeks. It retries, because a week that begins, or loses a node, is briefly
   * on no node.
   */
  async #states(weeks: readonly number[]): Promise<WeekState[]> {
    const startMs = performance.now()
    for (;;) {
      try {
        return await this.#options.index.states(weeks)
      } catch (error) {
        const isBusy = error instanceof ClusterError && error.kind === 'busy'
        if (!isBusy || performance.now() - startMs > UNSETTLED_MAX_MS) throw error
        await sleep(UNSETTLED_PAUSE_MS)
      }
    }
  }

  async #copyWeek(first: WeekState): Promise<void> {
    const { week, uuid } = first
    const targets = first.shards.map(({ newest }) => newest)
    const startMs = performance.now()
    this.#state.weeks.set(week, this.#historyOf(first))
    for (let state: WeekState | undefined = first; ;) {
      await this.#copySettled(state)
      const { after } = this.#state.weeks.get(week)!
      if (targets.every((newest, shard) => after[shard]! >= newest)) return
      if (performance.now() - startMs > UNSETTLED_MAX_MS) {
        throw new ClusterError('busy', 'The newest events are not on all copies yet')
      }
      // A change in flight may already be acknowledged.
      await sleep(UNSETTLED_PAUSE_MS)
      state = (await this.#states([week]))[0]
      if (state?.uuid !== uuid)
        throw new ClusterError('busy', 'The index of a week was removed or replaced')
    }
  }

  async #copySettled({ week, shards }: WeekState): Promise<void> {
    const { after } = this.#state.weeks.get(week)!
    if (shards.every(({ settled }, shard) => settled <= after[shard]!)) return
    await this.#options.index.refresh(week)
    for (const [shard, { settled }] of shards.entries()) {
      for (let from = after[shard]!; from < settled;) {
        const page = await this.#options.index.read({ week, shard }, from, settled, PAGE)
        await this.#take(week, page)
        from = page.length < PAGE ? settled : page.at(-1)!.seqNo
        this.#advance(week, shard, from)
      }
    }
  }

  async #take(week: number, page: readonly StoredEvent[]): Promise<void> {
    const { index, logs, onProblem } = this.#options
    const whole = page.filter(({ log, id, record }) => {
      if (isRecord(record)) return true
      onProblem(log, `Event "${id}" of the cluster is damaged: skipped`)
      return false
    })
    // A node accepted these before it knew of the erasure. The node that finds them removes them.
    const erased = whole.filter(({ log, record }) => logs.isErased(log, record))
    if (erased.length > 0) await index.remove(week, erased)
    const byLog = Map.groupBy(whole, ({ log }) => log)
    await Promise.all(
      // The log itself rejects erased events.
      Array.from(byLog, ([log, events]) =>
        logs.copy(log, Buffer.concat(events.map(({ record }) => record))),
      ),
    )
  }

  #advance(week: number, shard: number, to: number): void {
    const { uuid, after } = this.#state.weeks.get(week)!
    this.#state.weeks.set(week, { uuid, after: after.with(shard, to) })
  }

  /** @throws ClusterError when the cluster no longer has what was copied */
  #historyOf({ week, uuid, shards }: WeekState): CopiedWeek {
    const copied = this.#state.weeks.get(week)
    if (copied === undefined) return { uuid, after: shards.map(() => -1) }
    const isSame =
      copied.uuid === uuid && shards.every(({ newest }, shard) => newest >= copied.after[shard]!)
    if (isSame) return copied
    this.#state.remove()
    throw new ClusterError(
      'unfit',
      'The events of the cluster differ from those copied from it: restart this node',
    )
  }
}
