import { titleWordWeight } from '../../scoring/vouching.ts'
import type { SharesByGroup } from './shares-by-group.ts'

/**
 * Bytes of cached counts per view and thread: those of 6,000 words at 2.6 KB each. 6,200 real
 * queries on a million products use 2,400 words; with space for 1,600, every second one was counted
 * again.
 */
const COMPANIES_BYTES = 16 * 1024 * 1024
/** Caches weights of words in fewer titles than this. */
const WEIGHTS_KEPT = 1024

/** Caches counts about title words, as long as the view is the newest. */
export class TitleCompanies {
  readonly #docCount: number
  readonly #byGroup = new Map<number, SharesByGroup>()
  #bytes = 0
  /** By documents with the word in the title; 0 = not computed yet. */
  readonly #weights = new Uint32Array(WEIGHTS_KEPT)

  constructor(docCount: number) {
    this.#docCount = docCount
  }

  /** @param count called once per group while its result is cached */
  for(group: number, count: () => SharesByGroup): SharesByGroup {
    let shares = this.#byGroup.get(group)
    if (shares === undefined) {
      shares = count()
      this.#byGroup.set(group, shares)
      this.#bytes += shares.bytes
      this.#makeRoom()
    }
    return shares
  }

  /** Evicts first in, first out. */
  #makeRoom(): void {
    for (const [group, { bytes }] of this.#byGroup) {
      if (this.#bytes <= COMPANIES_BYTES) return
      this.#byGroup.delete(group)
      this.#bytes -= bytes
    }
  }

  /** A cached `titleWordWeight`. */
  weightOf(titleDocFreq: number): number {
    if (titleDocFreq >= WEIGHTS_KEPT) return titleWordWeight(titleDocFreq, this.#docCount)
    let weight = this.#weights[titleDocFreq]!
    if (weight === 0) {
      weight = titleWordWeight(titleDocFreq, this.#docCount)
      this.#weights[titleDocFreq] = weight
    }
    return weight
  }
}
