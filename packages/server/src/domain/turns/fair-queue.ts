/** Jobs that wait, of all flows together. */
export const WAITING_MAX = 2_000

/**
 * So many jobs of a flow may wait whatever they cost: as many clients that each wait for an answer
 * are no flood.
 */
const CALM_WAITING = 20

/** Flows whose costs are remembered while they have no job. */
const IDLE_FLOWS_MAX = 1_000
const COST_FIRST_MS = 1
/**
 * What a flow may save up by asking for less than its share: so much is done for it before it has
 * to take turns.
 */
const RESTED_MAX_MS = 50
/**
 * One pause (a collection of garbage, another process) must not make a thread think that it does
 * nothing but read.
 */
const SLOWDOWN_MAX = 5
/** Weight of the newest measurement in a moving average. */
const NEWEST_WEIGHT = 0.1

export interface Waiting<Job> {
  readonly flow: string
  readonly job: Job
  readonly sinceMs: number
}

interface Flow<Job> {
  readonly waiting: Waiting<Job>[]
  /** Virtual time at which its next job may start. */
  tagMs: number
  /** Of one job, a moving average. */
  costMs: number
}

/**
 * Jobs of many flows (stores, as a rule) before one thread, which does one after the other. The
 * flows share the thread fairly by the time that their jobs take: start-time fair queuing (Goyal,
 * Vin, Cheng, "Start-time Fair Queuing", 1996). Whoever has had least goes next; resting saves a
 * little up, so that the burst of a flow which asks for less than its share is not made to take
 * turns. So a flow that floods the thread makes its own queue long, and another waits for little
 * more than the job under way.
 *
 * A job that would wait too long is refused at once: queues stay short, and admitted jobs are
 * served in time.
 */
export class FairQueue<Job> {
  readonly #active = new Map<string, Flow<Job>>()
  readonly #idle = new Map<string, Pick<Flow<Job>, 'tagMs' | 'costMs'>>()
  #virtualMs = 0
  #costMs = COST_FIRST_MS
  #gapMs = 0
  #length = 0

  get length(): number {
    return this.#length
  }

  /** How long a job that comes now would wait, as far as can be told. */
  expectedWaitMs(name: string): number {
    const flow = this.#active.get(name)
    if (flow === undefined) return 0
    const aheadMs = flow.waiting.length * flow.costMs
    let waitMs = aheadMs
    // Another flow is served in the meantime, but not for longer than this one.
    for (const other of this.#active.values()) {
      if (other === flow) continue
      waitMs += Math.min(other.waiting.length * other.costMs, aheadMs + flow.costMs)
    }
    return waitMs * Math.min(1 + this.#gapMs / this.#costMs, SLOWDOWN_MAX)
  }

  /** Whether a job would be let in now. */
  admits(name: string, waitMaxMs: number): boolean {
    if (this.#length >= WAITING_MAX) return false
    return !this.isCrowded(name) || this.expectedWaitMs(name) <= waitMaxMs
  }

  /** Whether more of a flow waits than a few patient clients. */
  isCrowded(name: string): boolean {
    return (this.#active.get(name)?.waiting.length ?? 0) >= CALM_WAITING
  }

  /** @returns false when it was refused */
  add(name: string, job: Job, nowMs: number, waitMaxMs: number): boolean {
    if (!this.admits(name, waitMaxMs)) return false
    this.#push(name, job, nowMs)
    return true
  }

  #push(name: string, job: Job, nowMs: number): void {
    let flow = this.#active.get(name)
    if (flow === undefined) {
      const { tagMs = 0, costMs = COST_FIRST_MS } = this.#idle.get(name) ?? {}
      this.#idle.delete(name)
      flow = { waiting: [], tagMs: Math.max(tagMs, this.#virtualMs - RESTED_MAX_MS), costMs }
      this.#active.set(name, flow)
    }
    flow.waiting.push({ flow: name, job, sinceMs: nowMs })
    this.#length++
  }

  /** The rest of a job that was begun: it is never refused, and waits for its turn like others. */
  resume(name: string, job: Job, nowMs: number): void {
    this.#push(name, job, nowMs)
  }

  /** The next job. Say with `done` what it took before the next one is taken. */
  take(): Waiting<Job> | undefined {
    let next: Flow<Job> | undefined
    for (const flow of this.#active.values()) {
      if (next === undefined || flow.tagMs < next.tagMs) next = flow
    }
    const first = next?.waiting.shift()
    if (next === undefined || first === undefined) return undefined
    this.#length--
    this.#virtualMs = next.tagMs
    if (next.waiting.length === 0) {
      this.#active.delete(first.flow)
      this.#remember(first.flow, next)
    }
    return first
  }

  /**
   * @param name flow of the job that was taken last
   * @param costMs how long it kept the thread busy
   * @param gapMs how long the thread was busy with other things before it, although jobs waited:
   * reading requests, refusing them
   */
  done(name: string, costMs: number, gapMs: number): void {
    this.#costMs += (costMs - this.#costMs) * NEWEST_WEIGHT
    this.#gapMs += (gapMs - this.#gapMs) * NEWEST_WEIGHT
    const flow = this.#active.get(name) ?? this.#idle.get(name)
    if (flow === undefined) return
    flow.tagMs += costMs
    flow.costMs += (costMs - flow.costMs) * NEWEST_WEIGHT
  }

  #remember(name: string, { tagMs, costMs }: Flow<Job>): void {
    this.#idle.delete(name)
    this.#idle.set(name, { tagMs, costMs })
    if (this.#idle.size <= IDLE_FLOWS_MAX) return
    const [oldest] = this.#idle.keys()
    if (oldest !== undefined) this.#idle.delete(oldest)
  }
}
