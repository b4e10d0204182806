import { PAUSED_PER_STORE_MAX, PAUSED_PER_THREAD_MAX } from '@aisle/contract'

/** Maximum number of waiting jobs, over all flows. */
export const WAITING_MAX = 3_000
/** As many are left to flows with fewer than `CALM_WAITING` jobs: no flood fills the queue. */
const CALM_ROOM = 1_000

/**
 * Number of jobs of a flow that may wait at any cost: this number of clients, each waiting for one
 * response, is not a flood.
 */
const CALM_WAITING = 20

/** Number of idle flows whose costs are remembered. */
const IDLE_FLOWS_MAX = 1_000
const COST_FIRST_MS = 1
/**
 * A flow that uses less than its share may save up this much and be served that long without taking
 * turns.
 */
const RESTED_MAX_MS = 50
/** Limits the effect of one pause (garbage collection, another process) on estimated waits. */
const SLOWDOWN_MAX = 5
/** Weight of the newest measurement in a moving average. */
const NEWEST_WEIGHT = 0.1

export interface Waiting<Job> {
  readonly flow: string
  readonly job: Job
  readonly sinceMs: number
  /** Processor time of the jobs before it when it arrived; 0: few waited, and it was admitted. */
  readonly aheadMs: number
}

interface Flow<Job> {
  /** Jobs that have not begun. */
  readonly waiting: Waiting<Job>[]
  /** Jobs that have begun and wait for their next turn. */
  readonly paused: Waiting<Job>[]
  /** Whether its last turn continued a job. */
  hasContinued: boolean
  /** Virtual time at which its next turn may start. */
  tagMs: number
  /** Cost of one job with all of its turns, a moving average. */
  costMs: number
}

/** What a turn took. */
export interface Turn {
  readonly costMs: number
  /** All turns of its job so far; absent: it was the only one. */
  readonly jobMs?: number
  /** Whether the job rests, and continues in another turn. */
  readonly isPaused?: boolean
}

/**
 * A queue of jobs from many flows (usually stores) for one thread, which runs one at a time, each
 * in one turn or several. The flows share the thread fairly by the time that their turns take:
 * start-time fair queuing (Goyal, Vin, Cheng, "Start-time Fair Queuing", 1996). The flow with the
 * least time goes next; a resting flow saves up a little, so a burst of a flow that uses less than
 * its share does not have to take turns. A flow that floods the thread only lengthens its own
 * queue; the others wait for little more than the turn in progress.
 *
 * A job that has begun holds memory while it waits for its next turn. So a flow begins no further
 * job while `PAUSED_PER_STORE_MAX` others wait like this, and no flow does at
 * `PAUSED_PER_THREAD_MAX`. Below that, short jobs of a flow and its long ones take turns.
 *
 * A job that would wait too long is rejected immediately, so queues stay short and admitted jobs
 * run in time.
 */
export class FairQueue<Job> {
  readonly #active = new Map<string, Flow<Job>>()
  readonly #idle = new Map<string, Pick<Flow<Job>, 'tagMs' | 'costMs'>>()
  #virtualMs = 0
  #costMs = COST_FIRST_MS
  /**
   * How many times as long as the jobs before them take jobs have waited lately: the thread also
   * reads requests, accepts connections, and shares its processor.
   */
  #slowdown = 1
  #length = 0
  #pausedCount = 0

  get length(): number {
    return this.#length
  }

  /** Whether so few jobs wait that no job of any flow would be rejected. */
  get isCalm(): boolean {
    return this.#length < CALM_WAITING
  }

  /** Cost of one turn of any flow, a moving average. */
  get costMs(): number {
    return this.#costMs
  }

  /** Estimated wait of a job that arrives now. */
  expectedWaitMs(name: string): number {
    return this.#aheadMs(name) * this.#slowdown
  }

  /** Processor time until a job that arrives now may begin. */
  #aheadMs(name: string): number {
    const flow = this.#active.get(name)
    if (flow === undefined) return 0
    const aheadMs = jobsOf(flow) * flow.costMs
    let waitMs = aheadMs
    // Another flow is served meanwhile, but at most as long as this one.
    for (const other of this.#active.values()) {
      if (other === flow) continue
      waitMs += Math.min(jobsOf(other) * other.costMs, aheadMs + flow.costMs)
    }
    return waitMs
  }

  /** Whether a job would be admitted now. */
  admits(name: string, waitMaxMs: number): boolean {
    if (!this.isCrowded(name)) return this.#length < WAITING_MAX
    return this.#length < WAITING_MAX - CALM_ROOM && this.expectedWaitMs(name) <= waitMaxMs
  }

  /** Whether more of a flow waits than a few patient clients. */
  isCrowded(name: string): boolean {
    return (this.#active.get(name)?.waiting.length ?? 0) >= CALM_WAITING
  }

  /** @returns false if it was rejected */
  add(name: string, job: Job, nowMs: number, waitMaxMs: number): boolean {
    if (!this.admits(name, waitMaxMs)) return false
    const aheadMs = this.isCrowded(name) ? this.#aheadMs(name) : 0
    this.#flow(name).waiting.push({ flow: name, job, sinceMs: nowMs, aheadMs })
    this.#length++
    return true
  }

  #flow(name: string): Flow<Job> {
    let flow = this.#active.get(name)
    if (flow === undefined) {
      const { tagMs: ownMs = 0, costMs = COST_FIRST_MS } = this.#idle.get(name) ?? {}
      this.#idle.delete(name)
      const tagMs = Math.max(ownMs, this.#virtualMs - RESTED_MAX_MS)
      flow = { waiting: [], paused: [], hasContinued: false, tagMs, costMs }
      this.#active.set(name, flow)
    }
    return flow
  }

  /**
   * Adds the rest of a job in progress: it is never refused, and waits for its turn like others.
   */
  resume(name: string, job: Job, nowMs: number): void {
    this.#flow(name).paused.push({ flow: name, job, sinceMs: nowMs, aheadMs: 0 })
    this.#length++
    this.#pausedCount++
  }

  /** Takes the next job. Call `done` with its cost before taking another. */
  take(nowMs: number): Waiting<Job> | undefined {
    const isFull = this.#pausedCount >= PAUSED_PER_THREAD_MAX
    let next: Flow<Job> | undefined
    for (const flow of this.#active.values()) {
      if (isFull && flow.paused.length === 0) continue
      if (next === undefined || flow.tagMs < next.tagMs) next = flow
    }
    if (next === undefined) return undefined
    const continues = isFull || mustContinue(next)
    const first = (continues ? next.paused : next.waiting).shift()!
    next.hasContinued = continues
    this.#length--
    if (continues) this.#pausedCount--
    this.#virtualMs = next.tagMs
    if (first.aheadMs > 0) {
      const slowdown = (nowMs - first.sinceMs) / first.aheadMs
      const bounded = Math.min(Math.max(1, slowdown), SLOWDOWN_MAX)
      this.#slowdown += (bounded - this.#slowdown) * NEWEST_WEIGHT
    }
    if (jobsOf(next) === 0) {
      this.#active.delete(first.flow)
      this.#remember(first.flow, next)
    }
    return first
  }

  /** @param name flow of the most recently taken job */
  done(name: string, { costMs, jobMs = costMs, isPaused = false }: Turn): void {
    this.#costMs += (costMs - this.#costMs) * NEWEST_WEIGHT
    const flow = this.#active.get(name) ?? this.#idle.get(name)
    if (flow === undefined) return
    flow.tagMs += costMs
    // A job in progress costs at least as much as it has.
    if (isPaused && jobMs < flow.costMs) return
    flow.costMs += (jobMs - flow.costMs) * NEWEST_WEIGHT
  }

  #remember(name: string, { tagMs, costMs }: Flow<Job>): void {
    this.#idle.delete(name)
    this.#idle.set(name, { tagMs, costMs })
    if (this.#idle.size <= IDLE_FLOWS_MAX) return
    const [oldest] = this.#idle.keys()
    if (oldest !== undefined) this.#idle.delete(oldest)
  }
}

function jobsOf({ waiting, paused }: Pick<Flow<unknown>, 'waiting' | 'paused'>): number {
  return waiting.length + paused.length
}

/** Whether the next turn of a flow is for a job that has begun. */
function mustContinue({ waiting, paused, hasContinued }: Flow<unknown>): boolean {
  if (paused.length === 0 || waiting.length === 0) return paused.length > 0
  return paused.length >= PAUSED_PER_STORE_MAX || !hasContinued
}
