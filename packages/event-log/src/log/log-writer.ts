import type { TallyCount } from '../model/visitor-event.ts'
import { AppendError, DayFullError } from './append-errors.ts'
import { countDuplicate } from './duplicate-counts.ts'
import { ErasedVisitors } from './erased-visitors.ts'
import type { LogFile, LogFiles } from './log-files.ts'
import { MessageIds } from './message-ids.ts'
import {
  decodeRecord,
  eraseRecord,
  ID_OFFSET,
  placesOf,
  RECORD_HEAD_BYTES,
  recordBytesAt,
  RecordBatch,
} from './record.ts'
import {
  listSegments,
  readSegmentHead,
  scanRecords,
  SEGMENT_HEAD_BYTES,
  SEGMENT_MAX_BYTES,
  SEGMENT_RECORDS_MAX,
  segmentHead,
  segmentName,
  type SegmentFile,
} from './segment.ts'

const DAY_MS = 86_400_000

export interface LogWriterOptions {
  readonly files: LogFiles
  readonly now: () => number
  /** Called for torn tails and damaged ranges. */
  readonly onProblem?: (message: string) => void
  /** Runs work without interruption that is not part of a request. */
  readonly during?: <T>(work: () => T) => T
  readonly segmentRecordsMax?: number
}

/** Events of one request. */
export interface AppendBatch {
  /** Bytes of a RecordBatch. */
  readonly records: Uint8Array
  /** Events of the request that are acknowledged but not stored. */
  readonly counts?: readonly TallyCount[]
  /** Taken over from another log that has counted its duplicates. */
  readonly isCopy?: boolean
}

export interface Appended {
  /**
   * Indexes of the records of the batch whose message id was known, or whose visitor was erased.
   */
  readonly duplicates: readonly number[]
  /** The log is synced up to this position. */
  readonly end: number
}

interface Waiting {
  readonly duplicates: readonly number[]
  resolve(appended: Appended): void
  reject(error: Error): void
}

/**
 * The events of one store, in the order of acceptance: the source of everything derived from
 * events. One owner writes; any thread may read below `durableEnd` (log-reader.ts).
 *
 * Group commit: while one sync is in progress, arriving events are collected and written with the
 * next. Invariants: (1) an append resolves after a sync that covers it, also for duplicates: their
 * first event is then on disk; (2) bytes below `durableEnd` change only by erasing; (3) after a
 * failed write the log accepts nothing until it is reopened.
 */
export class LogWriter {
  readonly #options: LogWriterOptions
  readonly #files: LogFiles
  readonly #ids: MessageIds
  readonly #erased: ErasedVisitors
  #segment: SegmentFile | undefined
  #file: LogFile | undefined
  #segmentDay = 0
  /** Start positions of the segments of that day. */
  #dayStart = 0
  #segmentRecords = 0
  #lastReceivedMs = 0
  #durableEnd = 0
  #chunks: Uint8Array[] = []
  #chunkBytes = 0
  #chunkRecords = 0
  #chunkReceivedMs = 0
  #waiting: Waiting[] = []
  /** Work that must not overlap a write; runs between two writes. */
  readonly #tasks: (() => void)[] = []
  #running: Promise<void> | undefined
  #failure: AppendError | undefined

  /** Truncates a torn tail. Throws CorruptLogError for an unrecognizable file. */
  constructor(options: LogWriterOptions) {
    this.#options = options
    this.#files = options.files
    this.#ids = new MessageIds(options.files)
    this.#erased = new ErasedVisitors(options.files)
    const segments = listSegments(this.#files)
    const last = segments.at(-1)
    const newestMs = last === undefined ? 0 : readSegmentHead(this.#files, last).createdMs
    for (const [i, segment] of segments.entries()) {
      const next = segments[i + 1]
      if (next === undefined) this.#recover(segment)
      else this.#load(segment, next, newestMs)
    }
  }

  /** Position after the last synced byte. */
  get durableEnd(): number {
    return this.#durableEnd
  }

  /** The failed write or sync, if any. */
  get failure(): AppendError | undefined {
    return this.#failure
  }

  /**
   * Resolves when the batch is on disk; rejects with AppendError.
   *
   * @param dayMaxBytes daily limit of the log (UTC); rejects with DayFullError beyond it
   */
  append({ records, counts = [], isCopy }: AppendBatch, dayMaxBytes = Infinity): Promise<Appended> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure)
    const full = this.dayFull(records.length, dayMaxBytes)
    if (full !== undefined) return Promise.reject(full)
    const bytes = Buffer.from(records.buffer, records.byteOffset, records.byteLength)
    const tally = new Map<string, TallyCount>()
    for (const count of counts) tally.set(`${count.verdict} ${count.name}`, count)
    const duplicates = this.#stage(bytes, isCopy === true ? undefined : tally)
    if (tally.size > 0) this.#stageTally([...tally.values()])
    const done = new Promise<Appended>((resolve, reject) => {
      this.#waiting.push({ duplicates, resolve, reject })
    })
    this.#running ??= this.#run()
    return done
  }

  /** The error with which an append of this size would reject. */
  dayFull(bytes: number, dayMaxBytes: number): DayFullError | undefined {
    const nowMs = this.#options.now()
    const day = Math.floor(nowMs / DAY_MS)
    if (this.#bytesOfDay(day) + bytes <= dayMaxBytes) return undefined
    return new DayFullError((day + 1) * DAY_MS, nowMs)
  }

  /**
   * Each day starts a segment, so the bytes of a day are the distance of two positions, even right
   * after a restart.
   */
  #bytesOfDay(day: number): number {
    const isOfDay = this.#segment !== undefined && this.#segmentDay === day
    const written = isOfDay
      ? this.#segment!.start + (this.#file?.lengthBytes ?? 0) - this.#dayStart
      : 0
    return written + this.#chunkBytes
  }

  /** Waits for writes in progress and closes the file. */
  async close(): Promise<void> {
    await this.#running
    this.#file?.close()
    this.#file = undefined
    this.#failure ??= new AppendError('The event log is closed')
  }

  /**
   * Drops whole segments whose events all arrived before a time, including the current one: an
   * empty segment keeps its end position. @returns bytes freed
   */
  dropBefore(receivedMs: number): Promise<number> {
    return this.#between(() => this.#dropBefore(receivedMs))
  }

  /**
   * Erases the content of records: rewrites each of their segments in place, with zeros instead of
   * the payload. Positions and message ids stay.
   *
   * @param positions of records, ascending; others are ignored
   */
  erase(positions: readonly number[]): Promise<void> {
    return this.#between(() => this.#erase(positions))
  }

  /** Updates the erased visitors, whose earlier events are rejected. */
  bar(change: (erased: ErasedVisitors) => void): Promise<void> {
    return this.#between(() => change(this.#erased))
  }

  /** Runs work while no write is in progress. */
  #between<T>(work: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#tasks.push(() => {
        try {
          if (this.#failure !== undefined) throw this.#failure
          resolve(work())
        } catch (error) {
          reject(error)
        }
      })
      this.#running ??= this.#run()
    })
  }

  #dropBefore(receivedMs: number): number {
    const isEmpty = this.#file !== undefined && this.#segmentRecords === 0
    if (this.#lastReceivedMs < receivedMs && this.#segment !== undefined && !isEmpty) {
      this.#finishSegment()
      this.#startSegment(this.#options.now())
    }
    let freed = 0
    for (const segment of listSegments(this.#files).slice(0, -1)) {
      const { lastReceivedMs, end } = this.#survey(segment)
      if (lastReceivedMs >= receivedMs) break
      this.#files.remove(segment.name)
      this.#ids.forget(segment.start)
      freed += end - segment.start
    }
    return freed
  }

  #erase(positions: readonly number[]): void {
    const segments = listSegments(this.#files)
    for (const [i, segment] of segments.entries()) {
      const end = segments[i + 1]?.start ?? Infinity
      const here = positions.filter((position) => position >= segment.start && position < end)
      if (here.length === 0) continue
      if (segment.start === this.#segment?.start) this.#finishSegment()
      const bytes = this.#files.read(segment.name, 0, SEGMENT_READ_BYTES)
      for (const position of here) {
        const start = position - segment.start
        const lengthBytes = recordBytesAt(bytes, start, bytes.length)
        if (lengthBytes > 0) eraseRecord(bytes.subarray(start, start + lengthBytes))
      }
      this.#files.replace(segment.name, bytes)
    }
  }

  /** Returns what `append` would report as duplicates. Stores nothing. */
  known(records: Uint8Array): number[] {
    const bytes = Buffer.from(records.buffer, records.byteOffset, records.byteLength)
    return placesOf(bytes, (at, next) => {
      return this.#ids.has(bytes, at + ID_OFFSET) || this.isErased(bytes.subarray(at, next))
    })
  }

  /** Copies new records to the next write. @returns indexes of duplicates */
  #stage(bytes: Buffer, tally: Map<string, TallyCount> | undefined): number[] {
    const duplicates: number[] = []
    let place = 0
    let keptFrom = 0
    for (let at = 0; at < bytes.length; place++) {
      const next = at + RECORD_HEAD_BYTES + bytes.readUInt32LE(at)
      if (!this.isErased(bytes.subarray(at, next)) && this.#ids.stage(bytes, at + ID_OFFSET)) {
        this.#chunkRecords++
        this.#chunkReceivedMs = Math.max(
          this.#chunkReceivedMs,
          bytes.readDoubleLE(at + RECORD_HEAD_BYTES),
        )
      } else {
        duplicates.push(place)
        if (tally !== undefined) countDuplicate(bytes.subarray(at, next), tally)
        if (at > keptFrom) this.#chunks.push(bytes.subarray(keptFrom, at))
        keptFrom = next
      }
      at = next
    }
    if (bytes.length > keptFrom) this.#chunks.push(bytes.subarray(keptFrom))
    this.#chunkBytes += bytes.length
    return duplicates
  }

  /** Whether a record is from before its visitor was erased. */
  isErased(record: Buffer): boolean {
    if (this.#erased.size === 0) return false
    const entry = decodeRecord(record)
    return entry !== undefined && this.#erased.covers(entry)
  }

  #stageTally(counts: readonly TallyCount[]): void {
    const receivedMs = this.#options.now()
    const batch = new RecordBatch(256)
    batch.add({ kind: 'tally', receivedMs, counts })
    const record = batch.take()
    this.#chunks.push(record)
    this.#chunkBytes += record.length
    this.#chunkRecords++
    this.#chunkReceivedMs = Math.max(this.#chunkReceivedMs, receivedMs)
  }

  async #run(): Promise<void> {
    const { during = (work) => work() } = this.#options
    // Everything else that arrives in this turn of the event loop joins the first write.
    await new Promise((resolve) => setImmediate(resolve))
    while (this.#waiting.length > 0 || this.#tasks.length > 0) {
      for (const task of this.#tasks.splice(0)) during(task)
      const waiting = this.#waiting
      this.#waiting = []
      try {
        await during(() => this.#write())
      } catch (error) {
        this.#fail(error, waiting)
        break
      }
      for (const { duplicates, resolve } of waiting) resolve({ duplicates, end: this.#durableEnd })
    }
    this.#running = undefined
  }

  async #write(): Promise<void> {
    const chunks = this.#chunks
    if (chunks.length === 0) return
    const records = this.#chunkRecords
    const receivedMs = this.#chunkReceivedMs
    this.#chunks = []
    this.#chunkBytes = 0
    this.#chunkRecords = 0
    this.#chunkReceivedMs = 0
    const staged = this.#ids.takeStaged()
    const file = this.#fileFor(receivedMs)
    this.#ids.written(staged)
    file.append(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks))
    this.#segmentRecords += records
    this.#lastReceivedMs = Math.max(this.#lastReceivedMs, receivedMs)
    const end = this.#segment!.start + file.lengthBytes
    try {
      await file.sync()
    } catch (error) {
      throw new AppendError('Cannot sync the events to disk', { cause: error, isFinal: true })
    }
    this.#durableEnd = end
  }

  /** The file to write to: a new segment if the current one is large, or of an earlier day. */
  #fileFor(receivedMs: number): LogFile {
    const { segmentRecordsMax = SEGMENT_RECORDS_MAX } = this.#options
    const day = Math.floor(receivedMs / DAY_MS)
    if (
      this.#file !== undefined &&
      this.#segmentRecords > 0 &&
      (day > this.#segmentDay ||
        this.#file.lengthBytes >= SEGMENT_MAX_BYTES ||
        this.#segmentRecords >= segmentRecordsMax)
    ) {
      this.#finishSegment(Math.max(receivedMs, this.#lastReceivedMs))
    }
    if (this.#file === undefined) this.#startSegment(receivedMs)
    return this.#file!
  }

  #startSegment(receivedMs: number): void {
    const start = this.#durableEnd
    const name = segmentName(start)
    this.#files.create(name, segmentHead(start, receivedMs))
    this.#file = this.#files.open(name)
    this.#segment = { name, start }
    this.#noteDay(Math.floor(receivedMs / DAY_MS), start)
    this.#segmentRecords = 0
    this.#durableEnd = start + SEGMENT_HEAD_BYTES
  }

  #noteDay(day: number, start: number): void {
    if (day !== this.#segmentDay) this.#dayStart = start
    this.#segmentDay = day
  }

  #finishSegment(newestMs = this.#lastReceivedMs): void {
    if (this.#file === undefined || this.#segment === undefined) return
    this.#file.close()
    this.#file = undefined
    const segment = { ...this.#segment, end: this.#durableEnd }
    this.#ids.finish(segment, this.#lastReceivedMs, newestMs)
  }

  #fail(error: unknown, waiting: readonly Waiting[]): void {
    this.#failure =
      error instanceof AppendError
        ? error
        : new AppendError('Cannot write the events to disk', { cause: error })
    for (const { reject } of [...waiting, ...this.#waiting]) reject(this.#failure)
    this.#waiting = []
    this.#chunks = []
    this.#file?.close()
    this.#file = undefined
  }

  /** Opens the segment that was being written: keeps whole records, and continues after them. */
  #recover(segment: SegmentFile): void {
    const { createdMs } = readSegmentHead(this.#files, segment)
    const bytes = this.#files.read(segment.name, 0, SEGMENT_READ_BYTES)
    const { end, holes } = scanRecords(bytes, SEGMENT_HEAD_BYTES, (start, lengthBytes) => {
      this.#ids.loadRecord(bytes.subarray(start, start + lengthBytes))
      this.#segmentRecords++
      const receivedMs = bytes.readDoubleLE(start + RECORD_HEAD_BYTES)
      this.#lastReceivedMs = Math.max(this.#lastReceivedMs, receivedMs)
    })
    for (const { from, to } of holes) {
      this.#problem(`"${segment.name}" is damaged from byte ${from} to ${to}: skipped`)
    }
    if (end < bytes.length) {
      this.#problem(
        `"${segment.name}" has an incomplete end of ${bytes.length - end} bytes: truncated`,
      )
    }
    // Also makes durable what the previous process wrote and did not sync.
    this.#files.truncate(segment.name, end)
    this.#segment = segment
    this.#noteDay(Math.floor(createdMs / DAY_MS), segment.start)
    this.#durableEnd = segment.start + end
    this.#file = this.#files.open(segment.name)
  }

  #load(segment: SegmentFile, next: SegmentFile, newestMs: number): void {
    const own = readSegmentHead(this.#files, segment)
    this.#noteDay(Math.floor(own.createdMs / DAY_MS), segment.start)
    const { createdMs } = readSegmentHead(this.#files, next)
    const end = segment.start + this.#files.lengthOf(segment.name)
    this.#ids.load({ ...segment, end }, createdMs, newestMs)
  }

  #survey(segment: SegmentFile): { readonly lastReceivedMs: number; readonly end: number } {
    const bytes = this.#files.read(segment.name, 0, SEGMENT_READ_BYTES)
    let lastReceivedMs = 0
    scanRecords(bytes, SEGMENT_HEAD_BYTES, (start) => {
      lastReceivedMs = Math.max(lastReceivedMs, bytes.readDoubleLE(start + RECORD_HEAD_BYTES))
    })
    return { lastReceivedMs, end: segment.start + bytes.length }
  }

  #problem(message: string): void {
    this.#options.onProblem?.(message)
  }
}

/** A whole segment: the largest, and the last group added to it. */
const SEGMENT_READ_BYTES = 1024 * 1024 * 1024
