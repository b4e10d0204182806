import { performance } from 'node:perf_hooks'
import { ApiError, WRITE_QUEUE_MAX_MS } from '@aisle/contract'
import { LoopTurns } from './loop-turns.ts'
import type { DocumentOperation, ExclusiveOperation, Operation } from './operation.ts'
import { WriteQueue } from './write-queue.ts'

/** A group of document operations that are decided one after another, for one commit. */
export interface OpenGroup {
  /** @returns whether the group can take more; false if it has failed */
  decide(operations: readonly DocumentOperation[]): boolean
  /** Ends deciding. */
  close(): DecidedGroup
}

/** One decided group of document operations on its way to the disk. */
export interface DecidedGroup {
  /** Starts the commit. */
  commit(): Promise<void>
  /** Called after the commit: makes the group searchable, publishes it and answers. */
  finish(turns: LoopTurns): void | Promise<void>
  /** Instead of the commit, or after it failed, answers with the error. */
  abandon(error: unknown): void
}

/** A group that takes more until its commit begins. */
interface Decided {
  readonly group: OpenGroup
  readonly hasFailed: boolean
}

/**
 * The writer's loop: takes the operations of a store in order of arrival, and the stores in turn.
 * Each group is decided, committed, made searchable, published and answered. While the disk works
 * on one group the next is decided, so that disk and processor are busy together. Stores that begin
 * to write later still join it: it is closed when its own commit begins. An exclusive operation
 * waits until nothing is in flight. All work that may take long rests between its parts, so that
 * whatever arrives meanwhile is received, and the event loop has no long turn.
 */
export class WriteLoop {
  readonly #begin: () => OpenGroup
  readonly #onCrash: (error: unknown) => void
  readonly #queue = new WriteQueue()
  readonly #nowMs: () => number
  readonly #turns = new LoopTurns()
  #running = false
  #idle: Promise<void> = Promise.resolve()

  /**
   * @param begin begins a group
   * @param onCrash called when the loop itself fails (a bug): the process must not continue
   * @param nowMs a clock that is never set back
   */
  constructor(
    begin: () => OpenGroup,
    onCrash: (error: unknown) => void,
    nowMs: () => number = () => performance.now(),
  ) {
    this.#nowMs = nowMs
    this.#begin = begin
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
    let decided: Decided | undefined
    while (decided !== undefined || this.#queue.length > 0) {
      this.#refuseLate()
      if (decided === undefined && this.#queue.length === 0) continue
      const alone = decided === undefined ? this.#queue.takeExclusive() : undefined
      if (alone !== undefined) {
        await runExclusive(alone)
        // Work in many parts adds the next one when one is done: others have a turn in between.
        await this.#turns.rest()
        continue
      }
      decided ??= await this.#decided()
      if (decided === undefined) continue
      const group = this.#joined(decided)
      decided = undefined
      const committed = group.commit().then(
        () => undefined,
        (error: unknown) => ({ error }),
      )
      // Lets the commit start, and operations that have arrived meanwhile be added.
      await this.#turns.rest()
      this.#refuseLate()
      decided = await this.#decided()
      const failure = await committed
      if (failure === undefined) {
        // The commit may have ended while the next group was decided: not both in one turn.
        await this.#turns.rest()
        await group.finish(this.#turns)
        continue
      }
      // Groups decided meanwhile were built on the failed group, so they are reverted first.
      decided?.group.close().abandon(failure.error)
      group.abandon(failure.error)
      decided = undefined
    }
    this.#running = false
  }

  /**
   * Takes and decides a group, part by part.
   * @returns undefined if no document operation is next
   */
  async #decided(): Promise<Decided | undefined> {
    let group: OpenGroup | undefined
    for (const part of this.#queue.takeGroup(this.#nowMs)) {
      group ??= this.#begin()
      if (!group.decide(part)) return { group, hasFailed: true }
      await this.#turns.restIfDue()
    }
    return group === undefined ? undefined : { group, hasFailed: false }
  }

  /** Closes a group, after stores that began to write meanwhile have joined it. */
  #joined({ group, hasFailed }: Decided): DecidedGroup {
    const newcomers = hasFailed ? [] : this.#queue.takeNewcomers()
    if (newcomers.length > 0) group.decide(newcomers)
    return group.close()
  }

  /**
   * Refuses writes this old: their senders have given up or retry. The error says that nothing was
   * written. The writer's own operations run no matter how late.
   */
  #refuseLate(): void {
    for (const { settle } of this.#queue.takeLate(this.#nowMs() - WRITE_QUEUE_MAX_MS)) {
      settle.reject(
        new ApiError('unavailable', 'Cannot write now: the write has waited too long. Try again', {
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
