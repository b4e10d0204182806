import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import { crc32 } from 'node:zlib'
import type { HistoryState } from '@aisle/suggestions'

/** Raised whenever the meaning of the content changes: files of other versions are rebuilt. */
const VERSION = 4
const CHECKSUM_BYTES = 4

export const HISTORY_ENDING = '.history'

/** @param log name of the event log that the history is made of */
export function historyFileOf(folder: string, log: string): HistoryFile {
  return new HistoryFile(join(folder, log + HISTORY_ENDING))
}

/** A history, and how far of the log it was made of. */
export interface SavedHistory {
  readonly language: string
  /** Byte position in the log. */
  readonly watermark: number
  /**
   * When a visitor was last erased from the log, as of then: what was made before an erasure must
   * go.
   */
  readonly erasedMs: number
  readonly state: HistoryState
}

/**
 * The file of a store's history: a checkpoint, so that a start need not read the whole log. State
 * and watermark are one file, replaced whole, so that they always belong together. Whatever is
 * wrong with it, it can be rebuilt from the log.
 *
 *     crc32:u32 of what follows   v8.serialize({ version, language, watermark, erasedMs, state })
 */
export class HistoryFile {
  readonly #path: string

  constructor(path: string) {
    this.#path = path
  }

  /** @returns undefined when there is none, or it is damaged or of another version */
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
    // Not synced: a torn file is detected by its checksum and rebuilt.
    writeFileSync(`${this.#path}.new`, Buffer.concat([checksum, content]))
    renameSync(`${this.#path}.new`, this.#path)
  }

  remove(): void {
    rmSync(this.#path, { force: true })
  }
}
