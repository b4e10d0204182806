import { hash32 } from './distinct-count.ts'

/** Ids that are compared with earlier ones, at most; they take 16 bytes each. */
const IDS_COMPARED_MAX = 4_000_000
const SIZE_FIRST = 4_096

/**
 * Which ids came before, as numbers of 53 bits: two of four million different ids are taken for one
 * with a chance of one in a thousand.
 */
export class IdSet {
  #slots = new Float64Array(SIZE_FIRST)
  #count = 0

  /** Ids beyond the maximum are not compared any more. */
  get isFull(): boolean {
    return this.#count >= IDS_COMPARED_MAX
  }

  /** @returns whether it is new */
  add(id: string): boolean {
    const key = keyOf(id)
    const at = placeOf(this.#slots, key)
    if (this.#slots[at] === key) return false
    if (this.isFull) return true
    this.#slots[at] = key
    this.#count++
    if (this.#count * 2 > this.#slots.length) this.#grow()
    return true
  }

  #grow(): void {
    const slots = new Float64Array(this.#slots.length * 2)
    for (const key of this.#slots) if (key !== 0) slots[placeOf(slots, key)] = key
    this.#slots = slots
  }
}

/** Never 0, which is an empty slot. */
function keyOf(id: string): number {
  return (hash32(id, 0x9747b28c) & 0x1fffff) * 0x1_0000_0000 + hash32(id, 0) + 1
}

function placeOf(slots: Float64Array, key: number): number {
  const mask = slots.length - 1
  let at = (key % 0x1_0000_0000) & mask
  while (slots[at] !== 0 && slots[at] !== key) at = (at + 1) & mask
  return at
}
