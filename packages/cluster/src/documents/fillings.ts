/** A smaller group says nothing about the next one. */
const GROUP_MIN = 100

/**
 * The contents that are being filled: all documents of the last large group were new. Then the next
 * group is written as new without reading it first, and only what exists after all is read. So a
 * wrong guess costs time, but changes no outcome.
 */
export class Fillings {
  /** Ids of contents (`StoreContent.life`); a few, because a group has few stores. */
  readonly #filled = new Set<string>()

  /** Whether the next documents of a content are probably new. */
  has(life: string): boolean {
    return this.#filled.has(life)
  }

  /**
   * @param count documents of a group
   * @param existing those that existed
   */
  learn(life: string, count: number, existing: number): void {
    if (existing > 0) this.#filled.delete(life)
    else if (count >= GROUP_MIN) this.#filled.add(life)
  }
}
