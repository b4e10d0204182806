import { crc32 } from 'node:zlib'

/**
 * Rows of the tables. LMDB has no page checksums, so every row carries a CRC-32 that also covers
 * its key. A flipped bit, a torn page or a misplaced page is detected when the row is read.
 *
 *     document := crc:u32 idLengthBytes:u16 id:utf8 json:utf8
 *     number   := crc:u32 value:u48            (ids -> docKey; tombstones, value 0)
 *     json     := crc:u32 json:utf8            (stores, counters, resources, users, sessions, audit)
 *
 * `crc` is CRC-32 of the bytes after it, XOR a mix of the key.
 */

/** A row differs from what was written. */
export class DamagedRowError extends Error {
  override readonly name = 'DamagedRowError'
}

/** Called once per damaged row found, with a line for the log (no document content). */
export type OnDamage = (catalog: number, message: string) => void

export const DOCUMENT_HEADER_BYTES = 6
export const NUMBER_ROW_BYTES = 10

/** @returns bytes written to `target` from `offset` */
export function writeDocumentRow(
  target: Buffer,
  offset: number,
  keyMix: number,
  id: string,
  json: Uint8Array,
): number {
  const idBytes = target.write(id, offset + DOCUMENT_HEADER_BYTES)
  target.writeUInt16BE(idBytes, offset + 4)
  target.set(json, offset + DOCUMENT_HEADER_BYTES + idBytes)
  const end = offset + DOCUMENT_HEADER_BYTES + idBytes + json.length
  target.writeUInt32BE(checksum(target.subarray(offset + 4, end), keyMix), offset)
  return end - offset
}

export function readDocumentRow(row: Buffer, keyMix: number): { id: string; json: Buffer } {
  verify(row, keyMix, DOCUMENT_HEADER_BYTES, 'document')
  const idEnd = DOCUMENT_HEADER_BYTES + row.readUInt16BE(4)
  return { id: row.toString('utf8', DOCUMENT_HEADER_BYTES, idEnd), json: row.subarray(idEnd) }
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
