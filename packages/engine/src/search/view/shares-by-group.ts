/**
 * Shares (0..4096) by stem group: open addressing, at most half full. Faster and smaller than a
 * map, where every second look-up would miss.
 */
export class SharesByGroup {
  /** Group + 1; 0 = free. */
  readonly #groups: Uint32Array
  readonly #shares: Uint16Array
  readonly #mask: number

  /** @param groups distinct; @param shares of each, not 0 */
  constructor(groups: readonly number[], shares: readonly number[]) {
    let slots = 8
    while (slots < groups.length * 2) slots *= 2
    this.#groups = new Uint32Array(slots)
    this.#shares = new Uint16Array(slots)
    this.#mask = slots - 1
    groups.forEach((group, i) => {
      const slot = this.#slotOf(group)
      this.#groups[slot] = group + 1
      this.#shares[slot] = shares[i]!
    })
  }

  get bytes(): number {
    return this.#groups.byteLength + this.#shares.byteLength
  }

  /** The share of a group, 0 if it has none. */
  of(group: number): number {
    return this.#shares[this.#slotOf(group)]!
  }

  #slotOf(group: number): number {
    const groups = this.#groups
    const hash = Math.imul(group, 0x9e3779b1)
    let slot = (hash ^ (hash >>> 15)) & this.#mask
    while (groups[slot] !== 0 && groups[slot] !== group + 1) slot = (slot + 1) & this.#mask
    return slot
  }
}
