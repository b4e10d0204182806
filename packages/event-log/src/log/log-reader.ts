import type { LogEntry } from '../model/visitor-event.ts'
import type { LogFiles } from './log-files.ts'
import { decodeRecord, RECORD_BODY_MAX_BYTES, RECORD_HEAD_BYTES, recordBytesAt } from './record.ts'
import { listSegments, readSegmentHead, scanRecords, SEGMENT_HEAD_BYTES } from './segment.ts'

const READ_BYTES = 1024 * 1024
const DAY_MS = 86_400_000

export interface LogRecord {
  /** Position of its first byte. */
  readonly position: number
  readonly entry: LogEntry
}

export interface LogPage {
  readonly records: readonly LogRecord[]
  /**
   * The watermark to continue from; store it in the same transaction as the results of the records.
   * It equals the `from` of the call if there is nothing new.
   */
  readonly next: number
  /** Bytes skipped because they are damaged or were removed by retention. */
  readonly skippedBytes: number
}

/**
 * Reads a store's log from a position: `from` is 0 for everything, or the `next` of an earlier
 * page. Reading a range twice gives the same records, except for erased ones.
 *
 *     for (let at = watermark; ;) {
 *       const page = readLog(files, at, end)      // end: what the owner of the log says is on disk
 *       if (page.next === at) break
 *       transaction(() => { apply(page.records); keep(page.next) })
 *       at = page.next
 *     }
 *
 * Any thread or process may call it while the owner writes, if `end` is not beyond what the owner
 * has synced: later bytes may be lost and replaced by others.
 *
 * @param end exclusive
 * @param maxBytes approximate size of a page; at least one record
 */
export function readLog(
  files: LogFiles,
  from: number,
  end: number,
  maxBytes: number = READ_BYTES,
): LogPage {
  const segments = listSegments(files)
  let skippedBytes = 0
  for (const [i, segment] of segments.entries()) {
    const fileEnd = segment.start + files.lengthOf(segment.name)
    const segmentEnd = Math.min(end, segments[i + 1]?.start ?? fileEnd)
    if (segmentEnd <= from || segment.start >= end) continue
    readSegmentHead(files, segment)
    const first = segment.start + SEGMENT_HEAD_BYTES
    const at = Math.max(from, first)
    if (from < segment.start) skippedBytes += segment.start - from
    if (at >= segmentEnd) continue

    const wanted = Math.max(maxBytes, RECORD_HEAD_BYTES + RECORD_BODY_MAX_BYTES)
    // A file that ends before the next one begins has lost its tail.
    const rest = Math.max(0, Math.min(segmentEnd, fileEnd) - at)
    let bytes = files.read(segment.name, at - segment.start, Math.min(wanted, rest))
    let page = decodePage(bytes, at)
    if (page.end === at && bytes.length < rest) {
      // A hole larger than a page: search for the next whole record after it.
      bytes = files.read(segment.name, at - segment.start, rest)
      page = decodePage(bytes, at)
    }
    const isLast = bytes.length >= rest
    const tailBytes = segmentEnd - page.end
    return {
      records: page.records,
      // No whole record is left in this segment: the rest is damaged.
      next: isLast ? segmentEnd : page.end,
      skippedBytes: skippedBytes + page.holeBytes + (isLast ? tailBytes : 0),
    }
  }
  return { records: [], next: Math.max(from, Math.min(end, logEnd(files))), skippedBytes }
}

/**
 * Reads single records of a log by position.
 *
 * @returns undefined for a record that was erased, damaged, or removed by retention
 */
export function recordReader(
  files: LogFiles,
): (position: number) => { readonly entry: LogEntry; readonly lengthBytes: number } | undefined {
  const segments = listSegments(files)
  return (position) => {
    const segment = segments.findLast(({ start }) => start <= position)
    if (segment === undefined) return undefined
    const at = position - segment.start
    try {
      const head = files.read(segment.name, at, RECORD_HEAD_BYTES)
      if (head.length < RECORD_HEAD_BYTES) return undefined
      const bodyBytes = Math.min(head.readUInt32LE(0), RECORD_BODY_MAX_BYTES)
      const bytes = files.read(segment.name, at, RECORD_HEAD_BYTES + bodyBytes)
      const lengthBytes = recordBytesAt(bytes, 0, bytes.length)
      const entry = lengthBytes === 0 ? undefined : decodeRecord(bytes)
      return entry === undefined ? undefined : { entry, lengthBytes }
    } catch (error) {
      // Retention may delete the file at any time.
      if (files.list().includes(segment.name)) throw error
      return undefined
    }
  }
}

/** Position of the oldest existing segment; 0 for an empty log. */
export function logStart(files: LogFiles): number {
  return listSegments(files)[0]?.start ?? 0
}

/**
 * Whether all events of the oldest segment arrived before a time: a segment holds one day (UTC) at
 * most.
 */
export function hasSegmentBefore(files: LogFiles, receivedMs: number): boolean {
  const [first, second] = listSegments(files)
  if (first === undefined) return false
  if (second !== undefined) return readSegmentHead(files, second).createdMs < receivedMs
  if (files.lengthOf(first.name) <= SEGMENT_HEAD_BYTES) return false
  const { createdMs } = readSegmentHead(files, first)
  return (Math.floor(createdMs / DAY_MS) + 1) * DAY_MS <= receivedMs
}

/** Position after the last byte of the files; the last bytes may not be on disk yet. */
export function logEnd(files: LogFiles): number {
  const last = listSegments(files).at(-1)
  return last === undefined ? 0 : last.start + files.lengthOf(last.name)
}

function decodePage(
  bytes: Buffer,
  at: number,
): { readonly records: LogRecord[]; readonly end: number; readonly holeBytes: number } {
  const records: LogRecord[] = []
  let whole = false
  const { end, holes } = scanRecords(bytes, 0, (start, lengthBytes) => {
    whole = true
    const entry = decodeRecord(bytes.subarray(start, start + lengthBytes))
    if (entry !== undefined) records.push({ position: at + start, entry })
  })
  return {
    records,
    end: at + (whole ? end : 0),
    holeBytes: holes.reduce((sum, { from, to }) => sum + to - from, 0),
  }
}
