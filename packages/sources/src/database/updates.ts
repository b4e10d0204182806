import { hash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { FollowUpdatedAt } from '@aisle/contract'
import { charsOf, type SourceRow } from '@aisle/import'
import { ALIVE_MS, type SourceChange, type SourceChanges } from '../source-reader.ts'
import { isFull } from './row-batches.ts'

const INTERVAL_SECONDS_DEFAULT = 1
const OVERLAP_SECONDS_DEFAULT = 10
/** Rows of one poll that are remembered, so that the next one does not pass them on again. */
const REMEMBERED_ROWS_MAX = 1_000_000

/** Times are texts of the database, and only compared by it. `null`: from the beginning. */
export interface UpdatesPosition {
  readonly updatedAt: string | null
  readonly deletedAt: string | null
}

/** The queries of a database for rows that changed. */
export interface UpdateQueries {
  /** Rows that changed after a time, in its order. */
  updatedRows(
    after: string | null,
    signal: AbortSignal,
  ): AsyncIterable<{ readonly row: SourceRow; readonly updatedAt: string }>
  /** Rows that were deleted after a time, in its order, and are not there again. */
  deletedRows(
    after: string | null,
    signal: AbortSignal,
  ): AsyncIterable<{ readonly id: string; readonly deletedAt: string }>
}

export function overlapSecondsOf({ overlap_seconds: seconds }: FollowUpdatedAt): number {
  return seconds ?? OVERLAP_SECONDS_DEFAULT
}

/**
 * Follows a column with the time of the last change, by asking again and again.
 *
 * A transaction sets the time when it begins, and its rows appear when it ends: rows with an
 * earlier time appear after rows with a later one. So each poll reads again what polls of the last
 * `overlap_seconds` have read, and passes on what is new in it.
 */
export async function* followUpdates(
  queries: UpdateQueries,
  follow: FollowUpdatedAt,
  start: UpdatesPosition,
  signal: AbortSignal,
): AsyncGenerator<SourceChanges> {
  const intervalMs = (follow.interval_seconds ?? INTERVAL_SECONDS_DEFAULT) * 1_000
  const updated = new Progress(start.updatedAt, overlapSecondsOf(follow) * 1_000)
  const deleted = new Progress(start.deletedAt, overlapSecondsOf(follow) * 1_000)
  let passedOn = ''
  let passedOnMs = performance.now()
  for (;;) {
    signal.throwIfAborted()
    const startMs = performance.now()
    const batch = new Batch()
    const position = (): string => {
      const place = { ...start, updatedAt: updated.settled, deletedAt: deleted.settled }
      return JSON.stringify(place)
    }
    for await (const { row, updatedAt } of queries.updatedRows(updated.begin(startMs), signal)) {
      if (!updated.isNew(row.kind === 'json' ? row.text : row.kind, updatedAt)) continue
      batch.add({ kind: 'put', row }, charsOf(row))
      if (batch.isFull) yield { changes: batch.take(), position: position() }
    }
    if (follow.tombstones !== undefined) {
      for await (const { id, deletedAt } of queries.deletedRows(deleted.begin(startMs), signal)) {
        if (!deleted.isNew(id, deletedAt)) continue
        batch.add({ kind: 'delete', id }, id.length)
        if (batch.isFull) yield { changes: batch.take(), position: position() }
      }
    }
    const changes = batch.take()
    // Also without changes, so that a reader that starts again does not read them again.
    const isQuiet = performance.now() - passedOnMs < ALIVE_MS
    if (changes.length > 0 || position() !== passedOn || !isQuiet) {
      passedOnMs = performance.now()
      passedOn = position()
      yield { changes, position: passedOn }
    }
    const waitMs = Math.max(0, intervalMs - (performance.now() - startMs))
    await delay(waitMs, undefined, { signal }).catch(() => signal.throwIfAborted())
  }
}

/** How far a column of times was read. */
class Progress {
  readonly #overlapMs: number
  #settled: string | null
  /** The latest time of each poll that is not settled, the oldest poll first. */
  #polls: { readonly startMs: number; latest: string }[] = []
  #startMs = 0
  #seen = new Set<string>()
  #seenBefore = new Set<string>()

  constructor(settled: string | null, overlapMs: number) {
    this.#settled = settled
    this.#overlapMs = overlapMs
  }

  /** Rows up to this time are not read again: a poll saw it longer ago than the overlap. */
  get settled(): string | null {
    return this.#settled
  }

  /** Begins a poll. @returns after which time it reads */
  begin(startMs: number): string | null {
    while (this.#polls.length > 0 && this.#polls[0]!.startMs <= startMs - this.#overlapMs) {
      this.#settled = this.#polls.shift()!.latest
    }
    this.#startMs = startMs
    this.#seenBefore = this.#seen
    this.#seen = new Set()
    return this.#settled
  }

  /** Whether the poll before this one did not have the row. */
  isNew(content: string, time: string): boolean {
    const last = this.#polls.at(-1)
    if (last?.startMs === this.#startMs) last.latest = time
    else this.#polls.push({ startMs: this.#startMs, latest: time })
    const key = hash('sha1', `${time} ${content}`, 'base64')
    if (this.#seen.size < REMEMBERED_ROWS_MAX) this.#seen.add(key)
    return !this.#seenBefore.has(key)
  }
}

/** Changes until they are passed on. */
class Batch {
  #changes: SourceChange[] = []
  #chars = 0

  get isFull(): boolean {
    return isFull(this.#changes.length, this.#chars)
  }

  add(change: SourceChange, chars: number): void {
    this.#changes.push(change)
    this.#chars += chars
  }

  take(): SourceChange[] {
    const changes = this.#changes
    this.#changes = []
    this.#chars = 0
    return changes
  }
}
