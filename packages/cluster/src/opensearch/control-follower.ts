import { setTimeout as pause } from 'node:timers/promises'
import type { StoredControl } from './control-document.ts'
import type { ControlIndex } from './control-index.ts'

const POLL_MS = 500
/**
 * For how long the same changes are read again: a write may become visible after one with a higher
 * number, because several are written at the same time and each copy of a shard applies them in a
 * different order.
 */
const AGAIN_MS = 10_000
/** Minimum time between two polls that requests wait for. */
const CATCH_UP_MS = 2
/** For the same reason, number of changes before the start that are read again. */
const CHANGES_AGAIN = 1_000

type ChangeSource = Pick<ControlIndex, 'since'>

/** Reports every change of the control documents, by any node, within about a second. */
export class ControlFollower {
  readonly #index: ChangeSource
  readonly #onChanges: (documents: readonly StoredControl[]) => void
  readonly #onFailure: (error: unknown) => void
  /** Highest number known after each of the last polls, and when that was; oldest first. */
  readonly #known: { readonly seqNo: number; readonly atMs: number }[]
  readonly #nowMs: () => number
  /** Number of the last reported change, by id, for changes that are read again. */
  #told = new Map<string, number>()

  /**
   * @param from number of the last change that the caller knows; -1: none. Some changes before it
   * are reported again
   * @param listeners.onFailure called when a poll failed; the next one reports what it missed
   * @param nowMs a clock that never goes back
   */
  constructor(
    index: ChangeSource,
    from: number,
    listeners: {
      readonly onChanges: (documents: readonly StoredControl[]) => void
      readonly onFailure: (error: unknown) => void
    },
    nowMs: () => number = () => performance.now(),
  ) {
    this.#index = index
    this.#nowMs = nowMs
    this.#known = [{ seqNo: from - CHANGES_AGAIN, atMs: nowMs() }]
    this.#onChanges = listeners.onChanges
    this.#onFailure = listeners.onFailure
  }

  /** A poll must return all changes after this one. */
  get from(): number {
    return this.#known[0]!.seqNo
  }

  /** Polls until it is closed. */
  start(): void {
    pollsOf(this.#index).add(this)
  }

  /** Polls once, and reports new changes. One call at a time. */
  async poll(): Promise<void> {
    this.take(await this.#index.since(this.from))
  }

  /** Reports new changes. @param all changes after `from`, and perhaps earlier ones */
  take(all: readonly StoredControl[]): void {
    const documents = all.filter(({ version }) => version.seqNo > this.from)
    const fresh = documents.filter(({ id, version }) => this.#told.get(id) !== version.seqNo)
    this.#told = new Map(documents.map(({ id, version }) => [id, version.seqNo]))
    const atMs = this.#nowMs()
    const seqNo = Math.max(this.#known.at(-1)!.seqNo, documents.at(-1)?.version.seqNo ?? -1)
    this.#known.push({ seqNo, atMs })
    while (this.#known[1]!.atMs <= atMs - AGAIN_MS) this.#known.shift()
    if (fresh.length > 0) this.#onChanges(fresh)
  }

  fail(error: unknown): void {
    this.#onFailure(error)
  }

  close(): void {
    pollsOf(this.#index).remove(this)
  }
}

/**
 * Resolves when all followers of an index have reported what was written before the call, or when
 * that could not be read. Never rejects.
 */
export function catchUpOn(index: ChangeSource): Promise<void> {
  return pollsOf(index).catchUp()
}

/** One poll for all followers of an index: an API node has seven. */
class SharedPolls {
  readonly #index: ChangeSource
  readonly #followers = new Set<ControlFollower>()
  #isRunning = false
  /** The last poll that has begun. */
  #current: Promise<void> = Promise.resolve()
  /** The one after it, which those share who call meanwhile. */
  #next: Promise<void> | undefined

  constructor(index: ChangeSource) {
    this.#index = index
  }

  add(follower: ControlFollower): void {
    this.#followers.add(follower)
    if (!this.#isRunning) void this.#run()
  }

  remove(follower: ControlFollower): void {
    this.#followers.delete(follower)
  }

  catchUp(): Promise<void> {
    this.#next ??= this.#current.then(() => {
      this.#next = undefined
      const poll = this.#poll([...this.#followers])
      // Many requests must not become as many polls.
      const paused = pause(CATCH_UP_MS, undefined, { ref: false })
      this.#current = poll.then(() => paused)
      return poll
    })
    return this.#next
  }

  async #run(): Promise<void> {
    this.#isRunning = true
    while (this.#followers.size > 0) {
      await pause(POLL_MS, undefined, { ref: false })
      await this.catchUp()
    }
    this.#isRunning = false
  }

  async #poll(followers: readonly ControlFollower[]): Promise<void> {
    if (followers.length === 0) return
    const work = this.#index.since(Math.min(...followers.map(({ from }) => from)))
    for (const follower of followers) {
      try {
        const documents = await work
        // It may have been closed meanwhile.
        if (this.#followers.has(follower)) follower.take(documents)
      } catch (error) {
        follower.fail(error)
      }
    }
  }
}

const polls = new WeakMap<ChangeSource, SharedPolls>()

function pollsOf(index: ChangeSource): SharedPolls {
  const shared = polls.get(index) ?? new SharedPolls(index)
  polls.set(index, shared)
  return shared
}
