import { kernelsOver, SET_ALIGN, type SetKernels } from './set-kernels.ts'
import { newMemory, PAGE_BYTES, type WasmMemory } from './wasm-memory.ts'

const PAGES_MIN = 16
/** A larger memory is not kept for the next search. */
const KEPT_BYTES = 64 * 1024 * 1024

/** Room for sets, lent to one search after the other. */
export class SetMemory {
  #memory: WasmMemory
  #used = 0
  kernels: SetKernels
  /** All sets, by 4 bytes. Another array after `take`. */
  words: Uint32Array
  /** The same by 2 bytes, for lists. */
  numbers: Uint16Array

  constructor() {
    this.#memory = newMemory(PAGES_MIN)
    this.kernels = kernelsOver(this.#memory)
    this.words = new Uint32Array(this.#memory.buffer)
    this.numbers = new Uint16Array(this.#memory.buffer)
  }

  /** Takes all room back. */
  clear(): void {
    this.#used = 0
    if (this.#memory.buffer.byteLength <= KEPT_BYTES) return
    this.#memory = newMemory(PAGES_MIN)
    this.kernels = kernelsOver(this.#memory)
    this.#open()
  }

  /**
   * Makes room for so many bytes, which hold anything.
   * @returns where it starts
   */
  take(bytes: number): number {
    const start = this.#used
    this.#used += Math.ceil(bytes / SET_ALIGN) * SET_ALIGN
    const lacking = this.#used - this.#memory.buffer.byteLength
    if (lacking > 0) {
      // By a half at least: every growth makes new arrays.
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
