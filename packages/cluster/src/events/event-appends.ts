import { hash, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { ClusterError } from '../opensearch/cluster-error.ts'
import { weekOf } from '../opensearch/event-week.ts'
import type { CreateOutcome, EventDocument } from '../opensearch/event-document.ts'
import type { EventIndex } from '../opensearch/event-index.ts'

/** Maximum of records in one request to the cluster. */
const GROUP_RECORDS_MAX = 5_000
const GROUP_MAX_BYTES = 8 * 1024 * 1024
/**
 * Maximum time that records wait while the cluster is busy or unreachable; then they are refused.
 */
const RETRY_MAX_MS = 15_000
const PAUSE_FIRST_MS = 50
const PAUSE_MAX_MS = 2_000
const ID_CHARS = 22

/** A record to write. */
export interface NewRecord {
  readonly log: string
  readonly receivedMs: number
  readonly record: Uint8Array
  /** 16 bytes that identify a duplicate. */
  readonly id: Uint8Array
  /** Whether the caller may not know all ids of the week before, which must then be checked. */
  readonly isWeekBeforeOpen: boolean
}

/** Returns the id of a record's document: within a week, a log cannot have it twice. */
export function documentId(log: string, id: Uint8Array): string {
  const key = Buffer.concat([Buffer.from(`${log}\n`), id])
  return hash('sha256', key, 'base64url').slice(0, ID_CHARS)
}

interface Waiting extends EventDocument {
  readonly week: number
  readonly isWeekBeforeOpen: boolean
  resolve(isNew: boolean): void
  reject(error: unknown): void
}

/**
 * Writes records to the weekly indices in batches: records that arrive while one request is in
 * flight go out with the next. An id counts once over two weeks: the index of its week refuses a
 * duplicate, and the week before is checked.
 */
export class EventAppends {
  readonly #index: EventIndex
  #waiting: Waiting[] = []
  #running: Promise<void> | undefined

  constructor(index: EventIndex) {
    this.#index = index
  }

  /**
   * Resolves when all are durable on every copy.
   *
   * @returns whether each was new
   * @throws ClusterError; each record may have been written anyway, and is then a duplicate next
   * time
   */
  append(records: readonly NewRecord[]): Promise<boolean[]> {
    const operation = randomUUID()
    const outcomes = records.map((record, at) => {
      return new Promise<boolean>((resolve, reject) => {
        this.#waiting.push({
          ...record,
          id: documentId(record.log, record.id),
          week: weekOf(record.receivedMs),
          // Each record has its own operation, so that the same id twice in one request is a
          // duplicate.
          operation: `${operation}.${at}`,
          resolve,
          reject,
        })
      })
    })
    this.#running ??= this.#run()
    return Promise.all(outcomes)
  }

  /** Waits for requests in flight. */
  async close(): Promise<void> {
    await this.#running
  }

  async #run(): Promise<void> {
    // Records that arrive in this turn of the event loop go out with the first.
    await new Promise((resolve) => setImmediate(resolve))
    while (this.#waiting.length > 0) {
      for (const [week, group] of Map.groupBy(this.#takeGroup(), (one) => one.week)) {
        await this.#write(week, group).catch((error: unknown) => {
          for (const { reject } of group) reject(error)
        })
      }
    }
    this.#running = undefined
  }

  #takeGroup(): Waiting[] {
    let bytes = 0
    const tooMany = this.#waiting.findIndex(({ record }, at) => {
      bytes += record.length
      return at > 0 && (at >= GROUP_RECORDS_MAX || bytes > GROUP_MAX_BYTES)
    })
    return this.#waiting.splice(0, tooMany < 0 ? this.#waiting.length : tooMany)
  }

  async #write(week: number, group: readonly Waiting[]): Promise<void> {
    const deadlineMs = performance.now() + RETRY_MAX_MS
    let left = group
    for (let pauseMs = PAUSE_FIRST_MS; ; pauseMs = Math.min(2 * pauseMs, PAUSE_MAX_MS)) {
      const attempt = await this.#attempt(week, left)
      left = left.filter((one, at) => {
        if (attempt.outcomes[at] === 'busy') return true
        one.resolve(attempt.outcomes[at] === 'created')
        return false
      })
      if (left.length === 0) return
      if (performance.now() + pauseMs > deadlineMs) throw attempt.error
      await sleep(pauseMs)
    }
  }

  async #attempt(
    week: number,
    group: readonly Waiting[],
  ): Promise<{ readonly outcomes: readonly CreateOutcome[]; readonly error: ClusterError }> {
    let error = new ClusterError('busy', 'The cluster does not accept events')
    try {
      const open = group.filter(({ isWeekBeforeOpen }) => isWeekBeforeOpen)
      const before = await this.#index.known(week - 1, open)
      const fresh = group.filter(({ id }) => !before.has(id))
      const outcomes = fresh.length === 0 ? [] : await this.#index.create(week, fresh)
      const of = new Map(fresh.map((one, at) => [one, outcomes[at]!]))
      return { outcomes: group.map((one) => of.get(one) ?? 'known'), error }
    } catch (failure) {
      if (!(failure instanceof ClusterError)) throw failure
      // Without an answer, a written record is recognized by its operation.
      if (failure.kind !== 'busy' && failure.kind !== 'unreachable') throw failure
      error = failure
      return { outcomes: group.map(() => 'busy'), error }
    }
  }
}
