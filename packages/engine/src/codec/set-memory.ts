import { kernelsOver, SET_ALIGN, type SetKernels } from './set-kernels.ts'
import { newMemory, PAGE_BYTES, type WasmMemory } from './wasm-memory.ts'

const PAGES_MIN = 16
/** A larger memory is released after the search. */
const KEPT_BYTES = 64 * 1024 * 1024

/** Memory for sets, reused by one search after another. */
export class SetMemory {
  #memory: WasmMemory
  #used = 0
  kernels: SetKernels
  /** All memory as 32-bit words. `take` may replace the array. */
  words: Uint32Array
  /** The same as 16-bit numbers, for lists. */
  numbers: Uint16Array

  constructor() {
    this.#memory = newMemory(PAGES_MIN)
    this.kernels = kernelsOver(this.#memory)
    this.words = new Uint32Array(this.#memory.buffer)
    this.numbers = new Uint16Array(this.#memory.buffer)
  }

  /** Frees all sets. */
  clear(): void {
    this.#used = 0
    if (this.#memory.buffer.byteLength <= KEPT_BYTES) return
    this.#memory = newMemory(PAGES_MIN)
    this.kernels = kernelsOver(this.#memory)
    this.#open()
  }

  /** Allocates bytes with undefined contents. @returns their start address */
  take(bytes: number): number {
    const start = this.#used
    this.#used += Math.ceil(bytes / SET_ALIGN) * SET_ALIGN
    const lacking = this.#used - this.#memory.buffer.byteLength
    if (lacking > 0) {
      // Grows by at least a half, because each growth makes new arrays.
      const most = Math.max(lacking, this.#memory.buffer.byteLength / 2)
      this.#memory.grow(Math.ceil(most / PAGE_BYTES))
      this.#open()
    }
    return start
  }

  #open(): void {
    this.words = new Uint32Array(this.#memory.buffer)
    this.numbers = new Uint16Array(this.#memory.buffer)
  }
}
