import type { DiskRoom } from '../../ports/host/disk-room.ts'

/**
 * Free space in megabytes, negative below the reserve. The main thread measures it
 * (adapters/shared-memory/disk-watch.ts), all others read it.
 */
export type DiskRoomMemory = Int32Array<SharedArrayBuffer>

const MEGABYTE = 1e6
const MEGABYTES_MAX = 2 ** 31 - 1

/** Space counts as unlimited until it is measured. */
export function createDiskRoom(): DiskRoomMemory {
  const memory = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  memory[0] = MEGABYTES_MAX
  return memory
}

export function setRoomBytes(memory: DiskRoomMemory, bytes: number): void {
  const megabytes = Math.floor(bytes / MEGABYTE)
  Atomics.store(memory, 0, Math.max(-MEGABYTES_MAX, Math.min(MEGABYTES_MAX, megabytes)))
}

/** Rounded down to megabytes. */
export class SharedDiskRoom implements DiskRoom {
  readonly #memory: DiskRoomMemory

  constructor(memory: DiskRoomMemory) {
    this.#memory = memory
  }

  bytes(): number {
    return Atomics.load(this.#memory, 0) * MEGABYTE
  }
}
