import { hash } from 'node:crypto'

const START_CAPACITY = 1_024
const FULL_SHARE = 0.6
const SEEN = 1
const REPORTED = 2
const USED = 4
const DELETED = 8

/** The first 8 bytes of a hash; never 0, which means unknown. */
export function digestOf(text: string | Uint8Array): Uint8Array {
  const digest = hash('sha1', text, 'buffer').subarray(0, 8)
  if (lowOf(digest) === 0 && highOf(digest) === 0) digest[0] = 1
  return digest
}

/**
 * The documents that a source has written: digests of ids and of texts, 17 bytes for each place of
 * a table with open addressing. Among ten million ids, two with the same digest are as likely as
 * one in 300,000.
 */
export class KnownDocuments {
  #capacity = START_CAPACITY
  #ids = new Uint32Array(2 * START_CAPACITY)
  #texts = new Uint32Array(2 * START_CAPACITY)
  #flags = new Uint8Array(START_CAPACITY)
  #count = 0
  #seen = 0
  #deleted = 0

  /** Documents of earlier readings and of this one. */
  get count(): number {
    return this.#count - this.#deleted
  }

  /** Those that were not read. */
  get missing(): number {
    return this.count - this.#seen
  }

  /** A later text of the same document replaces the earlier one. */
  remember(id: string, textDigest: Uint8Array): void {
    const { slot } = this.#slotOf(id)
    this.#undelete(slot)
    this.#setText(slot, textDigest)
  }

  /** Notes that a document was deleted. @returns whether it was known */
  delete(id: string): boolean {
    const { slot, isNew } = this.#slotOf(id)
    if ((this.#flags[slot]! & DELETED) !== 0) return false
    if ((this.#flags[slot]! & SEEN) !== 0) this.#seen--
    this.#flags[slot] = USED | DELETED
    this.#deleted++
    return !isNew
  }

  /** Notes that a document was read. `repeated`: again, as it was read before. */
  read(id: string, textDigest: Uint8Array): 'new' | 'changed' | 'unchanged' | 'repeated' {
    const { slot, isNew: isUnknown } = this.#slotOf(id)
    const isNew = this.#undelete(slot) || isUnknown
    const isSame =
      this.#texts[2 * slot] === lowOf(textDigest) &&
      this.#texts[2 * slot + 1] === highOf(textDigest)
    const isFirst = (this.#flags[slot]! & SEEN) === 0
    if (isFirst) {
      this.#flags[slot]! |= SEEN
      this.#seen++
    }
    this.#setText(slot, textDigest)
    if (isNew) return 'new'
    if (!isSame) return 'changed'
    return isFirst ? 'unchanged' : 'repeated'
  }

  has(id: string): boolean {
    const digest = digestOf(id)
    return this.#flags[this.#find(lowOf(digest), highOf(digest))] !== 0
  }

  isSeen(id: string): boolean {
    return (this.#flags[this.#slotOf(id).slot]! & (SEEN | DELETED)) !== 0
  }

  /** @returns the digest of its text; undefined if it was asked for before */
  report(id: string): Uint8Array | undefined {
    const { slot } = this.#slotOf(id)
    if ((this.#flags[slot]! & (REPORTED | DELETED)) !== 0) return undefined
    this.#flags[slot]! |= REPORTED
    return new Uint8Array(this.#texts.slice(2 * slot, 2 * slot + 2).buffer)
  }

  /** All may be asked for again. */
  forgetReports(): void {
    for (let slot = 0; slot < this.#capacity; slot++) this.#flags[slot]! &= ~REPORTED
  }

  /** @returns whether it was deleted */
  #undelete(slot: number): boolean {
    if ((this.#flags[slot]! & DELETED) === 0) return false
    this.#flags[slot]! &= ~DELETED
    this.#deleted--
    return true
  }

  #setText(slot: number, textDigest: Uint8Array): void {
    this.#texts[2 * slot] = lowOf(textDigest)
    this.#texts[2 * slot + 1] = highOf(textDigest)
  }

  #slotOf(id: string): { slot: number; isNew: boolean } {
    const digest = digestOf(id)
    const low = lowOf(digest)
    const high = highOf(digest)
    let slot = this.#find(low, high)
    const isNew = this.#flags[slot] === 0
    if (isNew) {
      if (this.#count + 1 > this.#capacity * FULL_SHARE) {
        this.#grow()
        slot = this.#find(low, high)
      }
      this.#ids[2 * slot] = low
      this.#ids[2 * slot + 1] = high
      this.#flags[slot] = USED
      this.#count++
    }
    return { slot, isNew }
  }

  #find(low: number, high: number): number {
    const mask = this.#capacity - 1
    let slot = low & mask
    while (this.#flags[slot] !== 0) {
      if (this.#ids[2 * slot] === low && this.#ids[2 * slot + 1] === high) return slot
      slot = (slot + 1) & mask
    }
    return slot
  }

  #grow(): void {
    const [ids, texts, flags, capacity] = [this.#ids, this.#texts, this.#flags, this.#capacity]
    this.#capacity = 2 * capacity
    this.#ids = new Uint32Array(2 * this.#capacity)
    this.#texts = new Uint32Array(2 * this.#capacity)
    this.#flags = new Uint8Array(this.#capacity)
    for (let slot = 0; slot < capacity; slot++) {
      if (flags[slot] === 0) continue
      const to = this.#find(ids[2 * slot]!, ids[2 * slot + 1]!)
      this.#ids[2 * to] = ids[2 * slot]!
      this.#ids[2 * to + 1] = ids[2 * slot + 1]!
      this.#texts[2 * to] = texts[2 * slot]!
      this.#texts[2 * to + 1] = texts[2 * slot + 1]!
      this.#flags[to] = flags[slot]!
    }
  }
}

/** The first four bytes of a digest as a number, and the others. */
function lowOf(digest: Uint8Array): number {
  return (digest[0]! | (digest[1]! << 8) | (digest[2]! << 16) | (digest[3]! << 24)) >>> 0
}

function highOf(digest: Uint8Array): number {
  return (digest[4]! | (digest[5]! << 8) | (digest[6]! << 16) | (digest[7]! << 24)) >>> 0
}
