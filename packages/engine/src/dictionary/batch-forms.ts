import { FNV_START, fnvEnd, fnvNext } from '../codec/fnv.ts'

const FORMS_MIN = 2_048
const UNITS_MIN = 16_384

/**
 * The distinct forms of a batch of documents, numbered from 0 in order of appearance. They fit in
 * the processor's cache, unlike the dictionary of an index, which is thus looked up once per form
 * and batch instead of once per token.
 *
 * Form n is `arena[offsets[n] .. offsets[n + 1])`, in UTF-16 code units.
 */
export class BatchForms {
  count = 0
  arena = new Uint16Array(UNITS_MIN)
  offsets = new Uint32Array(FORMS_MIN + 1)
  /** By number: FNV-1a of the code units, the same hash as in the dictionary of the index. */
  hashes = new Int32Array(FORMS_MIN)
  /** Open addressing: number + 1, 0 = free; at most half full. */
  #table = new Int32Array(FORMS_MIN * 2)

  /** @returns the number of the form */
  intern(form: string): number {
    let hash = FNV_START
    for (let i = 0; i < form.length; i++) hash = fnvNext(hash, form.charCodeAt(i))
    return this.internUnits(form, 0, form.length, fnvEnd(hash))
  }

  /** `intern` for a part of a text with a known hash. */
  internUnits(text: string, from: number, to: number, hash: number): number {
    const table = this.#table
    const { arena, offsets, hashes } = this
    const mask = table.length - 1
    const length = to - from
    let slot = hash & mask
    for (; table[slot] !== 0; slot = (slot + 1) & mask) {
      const number = table[slot]! - 1
      if (hashes[number] !== hash) continue
      const start = offsets[number]!
      if (offsets[number + 1]! - start !== length) continue
      let i = 0
      while (i < length && arena[start + i] === text.charCodeAt(from + i)) i++
      if (i === length) return number
    }
    table[slot] = this.count + 1
    return this.#append(text, from, to, hash)
  }

  clear(): void {
    this.count = 0
    this.#table.fill(0)
  }

  #append(text: string, from: number, to: number, hash: number): number {
    const number = this.count++
    const start = this.offsets[number]!
    const end = start + to - from
    if (end > this.arena.length) this.#growArena(end)
    for (let at = start, i = from; i < to; i++) this.arena[at++] = text.charCodeAt(i)
    this.offsets[number + 1] = end
    this.hashes[number] = hash
    if (this.count === this.hashes.length) this.#growForms()
    return number
  }

  #growArena(needed: number): void {
    const grown = new Uint16Array(Math.max(this.arena.length * 2, needed))
    grown.set(this.arena)
    this.arena = grown
  }

  #growForms(): void {
    const { offsets, hashes, count } = this
    this.offsets = new Uint32Array(count * 2 + 1)
    this.offsets.set(offsets)
    this.hashes = new Int32Array(count * 2)
    this.hashes.set(hashes)
    this.#table = new Int32Array(count * 4)
    const mask = this.#table.length - 1
    for (let number = 0; number < count; number++) {
      let slot = hashes[number]! & mask
      while (this.#table[slot] !== 0) slot = (slot + 1) & mask
      this.#table[slot] = number + 1
    }
  }
}
