import { hash32 } from './distinct-count.ts'

/** Maximum of ids that are compared with earlier ones; each takes 16 bytes. */
const IDS_COMPARED_MAX = 4_000_000
const SIZE_FIRST = 4_096

/**
 * A set of ids, as 53-bit hashes: the chance that any two of four million ids collide is one in a
 * thousand.
 */
export class IdSet {
  #slots = new Float64Array(SIZE_FIRST)
  #count = 0

  /** Whether it is full: further ids are not compared. */
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
