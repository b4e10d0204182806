import type { LogFile, LogFiles } from './log-files.ts'

interface MemoryFile {
  bytes: Buffer
  /** Number of bytes that survive a power failure. */
  syncedBytes: number
}

/**
 * Files in memory for tests: they can fail, and lose unsynced bytes in a simulated power failure.
 */
export class MemoryLogFiles implements LogFiles {
  readonly #files = new Map<string, MemoryFile>()
  /** Called before each append and sync; may throw, like a disk. */
  onWrite: (what: 'append' | 'sync') => void = () => undefined

  /**
   * The files of a disk after a power failure: all synced bytes, and any prefix of the rest,
   * changed by `tear`.
   */
  afterPowerLoss(tear: (unsynced: Buffer) => Uint8Array): MemoryLogFiles {
    const after = new MemoryLogFiles()
    for (const [name, { bytes, syncedBytes }] of this.#files) {
      const rest = tear(Buffer.from(bytes.subarray(syncedBytes)))
      const kept = Buffer.concat([bytes.subarray(0, syncedBytes), rest])
      after.#files.set(name, { bytes: kept, syncedBytes: kept.length })
    }
    return after
  }

  /** The content, to damage it. */
  bytesOf(name: string): Buffer {
    return this.#file(name).bytes
  }

  list(): string[] {
    return [...this.#files.keys()]
  }

  lengthOf(name: string): number {
    return this.#file(name).bytes.length
  }

  read(name: string, position: number, lengthBytes: number): Buffer {
    return Buffer.from(this.#file(name).bytes.subarray(position, position + lengthBytes))
  }

  create(name: string, content: Uint8Array): void {
    this.replace(name, content)
  }

  replace(name: string, content: Uint8Array): void {
    this.#files.set(name, { bytes: Buffer.from(content), syncedBytes: content.length })
  }

  open(name: string): LogFile {
    const file = this.#file(name)
    return {
      get lengthBytes() {
        return file.bytes.length
      },
      append: (bytes) => {
        this.onWrite('append')
        file.bytes = Buffer.concat([file.bytes, bytes])
      },
      sync: async () => {
        const { length } = file.bytes
        await Promise.resolve()
        this.onWrite('sync')
        file.syncedBytes = Math.max(file.syncedBytes, length)
      },
      close: () => undefined,
    }
  }

  truncate(name: string, lengthBytes: number): void {
    const file = this.#file(name)
    file.bytes = file.bytes.subarray(0, lengthBytes)
    file.syncedBytes = Math.min(file.syncedBytes, lengthBytes)
  }

  remove(name: string): void {
    this.#files.delete(name)
  }

  #file(name: string): MemoryFile {
    const file = this.#files.get(name)
    if (file === undefined) throw new Error(`There is no file "${name}"`)
    return file
  }
}
