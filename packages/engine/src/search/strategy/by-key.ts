import { WINDOW_BITS, WINDOW_SIZE } from '../../postings/postings-format.ts'
import { BitDocuments } from '../match/document-set.ts'
import type { Matches } from '../match/matches.ts'
import { scratch } from '../match/window-scratch.ts'
import type { PageCollector } from '../page/page-collector.ts'
import type { Steps } from '../view/steps.ts'
import type { Strategy } from './strategy.ts'

/**
 * For orders that do not begin with the score: only documents whose first sort key may reach the
 * page are scored.
 */
export class ByKey implements Strategy {
  readonly missedMax = -Infinity
  readonly narrows = false
  readonly #matches: Matches
  readonly #page: PageCollector
  #segmentIndex = -1
  /** The first documents of the segment in the order of the key; undefined: not known. */
  #first: Uint32Array | undefined
  #next = 0
  /** Documents of the current window. */
  #contenders = new Uint32Array(0)

  constructor(matches: Matches, page: PageCollector) {
    this.#matches = matches
    this.#page = page
  }

  *prepare(segmentIndex: number, window: number): Steps {
    const { found } = this.#matches.in(segmentIndex)
    if (segmentIndex !== this.#segmentIndex) {
      this.#segmentIndex = segmentIndex
      this.#next = 0
      this.#first =
        found instanceof BitDocuments
          ? yield* this.#page.firstOf(found.words, found.count)
          : undefined
    }
    if (this.#first !== undefined) return
    const { docs, touched } = scratch
    const base = window << WINDOW_BITS
    const count = found.touch(window)
    for (let i = 0; i < count; i++) docs[i] = base + touched[i]!
    scratch.forget(count)
    const own = docs.slice(0, count)
    const kept = count === 0 ? 0 : yield* this.#page.contenders(own)
    this.#contenders = own.subarray(0, kept)
  }

  candidates(_segmentIndex: number, window: number): number {
    if (this.#first !== undefined) return this.#touchFirst(this.#first, window)
    return touchDocs(this.#contenders, 0, this.#contenders.length)
  }

  #touchFirst(docOrds: Uint32Array, window: number): number {
    const from = this.#next
    while (this.#next < docOrds.length && docOrds[this.#next]! >>> WINDOW_BITS === window) {
      this.#next++
    }
    return touchDocs(docOrds, from, this.#next)
  }
}

/** Fills the scratch memory with some documents of a window. @returns their number */
function touchDocs(docOrds: Uint32Array, from: number, to: number): number {
  const { seen, touched } = scratch
  for (let i = from; i < to; i++) {
    const id = docOrds[i]! & (WINDOW_SIZE - 1)
    touched[i - from] = id
    seen[id >>> 5]! |= 1 << (id & 31)
  }
  return to - from
}
