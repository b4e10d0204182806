import { EVENT_BYTES_PER_DAY_DEFAULT } from '@aisle/contract'
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ErasedVisitors, type ErasedHashes, type ErasedIds } from './erased-visitors.ts'
import { DiskLogFiles } from './log-files.ts'
import { logEnd, readLog } from './log-reader.ts'
import { AppendError } from './append-errors.ts'
import { LogWriter, type AppendBatch, type Appended } from './log-writer.ts'

/** A log without events for this time is closed to free its memory; the next event reopens it. */
const IDLE_MS = 600_000
/** Younger folders may belong to a store that is not yet in the list of stores. */
const SWEEP_AGE_MS = 60_000

export interface LogFolderOptions {
  /** Folder of all logs. */
  readonly folder: string
  readonly now: () => number
  readonly onProblem: (log: string, message: string) => void
  /** Runs work for a log without interruption; the watchdog of the thread learns for which log. */
  readonly during?: <T>(log: string, work: () => T) => T
}

interface OpenLog {
  readonly log: LogWriter
  lastUsedMs: number
}

/**
 * The name of the folder of a store's log. A store that is deleted and recreated under the same id
 * gets another folder, and does not see the earlier events.
 */
export function logNameOf(store: { readonly storeId: string; readonly createdAt: string }): string {
  let name = names.get(store)
  if (name === undefined) {
    name = `${store.storeId}.${Date.parse(store.createdAt)}`
    names.set(store, name)
  }
  return name
}

/** Cached, because every search needs it; store objects live long. */
const names = new WeakMap<object, string>()

/** The logs of all stores, opened on demand. One owner: one thread of one process. */
export class LogFolder {
  readonly #options: LogFolderOptions
  readonly #open = new Map<string, OpenLog>()
  /** Daily limits of the logs, as of the last sweep. */
  #dayMaxBytes: ReadonlyMap<string, number> = new Map()

  constructor(options: LogFolderOptions) {
    this.#options = options
    mkdirSync(options.folder, { recursive: true })
  }

  /** Resolves when the batch is on disk; rejects with AppendError or DayFullError. */
  async append(name: string, batch: AppendBatch): Promise<Appended> {
    const log = this.#log(name)
    try {
      return await log.append(batch, this.#dayMaxBytes.get(name) ?? EVENT_BYTES_PER_DAY_DEFAULT)
    } catch (error) {
      // Disk space may become free: reopening finds out. A failed sync is permanent.
      if (log.failure?.isFinal === false && this.#open.get(name)?.log === log) {
        this.#open.delete(name)
      }
      throw error
    }
  }

  /** Throws DayFullError if the bytes would exceed the daily limit of the log. */
  requireRoom(name: string, bytes: number): void {
    const dayMaxBytes = this.#dayMaxBytes.get(name) ?? EVENT_BYTES_PER_DAY_DEFAULT
    const full = this.#log(name).dayFull(bytes, dayMaxBytes)
    if (full !== undefined) throw full
  }

  /** Takes over events that another log accepted. Their ids count, as in an append. */
  async copy(name: string, records: Uint8Array): Promise<void> {
    await this.#log(name).append({ records, isCopy: true })
  }

  /** @see LogWriter.known */
  known(name: string, records: Uint8Array): number[] {
    return this.#log(name).known(records)
  }

  /** The end of the readable part of a log. */
  end(name: string): number {
    const open = this.#open.get(name)
    if (open !== undefined) return open.log.durableEnd
    if (logEnd(this.files(name)) === 0) return 0
    return this.#log(name).durableEnd
  }

  /** All existing logs. */
  names(): string[] {
    return readdirSync(this.#options.folder)
  }

  files(name: string): DiskLogFiles {
    return new DiskLogFiles(join(this.#options.folder, name))
  }

  /** All open logs: those with recent writes. */
  ends(): Map<string, number> {
    return new Map([...this.#open].map(([name, { log }]) => [name, log.durableEnd]))
  }

  /** @see LogWriter.erase */
  async erase(name: string, positions: readonly number[]): Promise<void> {
    if (positions.length > 0) await this.#log(name).erase(positions)
  }

  /** Makes the log reject events of a visitor from before this moment. */
  async bar(name: string, visitor: ErasedIds): Promise<void> {
    await this.#log(name).bar((erased) => erased.add(visitor, this.#options.now()))
  }

  /** Merges the erasures of another log. Existing ones stay. */
  async takeErased(name: string, visitors: ErasedHashes): Promise<void> {
    await this.#log(name).bar((erased) => erased.replace(visitors))
  }

  /** Positions of events of erased visitors, for `erase`. */
  async erasedPositions(name: string): Promise<number[]> {
    const files = this.files(name)
    const erased = new ErasedVisitors(files)
    const { durableEnd } = this.#log(name)
    const positions: number[] = []
    for (let from = 0; ;) {
      const { records, next } = readLog(files, from, durableEnd)
      for (const { position, entry } of records) if (erased.covers(entry)) positions.push(position)
      if (next === from) return positions
      from = next
      // A log may be long, and other work waits.
      await new Promise((resolve) => setImmediate(resolve))
    }
  }

  /** @see LogWriter.isErased */
  isErased(name: string, record: Buffer): boolean {
    return this.#log(name).isErased(record)
  }

  /** @see LogWriter.dropBefore */
  async dropBefore(name: string, receivedMs: number): Promise<number> {
    return logEnd(this.files(name)) === 0 ? 0 : await this.#log(name).dropBefore(receivedMs)
  }

  /**
   * Closes idle logs, and removes those of deleted stores.
   *
   * @param living daily limit of each log, in bytes
   */
  async sweep(living: ReadonlyMap<string, number>): Promise<void> {
    this.#dayMaxBytes = living
    const nowMs = this.#options.now()
    for (const [name, { log, lastUsedMs }] of this.#open) {
      if (nowMs - lastUsedMs < IDLE_MS && living.has(name)) continue
      if (log.failure?.isFinal === true && living.has(name)) continue
      if (!living.has(name) && isYoung(name, nowMs)) continue
      this.#open.delete(name)
      await log.close()
    }
    for (const name of this.names()) {
      if (living.has(name) || this.#open.has(name) || isYoung(name, nowMs)) continue
      rmSync(join(this.#options.folder, name), { recursive: true, force: true })
    }
  }

  async close(): Promise<void> {
    const logs = [...this.#open.values()].map(({ log }) => log.close())
    this.#open.clear()
    await Promise.all(logs)
  }

  #log(name: string): LogWriter {
    const { during } = this.#options
    const nowMs = this.#options.now()
    let open = this.#open.get(name)
    if (open === undefined) {
      try {
        const log = new LogWriter({
          files: this.files(name),
          now: this.#options.now,
          onProblem: (message) => this.#options.onProblem(name, message),
          ...(during === undefined ? {} : { during: (work) => during(name, work) }),
        })
        open = { log, lastUsedMs: nowMs }
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error)
        this.#options.onProblem(name, `The event log cannot be opened: ${message}`)
        throw new AppendError('The event log cannot be opened', { cause: error })
      }
      this.#open.set(name, open)
    }
    open.lastUsedMs = nowMs
    return open.log
  }
}

/** Compares the time in the name of a log; a folder without one belongs to no store. */
function isYoung(name: string, nowMs: number): boolean {
  const createdMs = Number(name.slice(name.lastIndexOf('.') + 1))
  return createdMs > nowMs - SWEEP_AGE_MS
}
