import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'

/** A data folder in one small file, with the secrets of its store. */
export interface PackedFolder {
  readonly readSecret: string
  readonly writeSecret: string
  readonly eventsKey: string
  /** Files by path in the folder. */
  readonly files: ReadonlyMap<string, Uint8Array>
}

/** Created by each start, or useless to another process. */
const LEFT_OUT = /^(?:lock|code\/.*|lmdb\/lock\.mdb)$/

export function readFolder(folder: string): Map<string, Uint8Array> {
  return new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
      .filter((path) => !LEFT_OUT.test(path))
      .toSorted()
      .map((path) => [path, readFileSync(join(folder, path))] as const),
  )
}

export function writeFolder(folder: string, { files }: PackedFolder): void {
  for (const [path, bytes] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), bytes)
  }
}

export function pack(packed: PackedFolder): Buffer {
  return brotliCompressSync(serialize(packed))
}

export function unpack(file: string): PackedFolder {
  return deserialize(brotliDecompressSync(readFileSync(file))) as PackedFolder
}
