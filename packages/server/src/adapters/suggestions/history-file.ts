import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import { crc32 } from 'node:zlib'
import type {
  HistoryFile,
  HistoryFiles,
  SavedHistory,
} from '../../ports/suggestions/history-files.ts'

/** Raised whenever the meaning of the content changes: files of other versions are rebuilt. */
const VERSION = 7
const CHECKSUM_BYTES = 4

const ENDING = '.history'

/** A folder that contains only histories. */
export class HistoryFolder implements HistoryFiles {
  readonly #path: string

  /** @param path the folder; it is created on the first write */
  constructor(path: string) {
    this.#path = path
  }

  of(log: string): HistoryFile {
    return new CheckedHistoryFile(join(this.#path, log + ENDING))
  }

  keepOnly(logs: ReadonlySet<string>): void {
    if (!existsSync(this.#path)) return
    for (const name of readdirSync(this.#path)) {
      const log = name.endsWith(ENDING) ? name.slice(0, -ENDING.length) : ''
      if (!logs.has(log)) rmSync(join(this.#path, name), { force: true })
    }
  }
}

/**
 * State and watermark are one file, replaced whole, so that they always belong together.
 *
 *     crc32:u32 of what follows   v8.serialize({ version, language, watermark, erasedMs, state })
 */
class CheckedHistoryFile implements HistoryFile {
  readonly #path: string

  constructor(path: string) {
    this.#path = path
  }

  read(): SavedHistory | undefined {
    let bytes: Buffer
    try {
      bytes = readFileSync(this.#path)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw error
    }
    if (bytes.length < CHECKSUM_BYTES) return undefined
    const content = bytes.subarray(CHECKSUM_BYTES)
    if (crc32(content) !== bytes.readUInt32LE(0)) return undefined
    const saved = deserialize(content) as SavedHistory & { readonly version: number }
    return saved.version === VERSION ? saved : undefined
  }

  write(saved: SavedHistory): void {
    const content = serialize({ version: VERSION, ...saved })
    const checksum = Buffer.alloc(CHECKSUM_BYTES)
    checksum.writeUInt32LE(crc32(content))
    mkdirSync(dirname(this.#path), { recursive: true })
    // Not synced, because a torn file is detected by its checksum and rebuilt.
    writeFileSync(`${this.#path}.new`, Buffer.concat([checksum, content]))
    renameSync(`${this.#path}.new`, this.#path)
  }

  remove(): void {
    rmSync(this.#path, { force: true })
  }
}
