import { WINDOW_BITS, WINDOW_SIZE } from '../../postings/postings-format.ts'
import { BitDocuments } from '../match/document-set.ts'
import type { Matches } from '../match/matches.ts'
import { scratch } from '../match/window-scratch.ts'
import type { PageCollector } from '../page/page-collector.ts'
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

  constructor(matches: Matches, page: PageCollector) {
    this.#matches = matches
    this.#page = page
  }

  candidates(segmentIndex: number, window: number): number {
    const { found } = this.#matches.in(segmentIndex)
    if (segmentIndex !== this.#segmentIndex) {
      this.#segmentIndex = segmentIndex
      this.#next = 0
      this.#first =
        found instanceof BitDocuments ? this.#page.firstOf(found.words, found.count) : undefined
    }
    if (this.#first !== undefined) return this.#touchFirst(this.#first, window)
    const { docs, touched } = scratch
    const base = window << WINDOW_BITS
    const count = found.touch(window)
    for (let i = 0; i < count; i++) docs[i] = base + touched[i]!
    scratch.forget(count)
    return touchDocs(docs, 0, count === 0 ? 0 : this.#page.contenders(docs, count))
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
