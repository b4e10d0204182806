import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { EventSource, LogEntry, Visitor } from '../model/visitor-event.ts'

/**
 * A record of the log (docs/formats/events-log.md): little endian,
 *
 *     bodyBytes:u32  crc32:u32 of the body
 *     body := receivedMs:f64  id:[16]  kind:u8  payload: JSON in UTF-8
 *
 * The threads that check events create the records; the thread that owns the log copies them
 * unchanged.
 */
export const RECORD_HEAD_BYTES = 8
const BODY_HEAD_BYTES = 25
export const RECORD_BODY_MAX_BYTES = 131_072
export const ID_BYTES = 16
/** Offsets of id and kind within a record. */
export const ID_OFFSET = RECORD_HEAD_BYTES + 8
const KIND_OFFSET = ID_OFFSET + ID_BYTES

const RECORD_KIND = { erased: 0, event: 1, identify: 2, tally: 3 } as const
const SOURCES: readonly EventSource[] = ['simple', 'canonical', 'server']

/** The payload of events and identifications; keys are short because they are stored very often. */
interface Payload {
  readonly m: string
  readonly t: number
  readonly n?: string
  readonly s?: number
  readonly u?: string
  readonly a?: string
  readonly e?: string
  readonly c?: string
  readonly w?: string
  readonly p?: Record<string, unknown>
}

/** Collects records in one buffer, ready to be sent to the owner of the log. */
export class RecordBatch {
  #bytes: Buffer<ArrayBuffer>
  #length = 0
  count = 0

  constructor(expectedBytes = 16_384) {
    this.#bytes = Buffer.from(new ArrayBuffer(expectedBytes))
  }

  get lengthBytes(): number {
    return this.#length
  }

  /**
   * Throws RangeError for an entry larger than the largest record: callers limit the size of
   * events.
   *
   * @param tallyId for a tally that several logs take over, each once: 16 bytes. Others have none
   */
  add(entry: LogEntry, tallyId?: Buffer): void {
    const payload = payloadOf(entry)
    // A code unit takes at most three bytes in UTF-8.
    this.#reserve(RECORD_HEAD_BYTES + BODY_HEAD_BYTES + payload.length * 3)
    const start = this.#length
    const bytes = this.#bytes
    const payloadBytes = bytes.write(payload, start + RECORD_HEAD_BYTES + BODY_HEAD_BYTES, 'utf8')
    const bodyBytes = BODY_HEAD_BYTES + payloadBytes
    if (bodyBytes > RECORD_BODY_MAX_BYTES) {
      throw new RangeError(`A record of ${bodyBytes} bytes exceeds the limit of the log`)
    }
    bytes.writeDoubleLE(entry.receivedMs, start + RECORD_HEAD_BYTES)
    if (entry.kind !== 'tally') writeMessageIdHash(entry.messageId, bytes, start + ID_OFFSET)
    else if (tallyId !== undefined) tallyId.copy(bytes, start + ID_OFFSET)
    else bytes.fill(0, start + ID_OFFSET, start + KIND_OFFSET)
    bytes[start + KIND_OFFSET] = RECORD_KIND[entry.kind]
    sealRecord(bytes, start, bodyBytes)
    this.#length = start + RECORD_HEAD_BYTES + bodyBytes
    this.count++
  }

  /** Returns the records in a transferable buffer, and empties the batch. */
  take(): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(this.#bytes.buffer.slice(0, this.#length))
    this.#length = 0
    this.count = 0
    return bytes
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#bytes.length) return
    const larger = Buffer.from(
      new ArrayBuffer(Math.max(this.#bytes.length * 2, this.#length + more)),
    )
    this.#bytes.copy(larger, 0, 0, this.#length)
    this.#bytes = larger
  }
}

/** The first 128 bits of SHA-256, by which the log compares message ids. */
export function messageIdHash(messageId: string): Buffer {
  const bytes = Buffer.alloc(ID_BYTES)
  writeMessageIdHash(messageId, bytes, 0)
  return bytes
}

/** Creating a string of its bytes takes a third of the time of a buffer. */
function writeMessageIdHash(messageId: string, bytes: Buffer, offset: number): void {
  bytes.write(hash('sha256', messageId, 'latin1'), offset, ID_BYTES, 'latin1')
}

/** Whether a record has an id that identifies duplicates: tallies usually have none. */
export function hasId(bytes: Buffer, start: number): boolean {
  return bytes.subarray(start + ID_OFFSET, start + KIND_OFFSET).some((byte) => byte !== 0)
}

/** Writes the header of a record whose body is complete. */
function sealRecord(bytes: Buffer, start: number, bodyBytes: number): void {
  const body = start + RECORD_HEAD_BYTES
  bytes.writeUInt32LE(bodyBytes, start)
  bytes.writeUInt32LE(crc32(bytes.subarray(body, body + bodyBytes)), start + 4)
}

/**
 * @returns the length of the whole and healthy record at `start`; 0 if there is none before `end`
 */
export function recordBytesAt(bytes: Buffer, start: number, end: number): number {
  if (start + RECORD_HEAD_BYTES + BODY_HEAD_BYTES > end) return 0
  const bodyBytes = bytes.readUInt32LE(start)
  if (bodyBytes < BODY_HEAD_BYTES || bodyBytes > RECORD_BODY_MAX_BYTES) return 0
  const body = start + RECORD_HEAD_BYTES
  if (body + bodyBytes > end) return 0
  const checksum = crc32(bytes.subarray(body, body + bodyBytes))
  return checksum === bytes.readUInt32LE(start + 4) ? RECORD_HEAD_BYTES + bodyBytes : 0
}

/** @returns `undefined` for a record that was erased */
export function decodeRecord(record: Buffer): LogEntry | undefined {
  const kind = record[KIND_OFFSET]
  if (kind === RECORD_KIND.erased) return undefined
  const receivedMs = record.readDoubleLE(RECORD_HEAD_BYTES)
  const json = record.toString('utf8', RECORD_HEAD_BYTES + BODY_HEAD_BYTES)
  if (kind === RECORD_KIND.tally) {
    return { kind: 'tally', receivedMs, counts: JSON.parse(json) as never }
  }
  const payload = JSON.parse(json) as Payload
  const common = {
    messageId: payload.m,
    atMs: payload.t,
    receivedMs,
    visitor: visitorOf(payload),
  }
  if (kind === RECORD_KIND.identify) return { kind: 'identify', ...common }
  return {
    kind: 'event',
    name: payload.n ?? '',
    source: SOURCES[payload.s ?? 0] ?? 'simple',
    ...common,
    properties: payload.p ?? {},
  }
}

function payloadOf(entry: LogEntry): string {
  if (entry.kind === 'tally') return JSON.stringify(entry.counts)
  const { userId, anonymousId, sessionId, client, network } = entry.visitor
  const isEvent = entry.kind === 'event'
  // JSON omits what is undefined.
  return JSON.stringify({
    m: entry.messageId,
    t: entry.atMs,
    n: isEvent ? entry.name : undefined,
    s: isEvent ? SOURCES.indexOf(entry.source) : undefined,
    u: userId,
    a: anonymousId,
    e: sessionId,
    c: client,
    w: network,
    p: isEvent ? entry.properties : undefined,
  } satisfies { [key in keyof Payload]: unknown })
}

/** Assigned one by one for speed: this runs for every event that is read. */
function visitorOf({ u, a, e, c, w }: Payload): Visitor {
  const visitor: { -readonly [key in keyof Visitor]: string } = {}
  if (u !== undefined) visitor.userId = u
  if (a !== undefined) visitor.anonymousId = a
  if (e !== undefined) visitor.sessionId = e
  if (c !== undefined) visitor.client = c
  if (w !== undefined) visitor.network = w
  return visitor
}

/**
 * Indexes of the records of a batch that fail a test, or whose id an earlier passing record has.
 *
 * @param isWanted test of the record from `at` to `next`
 */
export function placesOf(bytes: Buffer, isWanted: (at: number, next: number) => boolean): number[] {
  const places: number[] = []
  const ids = new Set<string>()
  let place = 0
  for (let at = 0; at < bytes.length; place++) {
    const next = at + RECORD_HEAD_BYTES + bytes.readUInt32LE(at)
    const id = bytes.toString('latin1', at + ID_OFFSET, at + KIND_OFFSET)
    if (ids.has(id) || isWanted(at, next)) places.push(place)
    else ids.add(id)
    at = next
  }
  return places
}

/** Overwrites the content of a record with zeros; its length, time and id stay. */
export function eraseRecord(record: Buffer): void {
  record[KIND_OFFSET] = RECORD_KIND.erased
  record.fill(0, RECORD_HEAD_BYTES + BODY_HEAD_BYTES)
  sealRecord(record, 0, record.length - RECORD_HEAD_BYTES)
}

/** A record of a batch, as it is stored. */
export interface BatchRecord {
  readonly bytes: Buffer
  readonly receivedMs: number
  /** Identifies duplicates. */
  readonly id: Buffer
}

/** The records of a batch, not copied. */
export function splitRecords(records: Uint8Array): BatchRecord[] {
  const all = Buffer.from(records.buffer, records.byteOffset, records.byteLength)
  const split: BatchRecord[] = []
  for (let at = 0; at < all.length;) {
    const next = at + RECORD_HEAD_BYTES + all.readUInt32LE(at)
    const bytes = all.subarray(at, next)
    const receivedMs = bytes.readDoubleLE(RECORD_HEAD_BYTES)
    split.push({ bytes, receivedMs, id: bytes.subarray(ID_OFFSET, KIND_OFFSET) })
    at = next
  }
  return split
}

/** Whether these bytes are one whole record with a valid checksum. */
export function isRecord(bytes: Buffer): boolean {
  return recordBytesAt(bytes, 0, bytes.length) === bytes.length
}

/** The entries of a batch of records; `undefined` for an erased one. */
export function decodeRecords(records: Uint8Array): (LogEntry | undefined)[] {
  return splitRecords(records).map(({ bytes }) => decodeRecord(bytes))
}
