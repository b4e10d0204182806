import { crc32 } from 'node:zlib'
import type { LogFiles } from './log-files.ts'
import { ID_BYTES } from './record.ts'

/**
 * The message ids of one finished segment, on disk (docs/formats/events-log.md). Memory holds a
 * filter that rules out all but one in about two hundred unknown ids, and the start of each bucket;
 * a bucket is read and compared only if the filter says "maybe". The answer is exact, at 1.8 bytes
 * of memory per id.
 *
 *     file   := magic "AEVI"  version:u32  segmentEnd:f64  lastReceivedMs:f64  idCount:u32  bucketBits:u32
 *               filterBlocks:u32  crc32:u32 of everything up to the ids, this word as zero
 *               bucketStart:u32[2^bucketBits + 1]  bucketCrc:u32[2^bucketBits]  filter:[64 x filterBlocks]  ids
 *     ids    := [16] each, by the top bits of their first word, unordered within a bucket
 *
 * A run is derived from its segment and is rebuilt if missing or damaged.
 */
const MAGIC = 0x4956_4541
const VERSION = 1
const HEAD_BYTES = 40
const CRC_OFFSET = 36
const BUCKET_IDS = 64
const BITS_PER_ID = 12
const BLOCK_BITS = 512
const BLOCK_WORDS = BLOCK_BITS / 32

export function idRunName(start: number): string {
  return `ids-${String(start).padStart(16, '0')}.aei`
}

export class IdRun {
  readonly lastReceivedMs: number
  readonly segmentEnd: number
  readonly idCount: number
  readonly #files: LogFiles
  readonly #name: string
  readonly #bucketBits: number
  readonly #starts: Uint32Array
  readonly #checksums: Uint32Array
  readonly #filter: Uint32Array
  readonly #idsAt: number

  /** @returns `undefined` if the file is missing, damaged, or of another state of the segment */
  static open(files: LogFiles, name: string, segmentEnd: number): IdRun | undefined {
    if (!files.list().includes(name)) return undefined
    const head = files.read(name, 0, HEAD_BYTES)
    if (head.length < HEAD_BYTES || head.readUInt32LE(0) !== MAGIC) return undefined
    if (head.readUInt32LE(4) !== VERSION || head.readDoubleLE(8) !== segmentEnd) return undefined
    const bucketBits = head.readUInt32LE(28)
    if (bucketBits > 24) return undefined
    const tablesBytes = (2 ** (bucketBits + 1) + 1) * 4 + head.readUInt32LE(32) * 64
    const tables = files.read(name, HEAD_BYTES, tablesBytes)
    const checksum = head.readUInt32LE(CRC_OFFSET)
    head.writeUInt32LE(0, CRC_OFFSET)
    if (tables.length !== tablesBytes || crc32(tables, crc32(head)) !== checksum) return undefined
    return new IdRun(files, name, head, tables)
  }

  /** Writes the run of a finished segment and opens it. */
  static create(
    files: LogFiles,
    name: string,
    ids: Uint32Array,
    segment: { readonly end: number; readonly lastReceivedMs: number },
  ): IdRun {
    files.replace(name, serialize(ids, segment.end, segment.lastReceivedMs))
    const run = IdRun.open(files, name, segment.end)
    if (run === undefined) throw new Error(`"${name}" cannot be read back`)
    return run
  }

  private constructor(files: LogFiles, name: string, head: Buffer, tables: Buffer) {
    this.#files = files
    this.#name = name
    this.segmentEnd = head.readDoubleLE(8)
    this.lastReceivedMs = head.readDoubleLE(16)
    this.idCount = head.readUInt32LE(24)
    this.#bucketBits = head.readUInt32LE(28)
    const bucketCount = 2 ** this.#bucketBits
    // A copy, because words must be aligned.
    const words = new Uint32Array(tables.length / 4)
    Buffer.from(words.buffer).set(tables)
    this.#starts = words.subarray(0, bucketCount + 1)
    this.#checksums = words.subarray(bucketCount + 1, 2 * bucketCount + 1)
    this.#filter = words.subarray(2 * bucketCount + 1)
    this.#idsAt = HEAD_BYTES + tables.length
  }

  get memoryBytes(): number {
    return this.#filter.buffer.byteLength
  }

  /**
   * The answer is exact.
   * @throws DamagedRunError
   */
  has(bytes: Buffer, offset: number): boolean {
    if (this.idCount === 0) return false
    const first = bytes.readUInt32LE(offset) || 1
    const block = blockOf(bytes.readUInt32LE(offset + 4), this.#filter.length / BLOCK_WORDS)
    const c = bytes.readUInt32LE(offset + 8)
    const d = bytes.readUInt32LE(offset + 12)
    if (!this.#mayHave(block, c) || !this.#mayHave(block, d)) return false
    const bucket = bucketOf(first, this.#bucketBits)
    const start = this.#starts[bucket]!
    const count = this.#starts[bucket + 1]! - start
    const ids = this.#files.read(this.#name, this.#idsAt + start * ID_BYTES, count * ID_BYTES)
    if (crc32(ids) !== this.#checksums[bucket]) throw new DamagedRunError(this.#name)
    const second = bytes.readUInt32LE(offset + 4)
    for (let at = 0; at < ids.length; at += ID_BYTES) {
      if (
        ids.readUInt32LE(at) === first &&
        ids.readUInt32LE(at + 4) === second &&
        ids.readUInt32LE(at + 8) === c &&
        ids.readUInt32LE(at + 12) === d
      ) {
        return true
      }
    }
    return false
  }

  #mayHave(block: number, word: number): boolean {
    for (let i = 0; i < 3; i++) {
      const bit = (word >>> (i * 9)) & (BLOCK_BITS - 1)
      if ((this.#filter[block + (bit >>> 5)]! & (1 << (bit & 31))) === 0) return false
    }
    return true
  }
}

/** The ids cannot be read: the run must be rebuilt from its segment. */
export class DamagedRunError extends Error {
  override readonly name = 'DamagedRunError'
  readonly run: string

  constructor(run: string) {
    super(`"${run}" is damaged`)
    this.run = run
  }
}

/** First word of the filter block of an id. */
function blockOf(word: number, blockCount: number): number {
  return Math.floor((word / 4_294_967_296) * blockCount) * BLOCK_WORDS
}

function bucketOf(first: number, bucketBits: number): number {
  return bucketBits === 0 ? 0 : first >>> (32 - bucketBits)
}

function serialize(ids: Uint32Array, segmentEnd: number, lastReceivedMs: number): Buffer {
  const idCount = ids.length / 4
  const bucketBits = Math.max(0, Math.ceil(Math.log2(Math.max(1, idCount / BUCKET_IDS))))
  const bucketCount = 2 ** bucketBits
  const blockCount = Math.max(1, Math.ceil((idCount * BITS_PER_ID) / BLOCK_BITS))
  const starts = new Uint32Array(bucketCount + 1)
  for (let i = 0; i < ids.length; i += 4) starts[bucketOf(ids[i]!, bucketBits) + 1]!++
  for (let bucket = 0; bucket < bucketCount; bucket++) starts[bucket + 1]! += starts[bucket]!

  const sorted = new Uint32Array(ids.length)
  const next = starts.slice(0, bucketCount)
  const filter = new Uint32Array(blockCount * BLOCK_WORDS)
  for (let i = 0; i < ids.length; i += 4) {
    sorted.set(ids.subarray(i, i + 4), next[bucketOf(ids[i]!, bucketBits)]!++ * 4)
    const block = blockOf(ids[i + 1]!, blockCount)
    for (const word of [ids[i + 2]!, ids[i + 3]!]) {
      for (let bits = 0; bits < 3; bits++) {
        const bit = (word >>> (bits * 9)) & (BLOCK_BITS - 1)
        filter[block + (bit >>> 5)]! |= 1 << (bit & 31)
      }
    }
  }
  const idBytes = Buffer.from(sorted.buffer)
  const checksums = new Uint32Array(bucketCount)
  for (let bucket = 0; bucket < bucketCount; bucket++) {
    const [from, to] = [starts[bucket]! * ID_BYTES, starts[bucket + 1]! * ID_BYTES]
    checksums[bucket] = crc32(idBytes.subarray(from, to))
  }
  const head = Buffer.alloc(HEAD_BYTES)
  head.writeUInt32LE(MAGIC, 0)
  head.writeUInt32LE(VERSION, 4)
  head.writeDoubleLE(segmentEnd, 8)
  head.writeDoubleLE(lastReceivedMs, 16)
  head.writeUInt32LE(idCount, 24)
  head.writeUInt32LE(bucketBits, 28)
  head.writeUInt32LE(blockCount, 32)
  const tables = Buffer.concat(
    [starts, checksums, filter].map((words) => Buffer.from(words.buffer)),
  )
  head.writeUInt32LE(crc32(tables, crc32(head)), CRC_OFFSET)
  return Buffer.concat([head, tables, idBytes])
}
