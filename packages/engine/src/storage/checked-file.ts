import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  openSync,
  read,
  readSync,
  renameSync,
  writeSync,
} from 'node:fs'
import { promisify } from 'node:util'
import { crc32 } from 'node:zlib'
import { CorruptDataError } from '../codec/section-file.ts'

/**
 * Files whose reader verifies every bit: the content, then a trailer
 *
 *     magic:u32 "AISF"   crc32:u32 of the content   lengthBytes:f64 of the content
 */
const MAGIC = 0x46534941
const TRAILER_BYTES = 16
/** Writes above 2 GiB take several system calls. */
const WRITE_BYTES = 1 << 30
/** Bytes to read at a time, while the previous ones are checked. */
const READ_BYTES = 4 << 20

/**
 * Writes a file under a temporary name, syncs it, and renames it: the file exists completely or not
 * at all. It survives a power failure once its folder is synced too (`syncFolder`).
 *
 * @returns the checksum
 */
export function writeCheckedFile(path: string, content: Uint8Array): number {
  return write(path, content, crc32(content))
}

/** The same, but keeps an existing file whose trailer matches this content. */
export function keepCheckedFile(path: string, content: Uint8Array): number {
  const checksum = crc32(content)
  const known = readTrailer(path)
  const isSame = known?.checksum === checksum && known.lengthBytes === content.byteLength
  return isSame ? checksum : write(path, content, checksum)
}

function write(path: string, content: Uint8Array, checksum: number): number {
  const trailer = new DataView(new ArrayBuffer(TRAILER_BYTES))
  trailer.setUint32(0, MAGIC, true)
  trailer.setUint32(4, checksum, true)
  trailer.setFloat64(8, content.byteLength, true)
  const temporary = `${path}.tmp`
  const file = openSync(temporary, 'w')
  try {
    writeAll(file, content)
    writeAll(file, new Uint8Array(trailer.buffer))
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(temporary, path)
  return checksum
}

/**
 * Reads a file into shared memory. Node threads read large files, several at a time.
 *
 * @param expected the checksum it must have; absent: the one in its trailer
 * @throws CorruptDataError if a single bit is wrong
 */
export async function readCheckedFile(path: string, expected?: number): Promise<SharedArrayBuffer> {
  const file = openSync(path, 'r')
  try {
    const lengthBytes = fstatSync(file).size - TRAILER_BYTES
    if (lengthBytes < 0) throw new CorruptDataError(`${path}: too short`)
    const trailerBytes = new Uint8Array(TRAILER_BYTES)
    readAll(file, trailerBytes, lengthBytes)
    const trailer = new DataView(trailerBytes.buffer)
    if (trailer.getUint32(0, true) !== MAGIC) throw new CorruptDataError(`${path}: no trailer`)
    if (trailer.getFloat64(8, true) !== lengthBytes)
      throw new CorruptDataError(`${path}: wrong length`)
    const buffer = new SharedArrayBuffer(lengthBytes)
    const checksum = await readContent(file, new Uint8Array(buffer))
    if (trailer.getUint32(4, true) !== checksum)
      throw new CorruptDataError(`${path}: wrong checksum`)
    if (expected !== undefined && expected !== checksum)
      throw new CorruptDataError(`${path}: not the file that the manifest names`)
    return buffer
  } finally {
    closeSync(file)
  }
}

/** @returns undefined if the file does not exist or is incomplete */
function readTrailer(path: string): { checksum: number; lengthBytes: number } | undefined {
  if (!existsSync(path)) return undefined
  const file = openSync(path, 'r')
  try {
    const lengthBytes = fstatSync(file).size - TRAILER_BYTES
    if (lengthBytes < 0) return undefined
    const bytes = new Uint8Array(TRAILER_BYTES)
    readAll(file, bytes, lengthBytes)
    const trailer = new DataView(bytes.buffer)
    if (trailer.getUint32(0, true) !== MAGIC) return undefined
    if (trailer.getFloat64(8, true) !== lengthBytes) return undefined
    return { checksum: trailer.getUint32(4, true), lengthBytes }
  } finally {
    closeSync(file)
  }
}

function writeAll(file: number, bytes: Uint8Array): void {
  let at = 0
  while (at < bytes.length) {
    at += writeSync(file, bytes, at, Math.min(WRITE_BYTES, bytes.length - at))
  }
}

function readAll(file: number, bytes: Uint8Array, position: number): void {
  let at = 0
  while (at < bytes.length) {
    const bytesRead = readSync(file, bytes, at, bytes.length - at, position + at)
    if (bytesRead === 0) throw new CorruptDataError('Unexpected end of file')
    at += bytesRead
  }
}

const readPiece = promisify(read)

/**
 * Reads the content of a file in chunks, checking each while the next one is read.
 * @returns the checksum
 */
async function readContent(file: number, content: Uint8Array): Promise<number> {
  if (content.length <= READ_BYTES) {
    readAll(file, content, 0)
    return crc32(content)
  }
  const fill = async (from: number): Promise<Uint8Array> => {
    const end = Math.min(from + READ_BYTES, content.length)
    for (let at = from; at < end;) {
      const { bytesRead } = await readPiece(file, content, at, end - at, at)
      if (bytesRead === 0) throw new CorruptDataError('Unexpected end of file')
      at += bytesRead
    }
    return content.subarray(from, end)
  }
  let checksum = 0
  let coming = fill(0)
  for (let from = 0; from < content.length; from += READ_BYTES) {
    const piece = await coming
    if (from + READ_BYTES < content.length) coming = fill(from + READ_BYTES)
    checksum = crc32(piece, checksum)
  }
  return checksum
}

/** Makes renames in a folder durable. */
export function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
