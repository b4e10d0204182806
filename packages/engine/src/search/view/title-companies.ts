import { titleWordWeight } from '../../scoring/vouching.ts'
import type { SharesByGroup } from './shares-by-group.ts'

/**
 * Bytes of counts kept per view and thread: those of 6,000 words of 2.6 KB each. 6,200 real queries
 * of a million products ask for 2,400 words; with room for 1,600 every second one was counted anew.
 */
const COMPANIES_BYTES = 16 * 1024 * 1024
/** Weights of words in fewer titles than this are kept. */
const WEIGHTS_KEPT = 1024

/** What was counted about title words, for as long as the view is the newest and there is room. */
export class TitleCompanies {
  readonly #docCount: number
  readonly #byGroup = new Map<number, SharesByGroup>()
  #bytes = 0
  /** By documents with the word in the title; 0 = not computed yet. */
  readonly #weights = new Uint32Array(WEIGHTS_KEPT)

  constructor(docCount: number) {
    this.#docCount = docCount
  }

  /** @param count called once per group, as long as it is remembered */
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

  /** The first in are the first out. */
  #makeRoom(): void {
    for (const [group, { bytes }] of this.#byGroup) {
      if (this.#bytes <= COMPANIES_BYTES) return
      this.#byGroup.delete(group)
      this.#bytes -= bytes
    }
  }

  /** `titleWordWeight` */
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
