import { PAGE_BYTES, type WasmMemory } from '../codec/wasm-memory.ts'
import type { Column } from './column-reader.ts'

/** Columns that so many uses of the room did not ask for are no longer in use. */
const USES_IN_USE = 256

/** What copies are made of. Equal kinds of a column are equal bytes. */
export type CopyKind = 'ids' | 'ordinals' | 'buckets'

interface Copy {
  readonly at: number
  readonly bytes: number
  readonly kind: CopyKind
  /** Copies of an earlier period are gone. */
  readonly period: number
  usedAt: number
}

/**
 * Copies of columns at the end of a memory of kernels, each made when it is first needed. They
 * are never moved; when what is needed finds no room, and most of the others are not in use, all
 * are forgotten.
 */
export class CopiedColumns {
  readonly #memory: WasmMemory
  readonly #start: number
  readonly #bytesMax: number
  readonly #copies = new WeakMap<Column, Copy>()
  /** Those of this period. */
  #kept: Copy[] = []
  #period = 0
  #end: number
  #use = 0
  /** The use that asked whether copies are in use. */
  #askedAt = -Infinity
  /** Bytes of a copy that found no room. */
  #lacking = 0

  /**
   * @param start where the copies begin in the memory, which grows with them
   * @param bytesMax of all copies
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

  /** Places are valid until the next use begins. */
  beginUse(): void {
    this.#use++
    if (this.#lacking > 0) this.#forgetUnused()
  }

  /** Where the copy of a column is, if it was made. */
  find(column: Column, kind: CopyKind): number | undefined {
    const copy = this.#copies.get(column)
    if (copy === undefined || copy.kind !== kind || copy.period !== this.#period) return undefined
    copy.usedAt = this.#use
    return copy.at
  }

  /**
   * Room for the copy of a column, which the caller makes. The memory may have another buffer then.
   *
   * @returns where it starts; undefined when there is no room
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
   * Begins anew where most columns are those of merged segments or of stores that nobody searches;
   * otherwise what does not fit would drive out what is in use, and be driven out by it.
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
