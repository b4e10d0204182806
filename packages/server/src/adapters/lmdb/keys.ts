/**
 * Keys of the tables. Numbers are big-endian, so that the order of bytes is the order of numbers,
 * and fixed-length numbers come first, so that no key of one catalog can look like a key of
 * another.
 *
 *     document, tombstone := catalog:u32 docKey:u48
 *     id                  := catalog:u32 id:utf8[1..512]
 *     vector              := catalog:u32 space:u32 id:utf8[1..512]
 *     counters            := catalog:u32
 *     store               := storeNumber:u32
 *     resource            := storeNumber:u32 kind:ascii 0x00 name:utf8
 *     user                := login:utf8
 *     session             := digest:u256
 *     audit entry         := id:u48
 */

/** Bytes of a document key. LMDB allows 1,978 with pages of 4 KB; a vector key has at most 520. */
export const DOCUMENT_KEY_BYTES = 10

export function documentKey(catalog: number, docKey: number): Buffer {
  return writeDocumentKey(Buffer.allocUnsafe(DOCUMENT_KEY_BYTES), catalog, docKey)
}

/** Writes the key into a buffer of its size, and returns that. */
export function writeDocumentKey(key: Buffer, catalog: number, docKey: number): Buffer {
  key.writeUInt32BE(catalog, 0)
  key.writeUIntBE(docKey, 4, 6)
  return key
}

export function docKeyOf(key: Uint8Array): number {
  return Buffer.from(key.buffer, key.byteOffset, key.byteLength).readUIntBE(4, 6)
}

export function idKey(catalog: number, id: string): Buffer {
  const key = Buffer.allocUnsafe(4 + Buffer.byteLength(id))
  key.writeUInt32BE(catalog, 0)
  key.write(id, 4)
  return key
}

export function vectorKey(catalog: number, space: number, id: string): Buffer {
  return Buffer.concat([numberKey(catalog), idKey(space, id)])
}

/** Range of all keys of the vectors of a space. */
export function spaceRange(catalog: number, space: number): { start: Buffer; end: Buffer } {
  const keyOf = (number: number) => Buffer.concat([numberKey(catalog), numberKey(number)])
  return { start: keyOf(space), end: keyOf(space + 1) }
}

export function numberKey(number: number): Buffer {
  const key = Buffer.allocUnsafe(4)
  key.writeUInt32BE(number, 0)
  return key
}

export function resourceKey(storeNumber: number, kind: string, name: string): Buffer {
  return Buffer.concat([numberKey(storeNumber), Buffer.from(`${kind}\0${name}`)])
}

/** The kind and the name in a resource key. */
export function resourceOf(key: Uint8Array): [kind: string, name: string] {
  const text = Buffer.from(key.buffer, key.byteOffset, key.byteLength).toString('utf8', 4)
  const zero = text.indexOf('\0')
  return [text.slice(0, zero), text.slice(zero + 1)]
}

/** Range of all keys that start with a catalog (or a store number). */
export function catalogRange(catalog: number): { start: Buffer; end: Buffer } {
  return { start: numberKey(catalog), end: numberKey(catalog + 1) }
}

export function catalogOf(key: Uint8Array): number {
  return Buffer.from(key.buffer, key.byteOffset, key.byteLength).readUInt32BE(0)
}
