import { performance } from 'node:perf_hooks'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { ApiError, WRITE_QUEUE_MAX_MS } from '@aisle/contract'
import type { DocumentOperation, ExclusiveOperation, Operation } from './operation.ts'
import { WriteQueue } from './write-queue.ts'

/** One decided group of document operations on its way to the disk. */
export interface DecidedGroup {
  /** Starts the commit. */
  commit(): Promise<void>
  /** Called after the commit: makes the group searchable, publishes it and answers. */
  finish(): void | Promise<void>
  /** Instead of the commit, or after it failed, answers with the error. */
  abandon(error: unknown): void
}

/**
 * The writer's loop: takes the operations of a store in order of arrival, and the stores in turn.
 * Each group is decided, committed, made searchable, published and answered. While the disk works
 * on one group the next is decided, so that disk and processor are busy together; an exclusive
 * operation waits until nothing is in flight.
 */
export class WriteLoop {
  readonly #decide: (operations: DocumentOperation[]) => DecidedGroup
  readonly #onCrash: (error: unknown) => void
  readonly #queue = new WriteQueue()
  readonly #nowMs: () => number
  #running = false
  #idle: Promise<void> = Promise.resolve()

  /**
   * @param onCrash called when the loop itself fails (a bug): the process must not continue
   * @param nowMs a clock that is never set back
   */
  constructor(
    decide: (operations: DocumentOperation[]) => DecidedGroup,
    onCrash: (error: unknown) => void,
    nowMs: () => number = () => performance.now(),
  ) {
    this.#nowMs = nowMs
    this.#decide = decide
    this.#onCrash = onCrash
  }

  /** @param store the store whose turn it takes; for a document operation, its own store */
  add(store: string, operation: Operation): void {
    this.#queue.add(store, operation, this.#nowMs())
    if (this.#running) return
    this.#running = true
    this.#idle = this.#run().catch(this.#onCrash)
  }

  /** Number of waiting operations. */
  get length(): number {
    return this.#queue.length
  }

  /** Resolves when every added operation has been answered. */
  async drained(): Promise<void> {
    while (this.#running) await this.#idle
  }

  async #run(): Promise<void> {
    let decided: DecidedGroup | undefined
    while (decided !== undefined || this.#queue.length > 0) {
      this.#refuseLate()
      if (decided === undefined && this.#queue.length === 0) continue
      const alone = decided === undefined ? this.#queue.takeExclusive() : undefined
      if (alone !== undefined) {
        await runExclusive(alone)
        // Work in many parts adds the next one when one is done: others have a turn in between.
        await nextTurn()
        continue
      }
      const group: DecidedGroup = decided ?? this.#decide(this.#queue.takeGroup(this.#nowMs()))
      decided = undefined
      const committed = group.commit().then(
        () => undefined,
        (error: unknown) => ({ error }),
      )
      // Lets the commit start, and operations that have arrived meanwhile be added.
      await nextTurn()
      this.#refuseLate()
      const next = this.#queue.takeGroup(this.#nowMs())
      if (next.length > 0) decided = this.#decide(next)
      const failure = await committed
      if (failure === undefined) {
        // The commit may have ended while the next group was decided: not both in one turn.
        await nextTurn()
        await group.finish()
        continue
      }
      // Groups decided meanwhile were built on the failed group, so they are reverted first.
      decided?.abandon(failure.error)
      group.abandon(failure.error)
      decided = undefined
    }
    this.#running = false
  }

  /**
   * Refuses writes this old: their senders have given up or retry. The error says that nothing was
   * written. The writer's own operations run no matter how late.
   */
  #refuseLate(): void {
    for (const { settle } of this.#queue.takeLate(this.#nowMs() - WRITE_QUEUE_MAX_MS)) {
      settle.reject(
        new ApiError('unavailable', 'Cannot write now: the write has waited too long', {
          retryAfterSeconds: 2,
        }),
      )
    }
  }
}

async function runExclusive({ run, settle }: ExclusiveOperation): Promise<void> {
  let result: unknown
  try {
    result = await run()
  } catch (error) {
    settle.reject(error)
    return
  }
  settle.resolve(result)
}
