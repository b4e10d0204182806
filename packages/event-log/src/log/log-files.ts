import {
  closeSync,
  constants,
  fdatasync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'

/** An append-only file of the log. */
export interface LogFile {
  readonly lengthBytes: number
  /** Throws on a disk error, possibly after writing some of the bytes. */
  append(bytes: Uint8Array): void
  /** Resolves when all appended bytes are on disk. */
  sync(): Promise<void>
  close(): void
}

/**
 * The files of one store's log, by name: the log accesses the disk only through this interface, so
 * that tests can cut the power at any moment.
 */
export interface LogFiles {
  list(): string[]
  lengthOf(name: string): number
  /** The bytes read; fewer than requested at the end of the file. */
  read(name: string, position: number, lengthBytes: number): Buffer
  /** Creates a file with this content; content and name are durable when it returns. */
  create(name: string, content: Uint8Array): void
  /** Replaces the content of a file atomically; durable when it returns. */
  replace(name: string, content: Uint8Array): void
  /** Opens for appending. */
  open(name: string): LogFile
  /** Truncates a file; durable when it returns. */
  truncate(name: string, lengthBytes: number): void
  remove(name: string): void
}

const TEMPORARY = '.tmp'

/** A folder on disk; created with the first file. */
export class DiskLogFiles implements LogFiles {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  list(): string[] {
    try {
      return readdirSync(this.#folder).filter((name) => !name.endsWith(TEMPORARY))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
      throw error
    }
  }

  lengthOf(name: string): number {
    return this.#with(name, 'r', (file) => fstatSync(file).size)
  }

  read(name: string, position: number, lengthBytes: number): Buffer {
    return this.#with(name, 'r', (file) => {
      const bytes = Buffer.allocUnsafeSlow(
        Math.max(0, Math.min(lengthBytes, fstatSync(file).size - position)),
      )
      let at = 0
      while (at < bytes.length) {
        const count = readSync(file, bytes, at, bytes.length - at, position + at)
        if (count === 0) break
        at += count
      }
      return bytes.subarray(0, at)
    })
  }

  create(name: string, content: Uint8Array): void {
    this.replace(name, content)
  }

  replace(name: string, content: Uint8Array): void {
    if (mkdirSync(this.#folder, { recursive: true }) !== undefined) {
      syncFolder(dirname(this.#folder))
    }
    const temporary = name + TEMPORARY
    this.#with(temporary, 'w', (file) => {
      writeAll(file, content)
      fsyncSync(file)
    })
    renameSync(this.#path(temporary), this.#path(name))
    syncFolder(this.#folder)
  }

  open(name: string): LogFile {
    const file = openSync(this.#path(name), constants.O_WRONLY | constants.O_APPEND)
    let lengthBytes = fstatSync(file).size
    return {
      get lengthBytes() {
        return lengthBytes
      },
      append(bytes) {
        writeAll(file, bytes)
        lengthBytes += bytes.length
      },
      sync: () =>
        new Promise((resolve, reject) => {
          fdatasync(file, (error) => (error === null ? resolve() : reject(error)))
        }),
      close: () => closeSync(file),
    }
  }

  truncate(name: string, lengthBytes: number): void {
    this.#with(name, 'r+', (file) => {
      ftruncateSync(file, lengthBytes)
      fsyncSync(file)
    })
  }

  remove(name: string): void {
    rmSync(this.#path(name), { force: true })
  }

  #path(name: string): string {
    return join(this.#folder, name)
  }

  #with<T>(name: string, flags: string, use: (file: number) => T): T {
    const file = openSync(this.#path(name), flags)
    try {
      return use(file)
    } finally {
      closeSync(file)
    }
  }
}

function writeAll(file: number, bytes: Uint8Array): void {
  let at = 0
  while (at < bytes.length) at += writeSync(file, bytes, at, bytes.length - at)
}

/** Makes the name of a new file durable. */
function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
