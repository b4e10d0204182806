import { SMALL_STORE_DOCUMENTS } from '@aisle/contract'
import type { StoreState } from './store-state.ts'
import type { WriterOptions } from './writer-options.ts'

/** An index that was searched or written within this time is not closed. */
const REST_MS = 15_000

/** The operations that closing and opening indexes needs. */
export interface RestingHost {
  all(): Iterable<StoreState>
  /** Runs when nothing is in flight: all decided writes are on disk and in the index. */
  alone(run: () => Promise<void>): Promise<void>
  /** See `StoreTable.opened`. */
  opened(storeId: string): Promise<void> | undefined
  /** Publishes the store to every thread, including its index. */
  publish(state: StoreState): void
}

/**
 * Keeps the indexes of small stores within a memory budget: above it, closes the least recently
 * used ones, one after the other. Their files hold everything, and they are reopened within
 * milliseconds. Large indexes stay open, because opening one takes seconds. Main thread only.
 */
export class RestingIndexes {
  readonly #options: WriterOptions
  readonly #host: RestingHost
  /** When an index was opened or last written, by store, if known. */
  readonly #touchedMs = new WeakMap<StoreState, number>()
  #stopped = false

  constructor(options: WriterOptions, host: RestingHost) {
    this.#options = options
    this.#host = host
  }

  stop(): void {
    this.#stopped = true
  }

  /** Whether a store is small enough, and its index can be opened from its files alone. */
  mayRest({ row, counters, next }: StoreState): boolean {
    return (
      this.#budget !== Infinity &&
      row.schema !== undefined &&
      row.reanalysis === undefined &&
      next === undefined &&
      counters.docCount <= SMALL_STORE_DOCUMENTS
    )
  }

  /** Called when an index was opened. */
  opened(state: StoreState): void {
    this.#touchedMs.set(state, this.#options.clock.now())
  }

  /** Closes indexes until the rest fits the budget. Call it every few seconds. */
  async rest(): Promise<void> {
    if (this.#budget === Infinity || this.#stopped) return
    const excess = this.#openBytes() - this.#budget
    if (excess <= 0) return
    await this.#host.alone(() => this.#close(excess))
  }

  /** After a start, opens the most recently written indexes, up to half of the budget. */
  async fill(): Promise<void> {
    const lastFirst = [...this.#host.all()]
      .filter((state) => state.closed !== undefined)
      .toSorted((a, b) => b.shown.lastWriteMs - a.shown.lastWriteMs)
    let bytes = this.#openBytes()
    for (const { row, closed } of lastFirst) {
      bytes += closed?.fileBytes ?? 0
      if (bytes > this.#budget / 2 || this.#stopped) return
      // An index that cannot be opened now is retried when it is used.
      await this.#host.opened(row.storeId)?.catch(() => undefined)
    }
  }

  get #budget(): number {
    return this.#options.smallStoresBytes ?? Infinity
  }

  #openBytes(): number {
    let bytes = 0
    for (const state of this.#host.all()) {
      if (this.mayRest(state)) bytes += state.index?.statistics().indexBytes ?? 0
    }
    return bytes
  }

  async #close(excess: number): Promise<void> {
    const nowMs = this.#options.clock.now()
    const resting = [...this.#host.all()]
      .filter((state) => state.index?.isAtRest === true && this.#isClosable(state))
      .map((state) => ({ state, usedMs: this.#usedMs(state) }))
      .filter(({ usedMs }) => nowMs - usedMs >= REST_MS)
      .toSorted((a, b) => a.usedMs - b.usedMs)
    let left = excess
    const closing: Promise<void>[] = []
    for (const { state } of resting) {
      if (left <= 0) break
      const index = state.index!
      const { indexBytes, fileBytes } = index.statistics()
      left -= indexBytes
      state.index = undefined
      state.closed = { fileBytes }
      this.#host.publish(state)
      closing.push(index.close())
    }
    await Promise.all(closing)
  }

  #isClosable(state: StoreState): boolean {
    return this.mayRest(state) && !state.loading && state.pending.size === 0
  }

  #usedMs(state: StoreState): number {
    return Math.max(
      this.#touchedMs.get(state) ?? 0,
      state.shown.lastWriteMs,
      this.#options.publisher.lastUseMs(state.row.storeId),
    )
  }
}
