import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

/**
 * LMDB maps its file into memory: a page that is missing at the end of a truncated file kills the
 * process (SIGBUS) when it is touched. So the length is checked before the file is mapped.
 *
 * Meta pages are page 0 and 1 (lmdb 3.5.6, data version 2, as `MDB_meta` in mdb.c), little-endian:
 *
 *     page  := header[24] meta
 *     meta  := magic:u32 version:u32 address:u64 mapSize:u64 freeDb[48] mainDb[48] lastPage:u64 txnId:u64
 *     freeDb := pageSize:u32 …
 */
const MAGIC = 0xbeef_c0de
const DATA_VERSION = 2
const META_OFFSET = 24
const META_BYTES = 136
const PAGE_SIZES = [4_096, 8_192, 16_384, 32_768, 65_536, 512, 1_024, 2_048]

export interface FileCheck {
  readonly fileBytes: number
  /** Bytes that the newest commit says are in use. */
  readonly usedBytes: number
}

/** The file is not an LMDB file of ours, or both its meta pages are damaged. */
export class UnreadableFileError extends Error {
  override readonly name = 'UnreadableFileError'
}

/** @returns `undefined` when there is no file yet */
export function checkFile(path: string): FileCheck | undefined {
  let file: number
  try {
    file = openSync(path, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  try {
    const fileBytes = fstatSync(file).size
    if (fileBytes === 0) return undefined
    const metas = [readMeta(file, 0)]
    for (const pageSize of metas[0] === undefined ? PAGE_SIZES : [metas[0].pageSize]) {
      metas.push(readMeta(file, pageSize))
    }
    const newest = metas
      .filter((meta) => meta !== undefined)
      .reduce<Meta | undefined>((a, b) => (a === undefined || b.txnId > a.txnId ? b : a), undefined)
    if (newest === undefined) {
      throw new UnreadableFileError(`${path} is not a document file that this version can read`)
    }
    return { fileBytes, usedBytes: (newest.lastPage + 1) * newest.pageSize }
  } finally {
    closeSync(file)
  }
}

interface Meta {
  readonly pageSize: number
  readonly lastPage: number
  readonly txnId: bigint
}

function readMeta(file: number, offset: number): Meta | undefined {
  const bytes = Buffer.alloc(META_BYTES)
  const count = readSync(file, bytes, 0, META_BYTES, offset + META_OFFSET)
  if (count < META_BYTES || bytes.readUInt32LE(0) !== MAGIC) return undefined
  if ((bytes.readUInt32LE(4) & 0xffff) !== DATA_VERSION) return undefined
  const pageSize = bytes.readUInt32LE(24)
  const lastPage = Number(bytes.readBigUInt64LE(120))
  if (!PAGE_SIZES.includes(pageSize) || !Number.isSafeInteger(lastPage)) return undefined
  return { pageSize, lastPage, txnId: bytes.readBigUInt64LE(128) }
}
