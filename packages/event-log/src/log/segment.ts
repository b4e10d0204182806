import { crc32 } from 'node:zlib'
import type { LogFiles } from './log-files.ts'
import { recordBytesAt } from './record.ts'

/**
 * The log of a store is one long sequence of bytes, cut into segment files. A position is an offset
 * in that sequence: the segment that starts at position p is the file `log-<p>.aev`, and its byte b
 * has the position p + b. So a position is one number, never changes, and grows with time.
 *
 * A segment starts with a header of 32 bytes: magic "AEVL", version:u32, start:f64, createdMs:f64,
 * zero:u32, crc32:u32 of the 28 bytes before. Records follow.
 */
export const SEGMENT_HEAD_BYTES = 32
export const SEGMENT_MAX_BYTES = 64 * 1024 * 1024
export const SEGMENT_RECORDS_MAX = 262_144
const MAGIC = 0x4c56_4541
const VERSION = 1
const NAME = /^log-(\d{16})\.aev$/

/** The file is of another kind or a newer version, or its header is damaged. */
class CorruptLogError extends Error {
  override readonly name = 'CorruptLogError'
}

export interface SegmentFile {
  readonly name: string
  /** Position of its first byte. */
  readonly start: number
}

export function segmentName(start: number): string {
  return `log-${String(start).padStart(16, '0')}.aev`
}

/** The segments of a log, oldest first. */
export function listSegments(files: LogFiles): SegmentFile[] {
  return files
    .list()
    .flatMap((name) => {
      const match = NAME.exec(name)
      return match === null ? [] : [{ name, start: Number(match[1]) }]
    })
    .toSorted((a, b) => a.start - b.start)
}

export function segmentHead(start: number, createdMs: number): Buffer {
  const head = Buffer.alloc(SEGMENT_HEAD_BYTES)
  head.writeUInt32LE(MAGIC, 0)
  head.writeUInt32LE(VERSION, 4)
  head.writeDoubleLE(start, 8)
  head.writeDoubleLE(createdMs, 16)
  head.writeUInt32LE(crc32(head.subarray(0, 28)), 28)
  return head
}

/** @throws CorruptLogError */
export function readSegmentHead(
  files: LogFiles,
  segment: SegmentFile,
): { readonly createdMs: number } {
  const head = files.read(segment.name, 0, SEGMENT_HEAD_BYTES)
  if (head.length < SEGMENT_HEAD_BYTES || head.readUInt32LE(0) !== MAGIC) {
    throw new CorruptLogError(`"${segment.name}" is not a segment of an event log`)
  }
  if (head.readUInt32LE(4) !== VERSION) {
    throw new CorruptLogError(`"${segment.name}" has a version that this service does not read`)
  }
  if (
    head.readUInt32LE(28) !== crc32(head.subarray(0, 28)) ||
    head.readDoubleLE(8) !== segment.start
  ) {
    throw new CorruptLogError(`The header of "${segment.name}" is damaged`)
  }
  return { createdMs: head.readDoubleLE(16) }
}

/** A damaged range of a file between intact records. */
export interface Hole {
  /** Byte of the buffer. */
  readonly from: number
  readonly to: number
}

export interface ScannedRecords {
  /** Offset after the last intact record: the rest is torn, or not fully read yet. */
  readonly end: number
  readonly holes: readonly Hole[]
}

/**
 * Walks the whole records of a buffer. After a damaged record, searches the next whole one byte by
 * byte: its checksum covers all of it, so a false match is unlikely (2^-32 per byte, and only where
 * the four bytes before are a possible length).
 */
export function scanRecords(
  bytes: Buffer,
  from: number,
  visit: (start: number, lengthBytes: number) => void,
): ScannedRecords {
  const holes: Hole[] = []
  let at = from
  let end = from
  for (let probe = from; probe < bytes.length;) {
    const lengthBytes = recordBytesAt(bytes, probe, bytes.length)
    if (lengthBytes === 0) {
      probe++
      continue
    }
    if (probe > at) holes.push({ from: at, to: probe })
    visit(probe, lengthBytes)
    probe += lengthBytes
    at = probe
    end = probe
  }
  return { end, holes }
}
