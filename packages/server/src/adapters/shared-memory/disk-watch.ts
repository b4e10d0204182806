import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import {
  DISK_CHECK_MS,
  DISK_RESERVE_DEFAULT_BYTES,
  DISK_RESERVE_DEFAULT_PERCENT,
} from '@aisle/contract'
import { setRoomBytes, type DiskRoomMemory } from './disk-room.ts'

export interface DiskSpace {
  /** Returns the bytes that this process may still use. */
  readonly freeBytes: number
  readonly totalBytes: number
}

export interface DiskWatchOptions {
  /** The data folder. */
  readonly folder: string
  /** `undefined`: the default, which depends on the size of the disk. 0 = none. */
  readonly reserveBytes: number | undefined
  readonly room: DiskRoomMemory
  readonly log: (level: 'info' | 'warn' | 'error', message: string, detail?: object) => void
  /** Absent: read from the file system. */
  readonly measure?: (folder: string) => Promise<DiskSpace>
}

/**
 * Measures the free disk space once a second, and publishes the part above the reserve. Space used
 * within that second, or by writes already on their way, comes out of the reserve, which exists for
 * that.
 */
export class DiskWatch {
  readonly #options: DiskWatchOptions
  #timer: NodeJS.Timeout | undefined
  #isLow = false
  #space: DiskSpace = { freeBytes: Infinity, totalBytes: 0 }
  #reserveBytes = 0

  constructor(options: DiskWatchOptions) {
    this.#options = options
  }

  /** Measures now, and then periodically. */
  async start(): Promise<void> {
    await this.check()
    this.#timer = setInterval(() => void this.check(), DISK_CHECK_MS)
    this.#timer.unref()
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  /** Free space above the reserve, as of the last measurement. */
  get figures(): { readonly freeBytes: number; readonly reserveBytes: number } {
    return { freeBytes: this.#space.freeBytes, reserveBytes: this.#reserveBytes }
  }

  /**
   * Space that background work may use temporarily, as of the last measurement: all free space
   * except half of the reserve. Such work frees space in the end, and deletes depend on it; the
   * other half is for deletes.
   */
  get backgroundRoomBytes(): number {
    return this.#space.freeBytes - this.#reserveBytes / 2
  }

  /**
   * Measures once. If the file system does not respond, the last value stays in force.
   */
  async check(): Promise<void> {
    const { folder, room, log } = this.#options
    try {
      this.#space = await this.#measure(folder)
    } catch {
      return
    }
    this.#reserveBytes = this.#reserveOf(this.#space)
    const bytes = this.#space.freeBytes - this.#reserveBytes
    setRoomBytes(room, bytes)
    if (bytes < 0 === this.#isLow) return
    this.#isLow = bytes < 0
    if (this.#isLow)
      log('error', 'Free disk space is down to the reserve: writes are refused', this.figures)
    else log('info', 'The disk has free space again: writes are accepted', this.figures)
  }

  /**
   * Returns the bytes above the reserve on the disk of another folder, which need not exist yet.
   */
  async roomBytesIn(folder: string): Promise<number> {
    let at = resolve(folder)
    while (!existsSync(at) && dirname(at) !== at) at = dirname(at)
    const space = await this.#measure(at)
    return space.freeBytes - this.#reserveOf(space)
  }

  #measure(folder: string): Promise<DiskSpace> {
    return (this.#options.measure ?? spaceOf)(folder)
  }

  #reserveOf({ totalBytes }: DiskSpace): number {
    return (
      this.#options.reserveBytes ??
      Math.min(DISK_RESERVE_DEFAULT_BYTES, (totalBytes * DISK_RESERVE_DEFAULT_PERCENT) / 100)
    )
  }
}

async function spaceOf(folder: string): Promise<DiskSpace> {
  const { bavail, blocks, bsize } = await statfs(folder)
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize }
}
