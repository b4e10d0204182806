import { ApiError } from '@aisle/contract'
import type {
  WriteOutcome,
  DocumentVersion,
  DocumentWrite,
  VersionChange,
  VersionOutcome,
} from '@aisle/server/ports'
import type { OwnVector } from '../opensearch/own-vectors.ts'
import type { StepOutcome } from './document-chain.ts'
import { SizeByTime } from '../opensearch/size-by-time.ts'
import { writeFailure, type JobStep, type WriteJob } from './store-work.ts'
import { worksOf, writeRound, type WriteTools } from './write-round.ts'

/** Minimum time between the starts of two groups, while others are in flight. */
const GROUP_PAUSE_MS = 10
/**
 * A group with at least this many steps counts as a bulk load, and more are expected: each group
 * makes the cluster write a segment in each copy, so steps that arrive soon are grouped.
 */
const LOAD_STEPS = 100
const LOAD_PAUSE_MS = 25
/**
 * Maximum wait while other groups are in flight; it is a quarter of the time that the last one
 * took.
 */
const LOAD_PAUSE_MAX_MS = 250
/** Maximum of groups in flight: while one is being written, the next is analysed. */
const GROUPS_MAX = 2
/**
 * As many steps that arrive together become two groups where a group costs the cluster no segment.
 * Otherwise a client that waits for its answers before it sends more would have the node and the
 * cluster work by turns.
 */
const HALVED_STEPS = 1_000
/**
 * Maximum of groups that retry because a part of the cluster is unreachable. They do not block
 * others.
 */
const RETRYING_MAX = 20
/** Limits of one group. A larger job is a separate group. */
const GROUP_STEPS_MAX = 2_000
/** The same while groups take long, so that their writes are answered in time. */
const GROUP_STEPS_MIN = 100
const GROUP_BYTES_MAX = 6_000_000
/** Limits of the queue; further writes are refused. */
const WAITING_BYTES_MAX = 200_000_000
/** Overhead of a step besides its bytes. */
const STEP_BYTES = 200

/** Writes documents: the writes of all requests of this node go to the cluster in groups. */
export class DocumentWriter {
  readonly #tools: WriteTools
  #waiting: WriteJob[] = []
  #waitingBytes = 0
  #waitingSteps = 0
  #groupCount = 0
  #retryingCount = 0
  /** Steps of all groups in flight. */
  #stepCount = 0
  #timer: NodeJS.Timeout | undefined
  /** Whether the last group was one of places that are being loaded. */
  #isLoading = false
  /** Whether it left the other half waiting. */
  #wasHalved = false
  /** When the timer ends, by `#nowMs`. */
  #dueMs = 0
  /** How long the last group took. */
  #tookMs = 0
  readonly #groupSteps = new SizeByTime(GROUP_STEPS_MIN, GROUP_STEPS_MAX)
  readonly #nowMs: () => number

  /** @param nowMs a clock that never goes back, in milliseconds */
  constructor(tools: WriteTools, nowMs: () => number = () => performance.now()) {
    this.#tools = tools
    this.#nowMs = nowMs
  }

  async write(storeId: string, writes: readonly DocumentWrite[]): Promise<WriteOutcome[]> {
    const steps = writes.map((write): JobStep => ({ kind: 'write', write }))
    return (await this.#do(storeId, steps)) as WriteOutcome[]
  }

  /** @returns whether the document existed */
  async delete(storeId: string, id: string, ifMatch?: string): Promise<boolean> {
    const [outcome] = await this.#do(storeId, [{ kind: 'delete', id, ifMatch }])
    if (typeof outcome === 'object' && outcome.status === 'failed') {
      throw new ApiError(outcome.code, outcome.message, { current: outcome.current })
    }
    return outcome === 'deleted'
  }

  async change(
    storeId: string,
    versions: readonly DocumentVersion[],
    change: VersionChange,
    content?: string,
  ): Promise<VersionOutcome[]> {
    const steps = versions.map((version): JobStep => ({ kind: 'version', ...version, change }))
    return (await this.#do(storeId, steps, content)) as VersionOutcome[]
  }

  /** Adds what a model has made of these versions; those that were replaced stay as they are. */
  async addVectors(
    storeId: string,
    content: string,
    made: readonly (DocumentVersion & { readonly vectors: readonly OwnVector[] })[],
  ): Promise<VersionOutcome[]> {
    const steps = made.map((one): JobStep => ({ kind: 'vectors', ...one }))
    return (await this.#do(storeId, steps, content)) as VersionOutcome[]
  }

  #do(storeId: string, steps: readonly JobStep[], content?: string): Promise<StepOutcome[]> {
    const bytes = steps.reduce((sum, step) => sum + sizeOf(step), 0)
    if (this.#waitingBytes + bytes > WAITING_BYTES_MAX && this.#waiting.length > 0) {
      const message = 'Cannot write: too many writes are waiting for the cluster. Try again'
      return Promise.reject(new ApiError('unavailable', message, { retryAfterSeconds: 2 }))
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ storeId, content, steps, bytes, resolve, reject })
      this.#waitingBytes += bytes
      this.#waitingSteps += steps.length
      this.#startSoon()
    })
  }

  /** Groups the writes of this turn; while other groups are in flight, collects more. */
  #startSoon(): void {
    if (this.#waiting.length === 0 || this.#groupCount >= GROUPS_MAX) return
    const pauseMs = this.#pauseMs()
    const dueMs = this.#nowMs() + pauseMs
    if (this.#timer !== undefined && dueMs >= this.#dueMs) return
    clearTimeout(this.#timer)
    this.#dueMs = dueMs
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      void this.#start()
    }, pauseMs)
  }

  #pauseMs(): number {
    const isAlone = this.#groupCount === 0
    const steps = this.#waitingSteps
    if (steps < LOAD_STEPS || steps >= this.#groupSteps.now) return isAlone ? 0 : GROUP_PAUSE_MS
    // As large as the other one: now both sides have work.
    if (isAlone || (this.#isLoading && steps >= this.#stepCount)) return LOAD_PAUSE_MS
    return Math.min(Math.max(this.#tookMs / 4, LOAD_PAUSE_MS), LOAD_PAUSE_MAX_MS)
  }

  async #start(): Promise<void> {
    const jobs = this.#takeGroup()
    if (jobs.length === 0) return
    const stepCount = stepsOf(jobs)
    this.#groupCount++
    this.#stepCount += stepCount
    this.#startSoon()
    const beginMs = this.#nowMs()
    let isRetrying = false
    const onRetry = (): void => {
      if (isRetrying || this.#retryingCount >= RETRYING_MAX) return
      isRetrying = true
      this.#retryingCount++
      this.#groupCount--
      this.#startSoon()
    }
    try {
      const works = await worksOf(this.#tools, jobs)
      this.#isLoading = works.every(({ state }) => state.documents.place?.isLoading === true)
      await writeRound(this.#tools, works, onRetry)
    } catch (error) {
      for (const job of jobs) job.reject(writeFailure(error))
    } finally {
      this.#tookMs = this.#nowMs() - beginMs
      this.#stepCount -= stepCount
      this.#groupSteps.note(stepCount, this.#tookMs)
      if (isRetrying) this.#retryingCount--
      else this.#groupCount--
      this.#startSoon()
    }
  }

  #takeGroup(): WriteJob[] {
    const waiting = this.#waitingSteps
    const isFirst = this.#groupCount === 0 && !this.#wasHalved
    const isHalved = isFirst && this.#isLoading && waiting >= HALVED_STEPS
    this.#wasHalved = isHalved
    const stepsMax = Math.min(isHalved ? Math.ceil(waiting / 2) : Infinity, this.#groupSteps.now)
    let steps = 0
    let bytes = 0
    const end = this.#waiting.findIndex((job, at) => {
      steps += job.steps.length
      bytes += job.bytes
      return at > 0 && (steps > stepsMax || bytes > GROUP_BYTES_MAX)
    })
    const group = this.#waiting.splice(0, end === -1 ? this.#waiting.length : end)
    for (const job of group) this.#waitingBytes -= job.bytes
    this.#waitingSteps -= stepsOf(group)
    return group
  }
}

function stepsOf(jobs: readonly WriteJob[]): number {
  return jobs.reduce((sum, job) => sum + job.steps.length, 0)
}

function sizeOf(step: JobStep): number {
  if (step.kind === 'version' && step.change.kind === 'replace') {
    return STEP_BYTES + (step.change.json.get(step.id)?.length ?? 0)
  }
  return STEP_BYTES + (step.kind === 'write' ? step.write.json.length : 0)
}
