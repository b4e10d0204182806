import { rmSync } from 'node:fs'
import { LogFolder, messageIdHash, recordReader, splitRecords } from '@aisle/event-log'
import type { AppendBatch, ErasedIds, LogFiles, TallyCount } from '@aisle/event-log'
import { WEEK_MS, weekOf, weekStartMs } from '../opensearch/event-week.ts'
import type { ControlIndex } from '../opensearch/control-index.ts'
import type { EventIndex } from '../opensearch/event-index.ts'
import type { EventPlace } from '../opensearch/event-document.ts'
import type { LogKeeper } from '@aisle/server/ports'
import { clusterFailure } from '../control/cluster-failure.ts'
import { CopyState } from './copy-state.ts'
import { documentId, EventAppends, type NewRecord } from './event-appends.ts'
import { EventMirror, WEEK_SETTLED_MS } from './event-mirror.ts'
import { EventRemovals, type LogRemovals } from './event-removals.ts'
import { addedCounts, duplicateCounts, tallyRecord } from './event-tallies.ts'

const FOLLOW_MS = 500
const DAY_MS = 86_400_000
/** A store that is unknown after this time is gone. */
const GONE_AGE_MS = 3_600_000

export interface ClusterEventLogsOptions {
  readonly index: EventIndex
  readonly control: ControlIndex
  /** Of the copies of all logs. */
  readonly folder: string
  /** Says how far they have come. Not in that folder. */
  readonly stateFile: string
  readonly now: () => number
  readonly onProblem: (log: string | undefined, message: string) => void
  /**
   * Another node has removed events of a log, and they are gone from the copy: what was made of it
   * must follow. Resolves when it has.
   *
   * @param droppedBeforeMs nothing but what arrived before; absent: also events of visitors
   */
  readonly onRemoved: (log: string, droppedBeforeMs?: number) => Promise<void>
  readonly during?: <T>(log: string, work: () => T) => T
}

/**
 * The event logs of all stores, in the weekly indices of a cluster. An append is acknowledged when
 * they have it. Every node copies them into local logs, from which reports, suggestions and
 * popularity are derived as on a single machine: a cache, rebuilt when it is lost.
 */
export class ClusterEventLogs implements LogKeeper {
  readonly #options: ClusterEventLogsOptions
  readonly #copies: LogFolder
  readonly #state: CopyState
  readonly #mirror: EventMirror
  readonly #appends: EventAppends
  /** Present once it is open. */
  #removals!: EventRemovals
  /** Logs of which other nodes have removed something, to be done here. */
  readonly #removed = new Map<string, LogRemovals>()
  /** Duplicates that the cluster found, by log: counted with the next append. */
  readonly #uncounted = new Map<string, TallyCount[]>()
  /**
   * How long the store that keeps them longest keeps its events; nothing is known yet: for ever.
   */
  #keptMs = Infinity
  #timer: NodeJS.Timeout | undefined
  #isFailing = false
  #isClosed = false

  private constructor(options: ClusterEventLogsOptions) {
    this.#options = options
    const { index, folder, stateFile, now, onProblem, during } = options
    // What was copied without it being known how far.
    if (!CopyState.isThere(stateFile)) rmSync(folder, { recursive: true, force: true })
    this.#copies = new LogFolder({
      folder,
      now,
      onProblem,
      ...(during === undefined ? {} : { during }),
    })
    this.#state = new CopyState(stateFile)
    this.#mirror = new EventMirror({
      index,
      logs: this.#copies,
      state: this.#state,
      now,
      onProblem,
    })
    this.#appends = new EventAppends(index)
  }

  /** Follows the cluster from here on. @throws ClusterError */
  static async open(options: ClusterEventLogsOptions): Promise<ClusterEventLogs> {
    const logs = new ClusterEventLogs(options)
    logs.#removals = await EventRemovals.open(
      options.control,
      (log, removals) => logs.#removed.set(log, removals),
      (error) => logs.#noteFailure(error),
    )
    logs.#follow()
    return logs
  }

  async append(
    name: string,
    { records, counts = [] }: AppendBatch,
  ): Promise<{ readonly duplicates: readonly number[] }> {
    this.#copies.requireRoom(name, records.length)
    const split = splitRecords(records)
    const known = new Set(this.#copies.known(name, records))
    // In the same turn: what is copied from here on was written to a week that is open by this.
    const sent = split.flatMap(({ bytes, receivedMs, id }, place) => {
      const isWeekBeforeOpen = !this.#mirror.isSettled(weekOf(receivedMs) - 1)
      const record = { log: name, record: bytes, receivedMs, id, isWeekBeforeOpen }
      return known.has(place) ? [] : [{ place, record }]
    })
    const late = this.#uncounted.get(name) ?? []
    this.#uncounted.delete(name)
    const tally = addedCounts([...counts, ...duplicateCounts(split, known), ...late])
    const written = [...sent.map(({ record }) => record), ...this.#tallyOf(name, tally)]
    let isNew: readonly boolean[]
    try {
      isNew = await this.#appends.append(written)
    } catch (error) {
      this.#countLater(name, late)
      throw clusterFailure(error, 'take events')
    } finally {
      for (const { receivedMs } of written) this.#mirror.expect(weekOf(receivedMs))
    }
    const found = new Set(sent.flatMap(({ place }, at) => (isNew[at] === true ? [] : [place])))
    this.#countLater(name, duplicateCounts(split, found))
    return { duplicates: [...known, ...found].toSorted((a, b) => a - b) }
  }

  async known(name: string, records: Uint8Array): Promise<readonly number[]> {
    await this.#catchUp()
    return this.#copies.known(name, records)
  }

  async end(name: string): Promise<number> {
    await this.#catchUp()
    return this.#copies.end(name)
  }

  /** The copy of a log, to be read up to `end`. */
  files(name: string): LogFiles {
    return this.#copies.files(name)
  }

  ends(): ReadonlyMap<string, number> {
    return this.#copies.ends()
  }

  async bar(name: string, visitor: ErasedIds): Promise<void> {
    const removals = await this.#removals.erase(name, visitor, this.#options.now())
    // The caller removes the rest.
    this.#state.removals.set(name, markOf(removals))
    await this.#copies.takeErased(name, removals.erased)
  }

  async erase(name: string, positions: readonly number[]): Promise<void> {
    await this.#eraseFromCluster(name, positions)
    await this.#copies.erase(name, positions)
  }

  /** In whole days (UTC), so that the copies of all nodes agree. */
  async dropBefore(name: string, receivedMs: number): Promise<number> {
    const beforeMs = Math.floor(receivedMs / DAY_MS) * DAY_MS
    const removals = await this.#removals.dropBefore(name, beforeMs)
    if (removals !== undefined) {
      this.#state.removals.set(name, markOf(removals))
      // Expired events are removed soon with their whole week.
      const isOfAge = beforeMs <= this.#options.now() - this.#keptMs
      if (!isOfAge) await asked(this.#options.index.removeBefore(name, beforeMs))
    }
    return await this.#copies.dropBefore(name, beforeMs)
  }

  /**
   * Removes the logs of stores that are gone, weeks that no store keeps any more, and the bytes of
   * erased events.
   *
   * @param keptMs how long the store that keeps its events longest does so
   */
  async sweep(living: ReadonlyMap<string, number>, keptMs = Infinity): Promise<void> {
    // No store at all is more likely a mistake than a reason to remove everything.
    if (living.size === 0) return
    this.#keptMs = keptMs
    const { index, now } = this.#options
    const gone = this.#copies.names().filter((name) => {
      return !living.has(name) && Number(name.split('.').at(-1)) < now() - GONE_AGE_MS
    })
    for (const name of gone) await asked(index.removeBefore(name, Infinity))
    await this.#copies.sweep(living)
    for (const { week, removedCount } of await asked(index.states(await asked(index.weeks())))) {
      const endMs = weekStartMs(week) + WEEK_MS
      if (endMs < now() - keptMs) await asked(index.drop(week))
      else if (removedCount > 0) await asked(index.expunge(week))
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    this.#removals.close()
    await this.#appends.close()
    await this.#mirror.close()
    await this.#copies.close()
  }

  #catchUp(): Promise<void> {
    return this.#mirror.catchUp().catch((error: unknown) => {
      throw clusterFailure(error, 'read events')
    })
  }

  #follow(): void {
    this.#timer = setTimeout(() => {
      void this.#takeWhatIsNew()
        .then(
          () => {
            this.#isFailing = false
          },
          (error: unknown) => this.#noteFailure(error),
        )
        .then(() => {
          if (!this.#isClosed) this.#follow()
        })
    }, FOLLOW_MS).unref()
  }

  async #takeWhatIsNew(): Promise<void> {
    await this.#mirror.catchUp()
    for (const [log, removals] of this.#removed) {
      await this.#takeRemovals(log, removals)
      if (this.#removed.get(log) === removals) this.#removed.delete(log)
    }
  }

  /** What another node has removed. Done again when it was interrupted. */
  async #takeRemovals(log: string, removals: LogRemovals): Promise<void> {
    const mark = markOf(removals)
    const before = this.#state.removals.get(log) ?? NOTHING_REMOVED
    if (before === mark) return
    const isErasure = erasuresOf(before) !== erasuresOf(mark)
    await this.#mirror.between(async () => {
      await this.#copies.takeErased(log, removals.erased)
      const positions = await this.#copies.erasedPositions(log)
      await this.#eraseFromCluster(log, positions)
      await this.#copies.erase(log, positions)
      await this.#copies.dropBefore(log, removals.droppedBeforeMs)
    })
    await this.#options.onRemoved(log, isErasure ? undefined : removals.droppedBeforeMs)
    this.#state.removals.set(log, mark)
    this.#state.save()
  }

  async #eraseFromCluster(name: string, positions: readonly number[]): Promise<void> {
    const read = recordReader(this.#copies.files(name))
    const places = new Map<number, EventPlace[]>()
    for (const position of positions) {
      const entry = read(position)?.entry
      if (entry === undefined || entry.kind === 'tally') continue
      const place = { id: documentId(name, messageIdHash(entry.messageId)), log: name }
      const { receivedMs } = entry
      // Around the change of a week the same event may have come to both.
      const times = [receivedMs - WEEK_SETTLED_MS, receivedMs, receivedMs + WEEK_SETTLED_MS]
      for (const week of new Set(times.map(weekOf))) {
        places.set(week, [...(places.get(week) ?? []), place])
      }
    }
    for (const [week, ofWeek] of places) await asked(this.#options.index.remove(week, ofWeek))
  }

  #tallyOf(log: string, counts: readonly TallyCount[]): NewRecord[] {
    if (counts.length === 0) return []
    const receivedMs = this.#options.now()
    return [{ log, receivedMs, isWeekBeforeOpen: false, ...tallyRecord(counts, receivedMs) }]
  }

  #countLater(name: string, counts: readonly TallyCount[]): void {
    if (counts.length === 0) return
    this.#uncounted.set(name, addedCounts([...(this.#uncounted.get(name) ?? []), ...counts]))
  }

  #noteFailure(error: unknown): void {
    if (this.#isFailing || this.#isClosed) return
    this.#isFailing = true
    const why = error instanceof Error ? error.message : String(error)
    this.#options.onProblem(undefined, `The events of the cluster cannot be followed: ${why}`)
  }
}

/** Tells one state of the removals of a log from a later one: erasures, then what was dropped. */
function markOf({ erased, droppedBeforeMs }: LogRemovals): string {
  return `${erased.length}@${erased.at(-1)?.[1] ?? 0} ${droppedBeforeMs}`
}

const NOTHING_REMOVED = '0@0 0'

function erasuresOf(mark: string): string {
  return mark.slice(0, mark.indexOf(' '))
}

async function asked<T>(request: Promise<T>): Promise<T> {
  try {
    return await request
  } catch (error) {
    throw clusterFailure(error, 'change the event logs')
  }
}
