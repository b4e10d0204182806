import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import {
  ApiError,
  REPORT_BACKLOG_MAX_BYTES,
  REPORT_SHARED_TIMEOUT_MS,
  REPORT_TIMEOUT_MS,
  REPORTS_WAITING_MAX,
  REPORTS_WAITING_PER_STORE_MAX,
} from '@aisle/contract'
import { hasSegmentBefore, logStart } from '@aisle/event-log'
import type {
  ErasedIds,
  Journey,
  JourneyQuery,
  LogFiles,
  ReportCounts,
  ReportQuery,
  VisitorIds,
} from '@aisle/event-log'
import type { FairSteps } from '../../domain/turns/fair-steps.ts'
import { TurnQueue } from '../../domain/turns/turn-queue.ts'
import type { DroppedLog } from '../../ports/events/reports.ts'
import { diskReserve } from '../../ports/host/disk-room.ts'
import { UNWATCHED, type StoreWatch } from '../../ports/host/store-watch.ts'
import { readPage } from './activity-loader.ts'
import { ReportFile, UnusableReportsError } from './report-file.ts'
import { InterruptedError, type RunSteps } from './sql-session.ts'
import { countReport } from './report-queries.ts'
import { makeStaleSearches } from './stretch-searches.ts'
import { threadSteps } from './thread-steps.ts'
import { readJourney } from './visitor-journey.ts'

/** The methods of event logs that reports need. Logs are identified by name (`logNameOf`). */
export interface ReportedLogs {
  files(log: string): LogFiles
  /** Returns how far a log may be read. */
  end(log: string): number | Promise<number>
  /** Returns the same for all recently written logs. */
  ends(): ReadonlyMap<string, number> | Promise<ReadonlyMap<string, number>>
  /** Erases the content of the records at these positions, ascending. */
  erase(log: string, positions: readonly number[]): Promise<void>
  /** Makes a log refuse events of a visitor that happened before now. */
  bar(log: string, visitor: ErasedIds): Promise<void>
  /** Removes segments whose events all arrived before a time. @returns bytes freed */
  dropBefore(log: string, receivedMs: number): Promise<number>
}

export interface ReportDatabaseOptions {
  readonly folder: string
  readonly logs: ReportedLogs
  readonly memoryBytes: number
  /** Free disk space above the reserve; negative: nothing may grow. Absent: not checked. */
  readonly roomBytes?: () => number
  readonly now: () => number
  readonly onProblem: (log: string, message: string) => void
  readonly timeoutMs?: number
  readonly backlogMaxBytes?: number
  readonly watch?: StoreWatch
  /** How the stores share the thread. */
  readonly steps?: FairSteps
}

/**
 * Number of stores served concurrently, step by step, so that heavy reports of some leave capacity
 * for another. They share the memory.
 */
const LANES = 4
/** Idle time after which a file is closed. */
const IDLE_MS = 300_000
/** Maximum that a report may spill to disk when it exceeds its memory. */
const SPILL_MAX_BYTES = 2_000_000_000
const LOOK_MS = 100
/** A stretch may get late events for an hour (its margin), and a little for queues. */
const SETTLED_MS = 3_660_000

/** The message that DuckDB gives every session after the fatal error of one. */
const OTHERS_FATAL = /because of a previous fatal error/

interface OpenFile {
  readonly file: ReportFile
  lastUsedMs: number
}

/**
 * The reports of all stores in DuckDB. Runs one task at a time per store; the stores take turns,
 * and logs are read page by page.
 */
export class ReportDatabase {
  readonly #options: ReportDatabaseOptions
  #instance: DuckDBInstance | undefined
  readonly #open = new Map<string, OpenFile>()
  /** Watermarks of logs, also of those whose file was closed since. */
  readonly #watermarks = new Map<string, number>()
  readonly #queue = new TurnQueue({ lanes: LANES, perKey: 1 })
  readonly #steps: FairSteps
  #waitingCount = 0
  #isClosing = false

  constructor(options: ReportDatabaseOptions) {
    this.#options = options
    this.#steps = options.steps ?? threadSteps()
    mkdirSync(options.folder, { recursive: true })
    rmSync(this.#spillFolder, { recursive: true, force: true })
  }

  count(log: string, query: ReportQuery): Promise<ReportCounts> {
    return this.#ask(log, ({ session }) => countReport(session, query))
  }

  journey(log: string, query: JourneyQuery): Promise<Journey> {
    const files = this.#options.logs.files(log)
    return this.#ask(log, ({ session }) => readJourney(session, files, query))
  }

  /** Runs a query over everything that is now in the log. */
  async #ask<T>(log: string, work: (file: ReportFile) => Promise<T>): Promise<T> {
    if (
      this.#waitingCount >= REPORTS_WAITING_MAX ||
      this.#queue.lengthOf(log) >= REPORTS_WAITING_PER_STORE_MAX
    ) {
      throw new ApiError('unavailable', 'Too many reports are waiting', { retryAfterSeconds: 2 })
    }
    this.#waitingCount++
    try {
      return await this.#withFile(log, async (file) => {
        await this.#catchUp(log, file)
        await this.#limitSpill(file)
        return await this.#bounded(file, async () => {
          await makeStaleSearches(file.session)
          return await file.session.scratch(() => work(file))
        })
      })
    } finally {
      this.#waitingCount--
    }
  }

  /** Reads new records of a log. @returns whether there may be more */
  async advance(log: string, end: number): Promise<boolean> {
    if ((this.#watermarks.get(log) ?? -1) >= end) return false
    return await this.#withFile(log, async (file) => this.#readPage(log, file, end))
  }

  /** Reads new records of recently written logs, and prepares complete stretches. */
  async advanceAll(): Promise<void> {
    if (this.#isDiskFull) return
    const ends = await this.#options.logs.ends()
    // Starts all concurrently: the stores take turns, page by page.
    const outcomes = await Promise.allSettled(
      Array.from(ends, async ([log, end]) => {
        if (this.#watch.setAsideSeconds(log) === 0) await this.advanceTo(log, end)
      }),
    )
    const failed = outcomes.find((outcome) => outcome.status === 'rejected')
    if (failed !== undefined) throw failed.reason
  }

  async advanceTo(log: string, end: number): Promise<void> {
    if ((this.#watermarks.get(log) ?? -1) >= end) return
    while (!this.#isClosing && (await this.advance(log, end))) continue
    if (this.#isClosing) return
    await this.#withFile(log, async (file) =>
      this.#bounded(file, async () =>
        makeStaleSearches(file.session, this.#options.now() - SETTLED_MS),
      ),
    )
  }

  /** @returns records read */
  async rebuild(log: string): Promise<number> {
    if (this.#isDiskFull) throw diskReserve('rebuild the reports')
    await this.#queue.run(log, async () => {
      await this.#closeFile(log)
      ReportFile.remove(this.#pathOf(log))
      this.#watermarks.delete(log)
    })
    await this.advanceTo(log, await this.#options.logs.end(log))
    return await this.#withFile(log, async (file) => {
      await makeStaleSearches(file.session)
      return file.entries
    })
  }

  async erase(log: string, visitor: VisitorIds): Promise<number> {
    await this.advanceTo(log, await this.#options.logs.end(log))
    return await this.#withFile(log, async (file) => {
      await this.#readAll(log, file)
      // This comes first, so that later events are either among the records found below, or
      // refused.
      await this.#options.logs.bar(log, await file.idsOf(visitor))
      await this.#readAll(log, file)
      const positions = await file.recordsOf(visitor)
      if (positions.length === 0) return 0
      await file.invalidate()
      await this.#options.logs.erase(log, positions)
      await file.erase(positions)
      return positions.length
    })
  }

  async dropBefore(log: string, receivedMs: number): Promise<DroppedLog> {
    const { logs } = this.#options
    const bytesFreed = await logs.dropBefore(log, receivedMs)
    return await this.#withFile(log, async (file) => {
      if (await file.dropBefore(logStart(logs.files(log)))) await file.compact()
      await this.#readAll(log, file)
      const { oldest } = await file.session.row('SELECT min(received_ms) AS oldest FROM activity')
      return { bytesFreed, oldestReceivedMs: typeof oldest === 'number' ? oldest : undefined }
    })
  }

  /**
   * Calls `dropBefore` only if there are events that old, to spare the log.
   */
  async retain(log: string, receivedMs: number): Promise<void> {
    if (hasSegmentBefore(this.#options.logs.files(log), receivedMs)) {
      await this.dropBefore(log, receivedMs)
    }
  }

  /** Closes idle files, and removes those of deleted stores. */
  async sweep(living: ReadonlySet<string>): Promise<void> {
    const nowMs = this.#options.now()
    for (const [log, { lastUsedMs }] of this.#open) {
      if (living.has(log) && nowMs - lastUsedMs < IDLE_MS) continue
      await this.#queue.run(log, () => this.#closeFile(log))
    }
    for (const log of this.#watermarks.keys()) {
      if (living.has(log)) continue
      await this.#queue.run(log, async () => {
        await this.#closeFile(log)
        ReportFile.remove(this.#pathOf(log))
        this.#watermarks.delete(log)
      })
    }
  }

  async close(): Promise<void> {
    this.#isClosing = true
    for (const { file } of this.#open.values()) file.session.interrupt()
    await this.#queue.runAlone(() => this.#closeAll())
  }

  /** A report counts everything that arrived before it was requested. */
  async #catchUp(log: string, file: ReportFile): Promise<void> {
    const end = await this.#options.logs.end(log)
    const { backlogMaxBytes = REPORT_BACKLOG_MAX_BYTES } = this.#options
    if (end > file.watermark && this.#isDiskFull) throw diskReserve('bring the reports up to date')
    if (end - file.watermark > backlogMaxBytes) {
      // A repeated request finds more of it read, and reports any error then.
      this.advanceTo(log, end).catch(() => undefined)
      const share = Math.floor((file.watermark / end) * 100)
      throw new ApiError(
        'unavailable',
        `The reports are being built: ${share} % of the event log read so far`,
        { retryAfterSeconds: 5 },
      )
    }
    while (await this.#readPage(log, file, end)) continue
  }

  /** Reports that need more memory than they have may not fill the disk either. */
  async #limitSpill(file: ReportFile): Promise<void> {
    const bytes = Math.max(0, Math.min(SPILL_MAX_BYTES, this.#roomBytes))
    await file.session.run(`SET max_temp_directory_size = '${Math.floor(bytes / 1e6)}MB'`)
  }

  get #roomBytes(): number {
    return this.#options.roomBytes?.() ?? Infinity
  }

  /** Erasing continues regardless. */
  get #isDiskFull(): boolean {
    return this.#roomBytes < 0
  }

  async #readAll(log: string, file: ReportFile): Promise<void> {
    const end = await this.#options.logs.end(log)
    while (await this.#readPage(log, file, end)) continue
  }

  /** @returns whether there may be more */
  async #readPage(log: string, file: ReportFile, end: number): Promise<boolean> {
    if (file.watermark >= end) return false
    const files = this.#options.logs.files(log)
    const page = await readPage(files, file.watermark, end, this.#runSteps(log))
    if (page.next === file.watermark) return false
    if (page.skippedBytes > 0) {
      this.#options.onProblem(log, `${page.skippedBytes} bytes of the event log cannot be read`)
    }
    await file.load(page)
    this.#watermarks.set(log, file.watermark)
    return file.watermark < end
  }

  /**
   * Interrupts work that takes too long, sooner while a store without running work waits.
   */
  async #bounded<T>({ session }: ReportFile, work: () => Promise<T>): Promise<T> {
    const { timeoutMs = REPORT_TIMEOUT_MS } = this.#options
    const startMs = performance.now()
    const look = (): void => {
      const tookMs = performance.now() - startMs
      if (tookMs >= timeoutMs || (tookMs >= REPORT_SHARED_TIMEOUT_MS && this.#queue.isAnyLeftOut)) {
        session.interrupt()
      }
    }
    look()
    const looking = setInterval(look, LOOK_MS)
    try {
      return await work()
    } catch (error) {
      const isTooMuch = /^Out of Memory/i.test(messageOf(error))
      if (isTooMuch || error instanceof InterruptedError) {
        const why = isTooMuch ? 'too much memory' : 'too long'
        throw new ApiError('unavailable', `The report takes ${why}: ask for a shorter period`, {
          cause: error,
          retryAfterSeconds: 10,
        })
      }
      throw error
    } finally {
      clearInterval(looking)
      if (!this.#isClosing) session.resume()
    }
  }

  /** Opens the file; an unusable file is removed and rebuilt from the log. */
  async #withFile<T>(log: string, work: (file: ReportFile) => Promise<T>): Promise<T> {
    const setAsideSeconds = this.#watch.setAsideSeconds(log)
    if (setAsideSeconds > 0) {
      throw new ApiError('unavailable', 'Reports of this store are suspended after a failure', {
        retryAfterSeconds: setAsideSeconds,
      })
    }
    try {
      return await this.#queue.run(log, async () => {
        // Work that waited for its turn must not reopen files, because the thread is about to end.
        if (this.#isClosing) throw new ApiError('unavailable', 'The service is stopping')
        using _ = this.#steps.expect(log)
        return await work(await this.#file(log))
      })
    } catch (error) {
      if (error instanceof ApiError || this.#isClosing) throw error
      await this.#queue.runAlone(() => this.#startOver(log, messageOf(error)))
      throw new ApiError('unavailable', 'The reports are damaged and are being rebuilt', {
        cause: error,
        retryAfterSeconds: 5,
      })
    }
  }

  /**
   * A fatal error breaks the whole instance and the running work of other stores, but their files
   * are good.
   */
  async #startOver(log: string, why: string): Promise<void> {
    await this.#closeAll()
    if (OTHERS_FATAL.test(why)) return
    this.#options.onProblem(log, `Rebuilding the reports: ${why}`)
    ReportFile.remove(this.#pathOf(log))
    this.#watermarks.delete(log)
  }

  async #file(log: string): Promise<ReportFile> {
    const lastUsedMs = this.#options.now()
    const open = this.#open.get(log)
    if (open !== undefined) {
      open.lastUsedMs = lastUsedMs
      return open.file
    }
    const path = this.#pathOf(log)
    let file: ReportFile
    try {
      file = await this.#opened(log, path)
    } catch (error) {
      if (!(error instanceof UnusableReportsError)) throw error
      this.#options.onProblem(log, `Rebuilding the reports: ${error.message}`)
      ReportFile.remove(path)
      file = await ReportFile.open(await this.#duckdb(), path, this.#runSteps(log))
    }
    this.#open.set(log, { file, lastUsedMs })
    this.#watermarks.set(log, file.watermark)
    return file
  }

  async #opened(log: string, path: string): Promise<ReportFile> {
    const file = await ReportFile.open(await this.#duckdb(), path, this.#runSteps(log))
    const end = await this.#options.logs.end(log)
    if (file.watermark > end) {
      await file.close()
      throw new UnusableReportsError('they belong to another event log')
    }
    if (await file.dropBefore(logStart(this.#options.logs.files(log)))) await file.compact()
    return file
  }

  async #closeFile(log: string): Promise<void> {
    const open = this.#open.get(log)
    this.#open.delete(log)
    await open?.file.close()
  }

  async #closeAll(): Promise<void> {
    const files = [...this.#open.values()]
    this.#open.clear()
    for (const { file } of files) await file.close().catch(() => undefined)
    this.#instance?.closeSync()
    this.#instance = undefined
  }

  async #duckdb(): Promise<DuckDBInstance> {
    this.#instance ??= await DuckDBInstance.create(':memory:', {
      threads: '1',
      memory_limit: `${Math.floor(this.#options.memoryBytes / 1e6)}MB`,
      temp_directory: this.#spillFolder,
      max_temp_directory_size: `${SPILL_MAX_BYTES / 1e6}MB`,
      // DuckDB must not download anything.
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
    })
    return this.#instance
  }

  #pathOf(log: string): string {
    return join(this.#options.folder, `${log}.duckdb`)
  }

  #runSteps(log: string): RunSteps {
    return (step) => this.#steps.run(log, () => this.#watch.during(log, step))
  }

  get #watch(): StoreWatch {
    return this.#options.watch ?? UNWATCHED
  }

  get #spillFolder(): string {
    return join(this.#options.folder, 'spill')
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
