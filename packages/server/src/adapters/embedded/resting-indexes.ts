import { SMALL_STORE_DOCUMENTS } from '@aisle/contract'
import type { StoreState } from './store-state.ts'
import type { WriterOptions } from './writer-options.ts'

/** An index that was searched or written so lately is not closed. */
const REST_MS = 15_000

/** What it takes to close and open indexes. */
export interface RestingHost {
  all(): Iterable<StoreState>
  /** Runs when nothing is in flight: whatever is decided is on disk and in the index. */
  alone(run: () => Promise<void>): Promise<void>
  /** See `StoreTable.opened`. */
  opened(storeId: string): Promise<void> | undefined
  /** To be said to every thread, the index too. */
  publish(state: StoreState): void
}

/**
 * Keeps the indexes of small stores within a budget of memory: beyond it, those that nobody has
 * asked for the longest are closed, one after the other. Whatever they hold is in their files, and
 * they are opened again within milliseconds. Large indexes stay open: to open one takes seconds.
 * Main thread only.
 */
export class RestingIndexes {
  readonly #options: WriterOptions
  readonly #host: RestingHost
  /** When an index was opened or last written, by store, as far as is known. */
  readonly #touchedMs = new WeakMap<StoreState, number>()
  #stopped = false

  constructor(options: WriterOptions, host: RestingHost) {
    this.#options = options
    this.#host = host
  }

  stop(): void {
    this.#stopped = true
  }

  /** Whether a store is small enough, and its index can be made of files alone. */
  mayRest({ row, counters, next }: StoreState): boolean {
    return (
      this.#budget !== Infinity &&
      row.schema !== undefined &&
      row.reanalysis === undefined &&
      next === undefined &&
      counters.docCount <= SMALL_STORE_DOCUMENTS
    )
  }

  /** The index was opened. */
  opened(state: StoreState): void {
    this.#touchedMs.set(state, this.#options.clock.now())
  }

  /** Closes what is beyond the budget. To be called every few seconds. */
  async rest(): Promise<void> {
    if (this.#budget === Infinity || this.#stopped) return
    const excess = this.#openBytes() - this.#budget
    if (excess <= 0) return
    await this.#host.alone(() => this.#close(excess))
  }

  /** After a start: opens what was written last, as far as half of the budget goes. */
  async fill(): Promise<void> {
    const lastFirst = [...this.#host.all()]
      .filter((state) => state.closed !== undefined)
      .toSorted((a, b) => b.shown.lastWriteMs - a.shown.lastWriteMs)
    let bytes = this.#openBytes()
    for (const { row, closed } of lastFirst) {
      bytes += closed?.fileBytes ?? 0
      if (bytes > this.#budget / 2 || this.#stopped) return
      // What cannot be opened now is tried again when somebody asks for it.
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
