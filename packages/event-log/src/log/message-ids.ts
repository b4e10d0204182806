import { MESSAGE_ID_WINDOW_DAYS } from '@aisle/contract'
import { DamagedRunError, idRunName, IdRun } from './id-run.ts'
import { IdTable } from './id-table.ts'
import type { LogFiles } from './log-files.ts'
import { hasId, ID_OFFSET, RECORD_HEAD_BYTES } from './record.ts'
import { scanRecords, SEGMENT_HEAD_BYTES, type SegmentFile } from './segment.ts'

const WINDOW_MS = MESSAGE_ID_WINDOW_DAYS * 86_400_000

export interface FinishedSegment extends SegmentFile {
  /** Position after its last byte. */
  readonly end: number
}

/**
 * The message ids that a store has seen: those of the segment being written in a table, those of
 * finished segments in runs, for the duration of the window. The window ends with the newest event,
 * not with the clock, so that a later copy knows the same ids. Everything is derived from the log.
 * Memory: up to 14 MB for the table, and 1.8 bytes per id of the window.
 *
 * Ids of unwritten records are kept separately (`staged`): a run must never know an id whose record
 * is not in its segment, or an event that was lost in a crash would be refused when it is sent
 * again.
 */
export class MessageIds {
  readonly #files: LogFiles
  #table = new IdTable()
  #staged = new IdTable()
  #runs: { readonly segment: FinishedSegment; run: IdRun }[] = []

  constructor(files: LogFiles) {
    this.#files = files
  }

  /**
   * A segment that was finished before the last start. Rebuilds its run if necessary.
   *
   * @param finishedMs when the next segment was started
   * @param newestMs when the last segment was
   */
  load(segment: FinishedSegment, finishedMs: number, newestMs: number): void {
    if (!isWithinWindow(finishedMs, newestMs)) return
    const name = idRunName(segment.start)
    const known = IdRun.open(this.#files, name, segment.end)
    const run = known ?? this.#rebuild(segment)
    if (isWithinWindow(run.lastReceivedMs, newestMs)) this.#runs.push({ segment, run })
    else this.#files.remove(name)
  }

  /** A record of the segment that is being written. */
  loadRecord(record: Buffer): void {
    if (hasId(record, 0)) this.#table.add(record, ID_OFFSET)
  }

  /** @returns whether the id at `offset` is new; it is then staged */
  stage(bytes: Buffer, offset: number): boolean {
    return !this.#isWritten(bytes, offset) && this.#staged.add(bytes, offset)
  }

  /** Whether the id at `offset` is known, so that it would not be staged. */
  has(bytes: Buffer, offset: number): boolean {
    return this.#isWritten(bytes, offset) || this.#staged.has(bytes, offset)
  }

  #isWritten(bytes: Buffer, offset: number): boolean {
    if (this.#table.has(bytes, offset)) return true
    for (const known of this.#runs) {
      try {
        if (known.run.has(bytes, offset)) return true
      } catch (error) {
        if (!(error instanceof DamagedRunError)) throw error
        known.run = this.#rebuild(known.segment)
        if (known.run.has(bytes, offset)) return true
      }
    }
    return false
  }

  /** Ids staged since the last call are about to be written to the current segment. */
  takeStaged(): IdTable {
    const staged = this.#staged
    if (staged.count > 0) this.#staged = new IdTable()
    return staged
  }

  written(staged: IdTable): void {
    this.#table.addAll(staged)
  }

  /** The current segment is finished: turns its ids into a run. Drops runs outside the window. */
  finish(segment: FinishedSegment, lastReceivedMs: number, newestMs: number): void {
    const run = IdRun.create(this.#files, idRunName(segment.start), this.#table.words(), {
      end: segment.end,
      lastReceivedMs,
    })
    this.#table = new IdTable()
    this.#runs.push({ segment, run })
    this.#expire(newestMs)
  }

  #expire(newestMs: number): void {
    this.#runs = this.#runs.filter(({ segment, run }) => {
      if (isWithinWindow(run.lastReceivedMs, newestMs)) return true
      this.#files.remove(idRunName(segment.start))
      return false
    })
  }

  /** The segment was removed, and its ids with it. */
  forget(start: number): void {
    this.#runs = this.#runs.filter(({ segment }) => segment.start !== start)
    this.#files.remove(idRunName(start))
  }

  #rebuild(segment: FinishedSegment): IdRun {
    const table = new IdTable()
    let lastReceivedMs = 0
    const bytes = this.#files.read(segment.name, 0, segment.end - segment.start)
    scanRecords(bytes, SEGMENT_HEAD_BYTES, (start) => {
      lastReceivedMs = Math.max(lastReceivedMs, bytes.readDoubleLE(start + RECORD_HEAD_BYTES))
      if (hasId(bytes, start)) table.add(bytes, start + ID_OFFSET)
    })
    const { end } = segment
    return IdRun.create(this.#files, idRunName(segment.start), table.words(), {
      end,
      lastReceivedMs,
    })
  }
}

function isWithinWindow(receivedMs: number, newestMs: number): boolean {
  return receivedMs >= newestMs - WINDOW_MS
}
