import { setTimeout as pause } from 'node:timers/promises'
import type { StoredControl } from './control-document.ts'
import type { ControlIndex } from './control-index.ts'

const POLL_MS = 500
/**
 * Number of polls that read the same changes again, for 10 seconds: a write may become visible
 * after one with a higher number, because several are written at the same time and each copy of a
 * shard applies them in a different order.
 */
const POLLS_AGAIN = 20
/** For the same reason, number of changes before the start that are read again. */
const CHANGES_AGAIN = 1_000

type ChangeSource = Pick<ControlIndex, 'since'>

/** Reports every change of the control documents, by any node, within about a second. */
export class ControlFollower {
  readonly #index: ChangeSource
  readonly #onChanges: (documents: readonly StoredControl[]) => void
  readonly #onFailure: (error: unknown) => void
  /** Highest number known after each of the last polls; oldest first. */
  readonly #known: number[]
  /** Number of the last reported change, by id, for changes that are read again. */
  #told = new Map<string, number>()

  /**
   * @param from number of the last change that the caller knows; -1: none. Some changes before it
   * are reported again
   * @param listeners.onFailure called when a poll failed; the next one reports what it missed
   */
  constructor(
    index: ChangeSource,
    from: number,
    listeners: {
      readonly onChanges: (documents: readonly StoredControl[]) => void
      readonly onFailure: (error: unknown) => void
    },
  ) {
    this.#index = index
    this.#known = [from - CHANGES_AGAIN]
    this.#onChanges = listeners.onChanges
    this.#onFailure = listeners.onFailure
  }

  /** A poll must return all changes after this one. */
  get from(): number {
    return this.#known[0]!
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
    this.#known.push(Math.max(this.#known.at(-1)!, documents.at(-1)?.version.seqNo ?? -1))
    if (this.#known.length > POLLS_AGAIN) this.#known.shift()
    if (fresh.length > 0) this.#onChanges(fresh)
  }

  fail(error: unknown): void {
    this.#onFailure(error)
  }

  close(): void {
    pollsOf(this.#index).remove(this)
  }
}

/** One poll for all followers of an index: an API node has seven. */
class SharedPolls {
  readonly #index: ChangeSource
  readonly #followers = new Set<ControlFollower>()
  #isRunning = false

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

  async #run(): Promise<void> {
    this.#isRunning = true
    while (this.#followers.size > 0) {
      await pause(POLL_MS, undefined, { ref: false })
      await this.#poll([...this.#followers])
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
