import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/** The log of native/disk.c, and the disk after a power failure at a point of it. */

const KIND = { write: 1, syncedWrite: 2, sync: 3, cut: 4, rename: 5 } as const
const HEAD_BYTES = 24
const SECTOR_BYTES = 512
/** Written by the process on this disk: one line per acknowledgement. */
export const ANSWERS_FILE = 'answers'

interface DiskRecord {
  readonly kind: number
  readonly path: string
  /** -1: at the end. */
  readonly offset: number
  /** For a truncation: the new length of the file. */
  readonly length: number
  readonly data: Buffer
}

export function readJournal(file: string): DiskRecord[] {
  const bytes = readFileSync(file)
  const records: DiskRecord[] = []
  for (let at = 0; at + HEAD_BYTES <= bytes.length;) {
    const kind = bytes.readUInt32LE(at)
    const pathEnd = at + HEAD_BYTES + bytes.readUInt32LE(at + 4)
    const length = Number(bytes.readBigInt64LE(at + 16))
    const end = kind === KIND.cut ? pathEnd : pathEnd + length
    records.push({
      kind,
      path: bytes.toString('utf8', at + HEAD_BYTES, pathEnd),
      offset: Number(bytes.readBigInt64LE(at + 8)),
      length,
      data: bytes.subarray(pathEnd, end),
    })
    at = end
  }
  return records
}

type Change = { readonly offset: number; readonly data: Buffer } | { readonly cutTo: number }

/** A file as the process sees it, and the part of it that is durable. */
class DiskFile {
  durable = Buffer.alloc(0)
  pending: Change[] = []
  length = 0

  change(change: Change): void {
    this.pending.push(change)
    this.length = 'cutTo' in change ? change.cutTo : Math.max(this.length, endOf(change))
  }

  sync(): void {
    for (const change of this.pending) this.durable = changed(this.durable, change)
    this.pending = []
  }

  /** Each unsynced write is kept, lost or torn independently. */
  afterPowerCut(random: () => number): Buffer {
    let bytes = this.durable
    for (const change of this.pending) {
      const chance = random()
      if (chance < 0.4) bytes = changed(bytes, change)
      else if (chance > 0.7 && 'data' in change) {
        for (const sector of sectorsOf(change)) if (random() < 0.5) bytes = changed(bytes, sector)
      }
    }
    return bytes
  }
}

function endOf({ offset, data }: { readonly offset: number; readonly data: Buffer }): number {
  return offset + data.length
}

function changed(bytes: Buffer, change: Change): Buffer<ArrayBuffer> {
  const length = 'cutTo' in change ? change.cutTo : Math.max(bytes.length, endOf(change))
  const after = Buffer.alloc(length)
  bytes.copy(after)
  if ('data' in change) change.data.copy(after, change.offset)
  return after
}

function* sectorsOf({ offset, data }: { readonly offset: number; readonly data: Buffer }) {
  for (let from = 0; from < data.length;) {
    const to = Math.min(data.length, from + SECTOR_BYTES - ((offset + from) % SECTOR_BYTES))
    yield { offset: offset + from, data: data.subarray(from, to) }
    from = to
  }
}

/**
 * Creates in `target` a possible state of the folder `root` if the power fails while the record at
 * `cut` is being written: all synced writes, and anything of the rest.
 *
 * @returns what was acknowledged by then
 */
export function makeImage(
  records: readonly DiskRecord[],
  cut: number,
  { root, target, random }: { root: string; target: string; random: () => number },
): number[] {
  const files = new Map<string, DiskFile>()
  let renames: { from: string; to: string; file: DiskFile; replaced: DiskFile | undefined }[] = []
  const answers: number[] = []
  const fileOf = (path: string): DiskFile => {
    const file = files.get(path) ?? new DiskFile()
    files.set(path, file)
    return file
  }
  for (const [i, { kind, path, offset, length, data }] of records.slice(0, cut + 1).entries()) {
    const name = relative(root, path)
    if (name === ANSWERS_FILE) {
      if (kind <= KIND.syncedWrite && i < cut) answers.push(Number(data))
      continue
    }
    // LMDB's table of readers is meaningless after a restart.
    if (name.endsWith('lock.mdb')) continue
    if (kind === KIND.sync) {
      if (i === cut) break
      if (files.has(name)) files.get(name)!.sync()
      // For a folder: its names.
      else renames = renames.filter(({ to }) => dirname(to) !== name)
    } else if (kind === KIND.rename) {
      const to = relative(root, data.toString())
      const file = fileOf(name)
      renames.push({ from: name, to, file, replaced: files.get(to) })
      files.delete(name)
      files.set(to, file)
    } else {
      const file = fileOf(name)
      const at = offset < 0 ? file.length : offset
      const change: Change = kind === KIND.cut ? { cutTo: length } : { offset: at, data }
      file.change(change)
      if (kind === KIND.syncedWrite && i < cut) {
        file.pending.pop()
        file.durable = changed(file.durable, change)
      }
    }
  }
  const kept = Math.floor(random() * (renames.length + 1))
  for (const { from, to, file, replaced } of renames.slice(kept).toReversed()) {
    files.set(from, file)
    if (replaced === undefined) files.delete(to)
    else files.set(to, replaced)
  }
  for (const [name, file] of files) {
    mkdirSync(dirname(join(target, name)), { recursive: true })
    writeFileSync(join(target, name), file.afterPowerCut(random))
  }
  return answers
}
