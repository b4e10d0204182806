import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

/**
 * LMDB maps its file into memory: a page that is missing at the end of a truncated file kills the
 * process (SIGBUS) when it is touched. So the length is checked before the file is mapped.
 *
 * Meta pages are page 0 and 1 (lmdb 3.5.6, data version 2, as `MDB_meta` in mdb.c), little-endian:
 *
 *     page  := header[18] flags:u16 header[4] meta
 *     meta  := magic:u32 version:u32 address:u64 mapSize:u64 freeDb[48] mainDb[48] lastPage:u64 txnId:u64
 *     freeDb := pageSize:u32 …
 */
const MAGIC = 0xbeef_c0de
const DATA_VERSION = 2
const FLAGS_OFFSET = 18
const META_PAGE = 8
const META_OFFSET = 24
const META_BYTES = 136
const PAGE_SIZES = [4_096, 8_192, 16_384, 32_768, 65_536, 512, 1_024, 2_048]

export interface FileCheck {
  readonly fileBytes: number
  /** Bytes that the newest commit says are in use. */
  readonly usedBytes: number
}

/**
 * The file is not an LMDB file of ours, or one of its meta pages is damaged: LMDB would kill the
 * process, or use the other one, which may lack the last commit.
 */
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
    const [first, second] = metas.filter((meta) => meta !== undefined)
    if (first === undefined) {
      throw new UnreadableFileError(
        `${path} is not a document file of this version, or both of its headers are damaged`,
      )
    }
    if (second === undefined) {
      throw new UnreadableFileError(`one of the two headers of ${path} is damaged`)
    }
    const newest = second.txnId > first.txnId ? second : first
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
  const page = Buffer.alloc(META_OFFSET + META_BYTES)
  const bytes = page.subarray(META_OFFSET)
  const count = readSync(file, page, 0, page.length, offset)
  if (count < page.length || page.readUInt16LE(FLAGS_OFFSET) !== META_PAGE) return undefined
  if (bytes.readUInt32LE(0) !== MAGIC) return undefined
  if ((bytes.readUInt32LE(4) & 0xffff) !== DATA_VERSION) return undefined
  const pageSize = bytes.readUInt32LE(24)
  const lastPage = Number(bytes.readBigUInt64LE(120))
  if (!PAGE_SIZES.includes(pageSize) || !Number.isSafeInteger(lastPage)) return undefined
  return { pageSize, lastPage, txnId: bytes.readBigUInt64LE(128) }
}
