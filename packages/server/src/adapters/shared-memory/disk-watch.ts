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
  /** What this process may still use. */
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
  /** Absent: the file system is asked. */
  readonly measure?: (folder: string) => Promise<DiskSpace>
}

/**
 * Looks once a second how much of the disk is free, and publishes what of it is beyond the reserve.
 * What is used within a second, or is on its way to the writer already, comes out of the reserve:
 * that is what it is for.
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

  /** Measures, and goes on doing so. */
  async start(): Promise<void> {
    await this.check()
    this.#timer = setInterval(() => void this.check(), DISK_CHECK_MS)
    this.#timer.unref()
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  /** As of the last look. */
  get figures(): { readonly freeBytes: number; readonly reserveBytes: number } {
    return { freeBytes: this.#space.freeBytes, reserveBytes: this.#reserveBytes }
  }

  /**
   * What work in the background may take for a while, as of the last look: all that is free but
   * half of the reserve. It ends in giving room back, without it deletes would make none; the other
   * half is for those.
   */
  get backgroundRoomBytes(): number {
    return this.#space.freeBytes - this.#reserveBytes / 2
  }

  /**
   * Looks once. A file system that does not answer is no reason to refuse: what was known last goes
   * on.
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
      log('error', 'The disk is full but for its reserve: writes are refused', this.figures)
    else log('info', 'There is room on the disk again: writes are taken', this.figures)
  }

  /** Bytes beyond the reserve on the disk of another folder, which need not be there yet. */
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
