import { setImmediate as nextTurn } from 'node:timers/promises'
import { takeGroup } from './operation.ts'
import type { DocumentOperation, ExclusiveOperation, Operation } from './operation.ts'

/** One decided group of document operations on its way to the disk. */
export interface DecidedGroup {
  /** Begins the commit. */
  commit(): Promise<void>
  /** After the commit: makes it searchable, publishes it, answers. */
  finish(): void
  /** Instead of the commit, or after it failed: answers with the error. */
  abandon(error: unknown): void
}

/**
 * The writer's loop: operations in the order they came, each group decided, committed, made
 * searchable, published, answered. While the disk works on one group the next is decided, so that disk
 * and processor are busy together; an exclusive operation waits until nothing is in flight.
 */
export class WriteLoop {
  readonly #decide: (operations: DocumentOperation[]) => DecidedGroup
  readonly #onCrash: (error: unknown) => void
  readonly #queue: Operation[] = []
  #running = false
  #idle: Promise<void> = Promise.resolve()

  /** @param onCrash the loop itself has failed (a bug): the process must not go on */
  constructor(
    decide: (operations: DocumentOperation[]) => DecidedGroup,
    onCrash: (error: unknown) => void,
  ) {
    this.#decide = decide
    this.#onCrash = onCrash
  }

  add(operation: Operation): void {
    this.#queue.push(operation)
    if (this.#running) return
    this.#running = true
    this.#idle = this.#run().catch(this.#onCrash)
  }

  /** Operations that wait. */
  get length(): number {
    return this.#queue.length
  }

  /** Resolves when everything that was added has been answered. */
  async drained(): Promise<void> {
    while (this.#running) await this.#idle
  }

  async #run(): Promise<void> {
    let decided: DecidedGroup | undefined
    while (decided !== undefined || this.#queue.length > 0) {
      const first = this.#queue[0]
      if (decided === undefined && first?.kind === 'exclusive') {
        this.#queue.shift()
        await runExclusive(first)
        continue
      }
      const group: DecidedGroup = decided ?? this.#decide(takeGroup(this.#queue))
      decided = undefined
      const committed = group.commit().then(
        () => undefined,
        (error: unknown) => ({ error }),
      )
      // Lets the commit start, and lets in what has arrived meanwhile.
      await nextTurn()
      const next = takeGroup(this.#queue)
      if (next.length > 0) decided = this.#decide(next)
      const failure = await committed
      if (failure === undefined) {
        group.finish()
        continue
      }
      // What was decided meanwhile was built on the failed group: it goes first.
      decided?.abandon(failure.error)
      group.abandon(failure.error)
      decided = undefined
    }
    this.#running = false
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
