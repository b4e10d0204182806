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

/** Reports every change of the control documents, by any node, within about a second. */
export class ControlFollower {
  readonly #index: Pick<ControlIndex, 'since'>
  readonly #onChanges: (documents: readonly StoredControl[]) => void
  readonly #onFailure: (error: unknown) => void
  /** Highest number known after each of the last polls; oldest first. */
  readonly #known: number[]
  /** Number of the last reported change, by id, for changes that are read again. */
  #told = new Map<string, number>()
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  /**
   * @param from number of the last change that the caller knows; -1: none. Some changes before it
   * are reported again
   * @param listeners.onFailure called when a poll failed; the next one reports what it missed
   */
  constructor(
    index: Pick<ControlIndex, 'since'>,
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

  /** Polls until it is closed. */
  start(): void {
    this.#timer = setTimeout(() => {
      void this.poll()
        .catch(this.#onFailure)
        .then(() => {
          if (!this.#isClosed) this.start()
        })
    }, POLL_MS).unref()
  }

  /** Polls once, and reports new changes. One call at a time. */
  async poll(): Promise<void> {
    const documents = await this.#index.since(this.#known[0]!)
    const fresh = documents.filter(({ id, version }) => this.#told.get(id) !== version.seqNo)
    this.#told = new Map(documents.map(({ id, version }) => [id, version.seqNo]))
    this.#known.push(Math.max(this.#known.at(-1)!, documents.at(-1)?.version.seqNo ?? -1))
    if (this.#known.length > POLLS_AGAIN) this.#known.shift()
    if (fresh.length > 0) this.#onChanges(fresh)
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
  }
}
