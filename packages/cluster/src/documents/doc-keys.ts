import { docKeysOf, type KnownPlaces } from './known-places.ts'
import type { Clock } from '@aisle/server/ports'

/** Minimum of keys taken at once. */
const BLOCK = 10_000
/** While several nodes write to a store, each takes a new block at this interval. */
const RENEW_MS = 1_000

interface Block {
  next: number
  readonly end: number
  readonly takenMs: number
}

/**
 * Assigns docKeys to the writes of this node: unique in a store, and greater than those of all
 * earlier writes. Nodes take them in blocks, and each block is above all earlier ones. When another
 * node has taken a newer block, its writes have greater keys than ours, so from then on our block
 * is replaced once a second. Writes of two nodes within the same second may have their keys in
 * either order.
 */
export class DocKeys {
  readonly #places: KnownPlaces
  readonly #clock: Clock
  readonly #blocks = new Map<string, Block>()

  constructor(places: KnownPlaces, clock: Clock) {
    this.#places = places
    this.#clock = clock
  }

  /**
   * @param name of the content that has the documents
   * @param above the greatest docKey of the versions to replace; the keys are greater
   * @param nextBlock the end of the newest block, as of a real-time read
   * @returns the first of `count` keys
   */
  async take(
    name: string,
    count: number,
    { above, nextBlock }: { readonly above: number; readonly nextBlock: number },
  ): Promise<number> {
    const block = this.#blocks.get(name)
    const nowMs = this.#clock.now()
    if (
      block !== undefined &&
      block.next > above &&
      block.end - block.next >= count &&
      (block.end >= nextBlock || nowMs - block.takenMs < RENEW_MS)
    ) {
      block.next += count
      return block.next - count
    }
    const length = Math.max(BLOCK, count)
    const first = await this.#places.takeNumbers(docKeysOf(name), length)
    this.#blocks.set(name, { next: first + count, end: first + length, takenMs: nowMs })
    return first
  }
}
