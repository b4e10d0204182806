import { crc32 } from 'node:zlib'

/**
 * Rows of the tables. LMDB has no page checksums, so every row carries a CRC-32 that also covers
 * its key. A flipped bit, a torn page or a misplaced page is detected when the row is read.
 *
 *     document := crc:u32 idLengthBytes:u16 [inserted:u48] id:utf8 json:utf8
 *     number   := crc:u32 value:u48            (ids -> docKey; tombstones, value 0)
 *     vector   := crc:u32 digest:u8[16] codes:i8[dimensions]
 *     json     := crc:u32 json:utf8            (stores, counters, resources, users, sessions, audit)
 *
 * `crc` is CRC-32 of the bytes after it, XOR a mix of the key. `inserted` is the docKey of the
 * first version of the document; only later ones have it, with the highest bit of `idLengthBytes`.
 */

/** A row differs from what was written. */
export class DamagedRowError extends Error {
  override readonly name = 'DamagedRowError'
}

/** Called once per damaged row found, with a line for the log (no document content). */
export type OnDamage = (catalog: number, message: string) => void

export const DOCUMENT_HEADER_BYTES = 6
/** The header of a version that replaced another. */
export const LATER_HEADER_BYTES = DOCUMENT_HEADER_BYTES + 6
const HAS_INSERTED = 0x8000
export const NUMBER_ROW_BYTES = 10

/** @returns bytes written to `target` from `offset` */
export function writeDocumentRow(
  target: Buffer,
  offset: number,
  keyMix: number,
  { id, json, inserted }: DocumentRow,
): number {
  const headerBytes = inserted === undefined ? DOCUMENT_HEADER_BYTES : LATER_HEADER_BYTES
  const idBytes = target.write(id, offset + headerBytes)
  target.writeUInt16BE(inserted === undefined ? idBytes : idBytes | HAS_INSERTED, offset + 4)
  if (inserted !== undefined) target.writeUIntBE(inserted, offset + DOCUMENT_HEADER_BYTES, 6)
  target.set(json, offset + headerBytes + idBytes)
  const end = offset + headerBytes + idBytes + json.length
  target.writeUInt32BE(checksum(target.subarray(offset + 4, end), keyMix), offset)
  return end - offset
}

/** What the row of a document holds, besides its checksum. */
export interface DocumentRow {
  readonly id: string
  readonly json: Uint8Array
  /** The docKey of the first version; absent: this is it. */
  readonly inserted?: number
}

export function readDocumentRow(row: Buffer, keyMix: number): DocumentRow & { json: Buffer } {
  verify(row, keyMix, DOCUMENT_HEADER_BYTES, 'document')
  const length = row.readUInt16BE(4)
  if (length < HAS_INSERTED) return textsOf(row, DOCUMENT_HEADER_BYTES, length)
  const inserted = row.readUIntBE(DOCUMENT_HEADER_BYTES, 6)
  return { ...textsOf(row, LATER_HEADER_BYTES, length - HAS_INSERTED), inserted }
}

function textsOf(row: Buffer, idStart: number, idBytes: number): { id: string; json: Buffer } {
  const idEnd = idStart + idBytes
  return { id: row.toString('utf8', idStart, idEnd), json: row.subarray(idEnd) }
}

/** @param row as many bytes as `NUMBER_ROW_BYTES`, to be filled */
export function numberRow(
  keyMix: number,
  value: number,
  row: Buffer = Buffer.allocUnsafeSlow(NUMBER_ROW_BYTES),
): Buffer {
  row.writeUIntBE(value, 4, 6)
  row.writeUInt32BE(checksum(row.subarray(4), keyMix), 0)
  return row
}

export function readNumberRow(row: Buffer, keyMix: number): number {
  verify(row, keyMix, NUMBER_ROW_BYTES, 'number')
  return row.readUIntBE(4, 6)
}

/** Bytes of the digest of the text that a vector was made of. */
const DIGEST_BYTES = 16

export function vectorRow(keyMix: number, { digest, codes }: VectorRow): Buffer {
  const row = Buffer.allocUnsafeSlow(4 + DIGEST_BYTES + codes.length)
  row.set(digest, 4)
  row.set(new Uint8Array(codes.buffer, codes.byteOffset, codes.length), 4 + DIGEST_BYTES)
  row.writeUInt32BE(checksum(row.subarray(4), keyMix), 0)
  return row
}

/** What the row of a vector holds, besides its checksum. */
export interface VectorRow {
  readonly digest: Uint8Array
  readonly codes: Int8Array
}

export function readVectorRow(row: Buffer, keyMix: number): VectorRow {
  verify(row, keyMix, 4 + DIGEST_BYTES, 'vector')
  const codes = row.subarray(4 + DIGEST_BYTES)
  return {
    digest: row.subarray(4, 4 + DIGEST_BYTES),
    codes: new Int8Array(codes.buffer, codes.byteOffset, codes.length),
  }
}

export function jsonRow(keyMix: number, value: unknown): Buffer {
  return textRow(keyMix, JSON.stringify(value))
}

/** @param text JSON, stored verbatim */
export function textRow(keyMix: number, text: string): Buffer {
  const row = Buffer.allocUnsafeSlow(4 + Buffer.byteLength(text))
  row.write(text, 4)
  row.writeUInt32BE(checksum(row.subarray(4), keyMix), 0)
  return row
}

export function readJsonRow(row: Buffer, keyMix: number): unknown {
  return JSON.parse(readTextRow(row, keyMix))
}

export function readTextRow(row: Buffer, keyMix: number): string {
  verify(row, keyMix, 4, 'JSON')
  return row.toString('utf8', 4)
}

/** Mixes two numbers of a key into 32 bits; neighbouring keys get different results. */
export function mixNumbers(first: number, second: number): number {
  const low = second % 0x1_0000_0000
  const high = (second - low) / 0x1_0000_0000
  let mix = Math.imul(first + 1, 0x9e37_79b1)
  mix = Math.imul(mix ^ (mix >>> 15) ^ low, 0x85eb_ca77)
  mix = Math.imul(mix ^ (mix >>> 13) ^ high, 0xc2b2_ae3d)
  return (mix ^ (mix >>> 16)) >>> 0
}

export function mixBytes(key: Uint8Array): number {
  return crc32(key, 0x5bd1_e995)
}

function checksum(bytes: Uint8Array, keyMix: number): number {
  return (crc32(bytes) ^ keyMix) >>> 0
}

function verify(row: Buffer, keyMix: number, minBytes: number, kind: string): void {
  if (row.length < minBytes) {
    throw new DamagedRowError(
      `a ${kind} row has ${row.length} bytes, at least ${minBytes} expected`,
    )
  }
  const expected = row.readUInt32BE(0)
  const actual = checksum(row.subarray(4), keyMix)
  if (expected !== actual) {
    throw new DamagedRowError(
      `a ${kind} row of ${row.length} bytes has checksum ${hex(actual)}, expected ${hex(expected)}`,
    )
  }
}

function hex(value: number): string {
  return value.toString(16).padStart(8, '0')
}
