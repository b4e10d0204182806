import { PAGE_BYTES, type WasmMemory } from '../codec/wasm-memory.ts'
import type { Column } from './column-reader.ts'

/** A column is unused if this many uses of the memory did not ask for it. */
const USES_IN_USE = 256

/** The contents of a copy. Equal kinds of a column are equal bytes. */
export type CopyKind = 'ids' | 'ordinals' | 'buckets'

interface Copy {
  readonly at: number
  readonly bytes: number
  readonly kind: CopyKind
  /** Copies of earlier periods have been dropped. */
  readonly period: number
  usedAt: number
}

/**
 * Copies of columns at the end of a kernel memory, each made on first use. They never move; if a
 * copy finds no space and most others are unused, all are dropped.
 */
export class CopiedColumns {
  readonly #memory: WasmMemory
  readonly #start: number
  readonly #bytesMax: number
  readonly #copies = new WeakMap<Column, Copy>()
  /** The copies of this period. */
  #kept: Copy[] = []
  #period = 0
  #end: number
  #use = 0
  /** The use that last checked for unused copies. */
  #askedAt = -Infinity
  /** Bytes of the copies that found no space since then. */
  #lacking = 0

  /**
   * @param start where the copies begin in the memory, which grows with them
   * @param bytesMax limit for all copies
   */
  constructor(memory: WasmMemory, start: number, bytesMax: number) {
    this.#memory = memory
    this.#start = start
    this.#bytesMax = bytesMax
    this.#end = start
  }

  get bytes(): number {
    return this.#end - this.#start
  }

  /** Begins a use; addresses are valid until the next one. */
  beginUse(): void {
    this.#use++
    if (this.#lacking > 0) this.#forgetUnused()
  }

  /** The address of a column's copy, if there is one. */
  find(column: Column, kind: CopyKind): number | undefined {
    const copy = this.#copies.get(column)
    if (copy === undefined || copy.kind !== kind || copy.period !== this.#period) return undefined
    copy.usedAt = this.#use
    return copy.at
  }

  /**
   * Space for the copy of a column, which the caller fills. The memory may have a new buffer
   * afterwards.
   *
   * @returns its address; undefined if there is no space
   */
  take(column: Column, kind: CopyKind, bytes: number): number | undefined {
    const at = this.#end
    if (at + bytes - this.#start > this.#bytesMax) {
      this.#lacking = Math.max(this.#lacking, bytes)
      return undefined
    }
    const lacking = at + bytes - this.#memory.buffer.byteLength
    if (lacking > 0) this.#memory.grow(Math.ceil(lacking / PAGE_BYTES))
    this.#end = at + bytes
    const copy = { at, bytes, kind, period: this.#period, usedAt: this.#use }
    this.#kept.push(copy)
    this.#copies.set(column, copy)
    return at
  }

  /**
   * Drops all copies if most columns belong to merged segments or to idle stores. In any other
   * case, what does not fit and what is in use would evict each other.
   */
  #forgetUnused(): void {
    if (this.#use - this.#askedAt < USES_IN_USE) return
    this.#askedAt = this.#use
    let used = this.#lacking
    for (const { usedAt, bytes } of this.#kept) {
      if (this.#use - usedAt <= USES_IN_USE) used += bytes
    }
    this.#lacking = 0
    if (used * 2 > this.#bytesMax) return
    this.#period++
    this.#kept = []
    this.#end = this.#start
  }
}
