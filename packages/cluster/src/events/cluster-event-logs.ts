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
/** A store that is still unknown after this time has been deleted. */
const GONE_AGE_MS = 3_600_000

export interface ClusterEventLogsOptions {
  readonly index: EventIndex
  readonly control: ControlIndex
  /** Folder of the copies of all logs. */
  readonly folder: string
  /** File with the progress of the copies. It is not in that folder. */
  readonly stateFile: string
  readonly now: () => number
  readonly onProblem: (log: string | undefined, message: string) => void
  /**
   * Called when another node has removed events of a log and the copy no longer has them, so that
   * derived data can follow. Resolves when it has.
   *
   * @param droppedBeforeMs set if only events that arrived before this time were removed; absent:
   * also events of visitors
   */
  readonly onRemoved: (log: string, droppedBeforeMs?: number) => Promise<void>
  readonly during?: <T>(log: string, work: () => T) => T
}

/**
 * The event logs of all stores, in the weekly indices of a cluster. An append is acknowledged once
 * the cluster has it. Every node copies the events into local logs, from which reports, suggestions
 * and popularity are derived as on a single machine. The copies are a cache: a lost one is rebuilt.
 */
export class ClusterEventLogs implements LogKeeper {
  readonly #options: ClusterEventLogsOptions
  readonly #copies: LogFolder
  readonly #state: CopyState
  readonly #mirror: EventMirror
  readonly #appends: EventAppends
  /** Set when opened. */
  #removals!: EventRemovals
  /** Removals of other nodes that must still be applied here, by log. */
  readonly #removed = new Map<string, LogRemovals>()
  /** Duplicates that the cluster found, by log: counted with the next append. */
  readonly #uncounted = new Map<string, TallyCount[]>()
  /** The longest retention among all stores; infinite until it is known. */
  #keptMs = Infinity
  #timer: NodeJS.Timeout | undefined
  #isFailing = false
  #isClosed = false

  private constructor(options: ClusterEventLogsOptions) {
    this.#options = options
    const { index, folder, stateFile, now, onProblem, during } = options
    // Without the state file, the progress of the copies is unknown.
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

  /**
   * Opens the logs and follows the cluster.
   * @throws ClusterError
   */
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
    // This runs in the same turn, so that anything copied later was written to a week that is
    // already open.
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
      throw clusterFailure(error, 'accept events')
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

  /** The copy of a log; read it up to `end`. */
  files(name: string): LogFiles {
    return this.#copies.files(name)
  }

  ends(): ReadonlyMap<string, number> {
    return this.#copies.ends()
  }

  async bar(name: string, visitor: ErasedIds): Promise<void> {
    const removals = await this.#removals.erase(name, visitor, this.#options.now())
    // The caller applies the rest of the removal.
    this.#state.removals.set(name, markOf(removals))
    await this.#copies.takeErased(name, removals.erased)
  }

  async erase(name: string, positions: readonly number[]): Promise<void> {
    await this.#eraseFromCluster(name, positions)
    await this.#copies.erase(name, positions)
  }

  /** Drops whole days (UTC), so that the copies of all nodes agree. */
  async dropBefore(name: string, receivedMs: number): Promise<number> {
    const beforeMs = Math.floor(receivedMs / DAY_MS) * DAY_MS
    const removals = await this.#removals.dropBefore(name, beforeMs)
    if (removals !== undefined) {
      this.#state.removals.set(name, markOf(removals))
      // Expired events are soon removed with their whole week.
      const isOfAge = beforeMs <= this.#options.now() - this.#keptMs
      if (!isOfAge) await asked(this.#options.index.removeBefore(name, beforeMs))
    }
    return await this.#copies.dropBefore(name, beforeMs)
  }

  /**
   * Removes the logs of deleted stores, weeks that no store keeps any more, and the bytes of erased
   * events.
   *
   * @param keptMs the longest retention among the stores
   */
  async sweep(living: ReadonlyMap<string, number>, keptMs = Infinity): Promise<void> {
    // An empty list of stores is more likely a mistake than a reason to remove everything.
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

  /** Applies the removals of another node. An interrupted run is repeated. */
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
      // Around the end of a week, the same event may have been written to both weeks.
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
    this.#options.onProblem(undefined, `Cannot follow the events of the cluster: ${why}`)
  }
}

/** Identifies a state of the removals of a log: erasures, then what was dropped. */
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
